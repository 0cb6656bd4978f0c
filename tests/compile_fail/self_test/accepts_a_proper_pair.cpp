// SPDX-License-Identifier: MIT
// Self-test of the checker: a proper pair with two variants, which it must accept.
// expect 1: must be a number
// expect 2: cannot (convert|initialize)
template <class T>
void take(T) {
  static_assert(sizeof(T) == sizeof(int), "must be a number");
}

int main() {
#if YOKE_BAD == 1
  take('a');
#elif YOKE_BAD == 2
  int second = nullptr;
#else
  take(1);
#endif
}
