// SPDX-License-Identifier: MIT
// A struct that kernels cannot share, or would lay out otherwise, is not registered.
// expect 1: shared_struct_member_has_no_device_type<.*bad>.*member_number<2>.*member_type<bool>
// expect 2: shared_struct_member_has_no_device_type<.*bad>.*member_number<2>.*member_type<int ?\*>
// expect 3: shared_struct_member_has_no_device_type<.*bad>.*member_number<1>.*member_type<.*inner>
// expect 4: shared_struct_member_lies_elsewhere<.*bad>.*member_number<2>.*host_bytes<8>.*device_bytes<4>
// expect 5: shared_struct_has_another_size<.*bad>.*host_bytes<12>.*device_bytes<8>
// expect 6: shared_struct_is_not_standard_layout<.*bad>
// expect 7: shared_struct_is_not_trivially_copyable<.*bad>
// expect 8: shared_struct_has_no_members<.*bad>
// expect 9: shared_struct_member_lies_elsewhere<.*bad>.*member_number<2>.*host_bytes<4>.*device_bytes<8>
// expect 10: shared_struct_member_lies_elsewhere<.*bad>.*member_number<1>.*host_bytes<4>.*device_bytes<0>
// expect 11: shared_struct_has_another_size<.*bad>.*host_bytes<16>.*device_bytes<8>
// expect 12: shared_struct_member_lies_elsewhere<.*bad>.*member_number<2>.*host_bytes<1>.*device_bytes<4>
// expect 13: no member named|is not a member of
// expect 14: shared_struct_member_has_no_device_type<.*bad>.*member_number<1>.*member_type<long double ?\[2\]>
// expect 15: shared_struct_is_not_trivially_copyable<.*bad>
// expect 16: shared_struct_has_another_alignment<.*bad>.*host_bytes<8>.*device_bytes<4>
#include <yoke/program/structs/struct.hpp>

#include <complex>

struct inner {
  int a;
};
struct part {
  float a[2];
  short b;
};
struct good {
  int a;
  float b;
  part c[3];
  std::complex<double> d;
};

#if YOKE_BAD == 1
struct bad {
  int a;
  bool b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 2
struct bad {
  long a;
  int* b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 3  // registered nowhere
struct bad {
  inner a;
};
YOKE_STRUCT(bad, a);
#elif YOKE_BAD == 4  // b is not named
struct bad {
  int a, b, c;
};
YOKE_STRUCT(bad, a, c);
#elif YOKE_BAD == 5  // c is not named
struct bad {
  int a, b, c;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 6
struct bad {
  virtual void f() {}
  int a;
};
YOKE_STRUCT(bad, a);
#elif YOKE_BAD == 7
struct bad {
  ~bad() {}
  int a;
};
YOKE_STRUCT(bad, a);
#elif YOKE_BAD == 8
struct bad {
  int a;
};
YOKE_STRUCT(bad);
#elif YOKE_BAD == 9  // on the device it is aligned to its size
struct bad {
  int a;
  std::complex<float> b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 10
struct bad {
  int a, b;
};
YOKE_STRUCT(bad, b, a);
#elif YOKE_BAD == 11
struct alignas(16) bad {
  int a, b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 16
struct alignas(8) bad {
  float a;
  int b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 12
struct __attribute__((packed)) bad {
  char a;
  int b;
};
YOKE_STRUCT(bad, a, b);
#elif YOKE_BAD == 13
struct bad {
  int a;
};
YOKE_STRUCT(bad, b);
#elif YOKE_BAD == 14
struct bad {
  long double a[2];
};
YOKE_STRUCT(bad, a);
#elif YOKE_BAD == 15
struct bad {
  bad(const bad&) {}
  int a;
};
YOKE_STRUCT(bad, a);
#else
struct padded {
  int a;
  int before_b;
  std::complex<float> b;
};
YOKE_STRUCT(padded, a, before_b, b);
#endif
YOKE_STRUCT(part, a, b);
YOKE_STRUCT(good, a, b, c, d);

int main() {}
