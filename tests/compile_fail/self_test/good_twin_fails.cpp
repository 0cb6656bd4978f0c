// SPDX-License-Identifier: MIT
// Self-test of the checker: the good twin does not compile, which it must report.
// expect: undeclared
int main() { return undeclared; }
