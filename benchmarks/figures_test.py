#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# Tests of the figures: medians, intervals, rows, bars, tables, and the check that no row is missing.
import random
import unittest

import bench
import figures


def row(operation, yoke, raw, **peers):
    return figures.rows_of(operation, "OpenCL: PoCL: cpu", {"yoke": yoke, "raw": raw, **peers})[0]


class Figures(unittest.TestCase):
    def test_median(self):
        self.assertEqual(figures.median([3, 1, 2]), 2)
        self.assertEqual(figures.median([4, 1, 2, 3]), 2.5)
        self.assertRaises(ValueError, figures.median, [])

    def test_interval_takes_the_ranks_of_a_table(self):
        for count, rank in ((1, 0), (5, 0), (6, 0), (9, 1), (12, 2), (20, 5), (50, 17), (100, 39)):
            self.assertEqual(figures.interval(range(count)), (rank, count - 1 - rank), count)

    def test_interval_holds_the_median_in_95_of_100_samples(self):
        source = random.Random(3)
        for count in (20, 400):
            held = 0
            for _ in range(1000):
                low, high = figures.interval([source.expovariate(1) for _ in range(count)])
                held += low <= 0.6931 <= high
            self.assertGreater(held, 930)
            self.assertLess(held, 995)

    def test_a_ratio_is_of_pairs(self):
        made = row("launch/8", [10, 110, 1100], [10, 100, 1000])
        self.assertAlmostEqual(made["ratio"], 1.1)
        self.assertEqual((made["yoke"], made["raw"], made["added"]), (110, 100, 10))

    def test_variants_have_rows_of_their_own(self):
        samples = {"yoke": [1.0], "any_port": [2.0], "raw": [1.0]}
        names = [each["operation"] for each in figures.rows_of("launch/1", "d", samples)]
        self.assertEqual(names, ["launch/1", "launch_any_port/1"])
        self.assertEqual(len(figures.rows_of("record_event", "d", samples)), 1)
        self.assertEqual(figures.rows_of("launch/1", "d", {"yoke": [1.0]}), [])

    def test_bars(self):
        def verdicts(made):
            return [good for _, judged in figures.bars_of([made]) for _, good, _ in judged]
        self.assertEqual(verdicts(row("launch/8", [1030] * 9, [1000] * 9)), [False])
        self.assertEqual(verdicts(row("launch/8", [1010] * 9, [1000] * 9)), [True])
        self.assertEqual(verdicts(row("launch/8", [990, 1050] * 9, [1000] * 18)), [True])  # within the noise
        self.assertEqual(verdicts(row("launch/8", [1000] * 9, [1000] * 9, clhpp=[900] * 9)), [True, False])
        self.assertEqual(verdicts(row("stream_wait", [140] * 9, [100] * 9)), [True])
        self.assertEqual(verdicts(row("stream_wait", [160] * 9, [100] * 9)), [False])
        self.assertEqual(verdicts(row("copy_on_device/64MiB", [1040] * 9, [1000] * 9)), [True])
        self.assertEqual(verdicts(row("allocate/1MiB", [1150] * 9, [1000] * 9)), [True])
        self.assertEqual(verdicts(row("record_event", [1250] * 9, [1000] * 9)), [False])
        self.assertIn("MISSED", figures.bars_text([row("launch/8", [1030] * 9, [1000] * 9)]))
        self.assertIn("not measured", figures.bars_text([]))

    def test_tables_name_the_best_peer(self):
        rows = [row("launch/8", [1500.0], [1000.0], clhpp=[1800.0], pyopencl=[2500.0])]
        self.assertIn("| launch/8 | 1.50 us | 1.00 us | 1.500 (1.500-1.500) | 1.80 us (clhpp) |", figures.markdown(rows))
        self.assertIn("1.80 us (clhpp)", figures.table(rows))
        self.assertIn("1.500</text>", figures.plot(rows))

    def test_quantities(self):
        for value, text in ((999, "999 ns"), (1234, "1.23 us"), (34.5e6, "34.5 ms"), (2e9, "2.00 s")):
            self.assertEqual(figures.quantity(value), text)

    def test_a_missing_row_is_seen(self):
        device = "OpenCL: PoCL: cpu"
        names = bench.EXPECTED["both"] + bench.EXPECTED["opencl"]
        report = {"devices": {device: {"backend": "opencl"}}, "rows": [row(name, [2.0], [1.0]) for name in names]}
        self.assertEqual(bench.check_report(report, lambda _: True), [])
        gone = report["rows"].pop()
        self.assertEqual(bench.check_report(report, lambda _: True), [f"{gone['operation']} on {device}: no row"])
        self.assertEqual(bench.check_report(report, lambda name: name != gone["operation"]), [])
        report["rows"] += [gone, row("something/new", [1.0], [1.0])]
        self.assertEqual(bench.check_report(report, lambda _: True),
                         [f"something/new on {device}: a row that no test expects"])


if __name__ == "__main__":
    unittest.main()
