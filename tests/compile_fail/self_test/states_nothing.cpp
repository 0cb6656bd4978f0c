// SPDX-License-Identifier: MIT
// Self-test of the checker: nothing is expected of the bad twin, which it must report.
int main() {
#ifdef YOKE_BAD
  return undeclared;
#endif
}
