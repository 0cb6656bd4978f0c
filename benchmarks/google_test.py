#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# What yoke_bench_google makes for its filter, and what it says of what cannot be measured; on PoCL.
"""usage: google_test.py PROGRAM [TEST...]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = None


def run(*arguments, **environment):
    """The program on PoCL: how it ended, the memory that it took at most, in MiB, and its rows."""
    command = [PROGRAM, "--benchmark_min_time=0.001", "--benchmark_format=json", *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "YOKE_DEVICE": "opencl:pocl", **environment})
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    process.stderr.close()
    report = json.loads(output) if output.startswith("{") else {}
    rows = {row["name"].removesuffix("/manual_time"): row for row in report.get("benchmarks", [])}
    return process.returncode, used.ru_maxrss / 1024, rows, output + errors


class Google(unittest.TestCase):
    def test_a_filter_makes_what_it_chooses(self):
        code, small, rows, said = run("--benchmark_filter=^record_event:raw/")
        self.assertEqual(code, 0, said)
        self.assertEqual(list(rows), ["record_event:raw"])
        self.assertGreater(rows["record_event:raw"]["real_time"], 0)
        code, large, rows, said = run("--benchmark_filter=^copy_to_device/64MiB/locked:(yoke|raw)/")
        self.assertEqual(code, 0, said)
        self.assertEqual(list(rows), ["copy_to_device/64MiB/locked:yoke", "copy_to_device/64MiB/locked:raw"])
        self.assertLess(small + 150, large)  # four blocks of 64 MiB

    def test_a_list_makes_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            code, _, _, said = run("--benchmark_list_tests", POCL_CACHE_DIR=folder)
            self.assertEqual(code, 0, said)
            names = said.splitlines()
            for name in ("launch/8:yoke", "launch/8:any_port", "launch/8:raw", "record_event:clhpp", "compile_cold:yoke_stored",
                         "device_time/copy_on_device/64MiB:raw_again"):
                self.assertIn(name + "/manual_time", names)
            self.assertNotIn("allocate_ordered/1MiB:raw/manual_time", names)
            self.assertEqual(list(pathlib.Path(folder).rglob("program.bc")), [])
            run("--benchmark_filter=^launch/1:raw/", POCL_CACHE_DIR=folder)
            self.assertNotEqual(list(pathlib.Path(folder).rglob("program.bc")), [])

    def test_what_cannot_be_measured_is_told_in_its_place(self):
        # Without a folder for temporary files there is no cache, which yoke's compilations are measured with.
        chosen = "--benchmark_filter=^(compile_cold:yoke|record_event:raw)/"
        code, _, rows, said = run(chosen, TMPDIR="/nonexistent/folder")
        self.assertEqual(code, 0, said)
        self.assertTrue(rows["compile_cold:yoke"]["error_occurred"])
        self.assertIn("temp_directory_path", rows["compile_cold:yoke"]["error_message"])
        self.assertGreater(rows["record_event:raw"]["real_time"], 0)
        self.assertNotIn("error_occurred", rows["record_event:raw"])
        code, _, rows, said = run("--benchmark_filter=^compile_cold:yoke/", TMPDIR="/nonexistent/folder")
        self.assertEqual(code, 1, said)
        self.assertTrue(rows["compile_cold:yoke"]["error_occurred"])

    def test_what_is_absent_is_said(self):
        _, _, _, said = run("--benchmark_filter=^record_event:raw/")
        context = json.loads(said[:said.rindex("}") + 1])["context"]
        self.assertIn("device", context)
        listed = run("--benchmark_list_tests")[3]
        for peer, operation in (("boost_compute", "launch/8"), ("vexcl", "launch/8")):
            self.assertNotEqual(f"absent {peer}" in context, f"{operation}:{peer}/" in listed, peer)

    def test_no_device_and_no_such_operation(self):
        code, _, _, said = run(YOKE_DEVICE="opencl:no such device")
        self.assertEqual(code, 1)
        self.assertIn("no such device", said)
        code, _, _, said = run("--benchmark_filter=nosuch")
        self.assertEqual(code, 1)
        self.assertIn("Failed to match", said)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
