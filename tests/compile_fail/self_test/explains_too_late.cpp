// SPDX-License-Identifier: MIT
// Self-test of the checker: the expected words are in the second error, where nobody looks first.
// expect: must be a number
int main() {
#ifdef YOKE_BAD
  int first = nullptr;
  static_assert(sizeof(first) == 1, "must be a number");
#endif
}
