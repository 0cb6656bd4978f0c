// SPDX-License-Identifier: MIT
// Self-test of the checker: the bad twin fails for another reason than stated, which it must report.
// expect: a message that no compiler has
int main() {
#ifdef YOKE_BAD
  return undeclared;
#endif
}
