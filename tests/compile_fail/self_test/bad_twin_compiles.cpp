// SPDX-License-Identifier: MIT
// Self-test of the checker: the bad twin compiles, which it must report.
// expect: never
int main() {
#ifdef YOKE_BAD
  return 0;
#endif
}
