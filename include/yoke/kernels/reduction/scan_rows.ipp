// SPDX-License-Identifier: MIT
// The kernel of a scan in which each thread scans a short row.
R"yoke(// Its macros are those of a scan, and YOKE_SCAN_ROLLED: 1 where no loop may be unrolled.
YOKE_KERNEL yoke_x_scan_rows(YOKE_SCAN_PARAMETERS yoke_x_steps steps) {
  yoke_int64 row = (yoke_int64)get_global_id(0);
  if (row >= steps.results) return;
  YOKE_X_INDEX result = (YOKE_X_INDEX)row;
  YOKE_SCAN_PLACES
  yoke_x_part prior = yoke_x_neutral();
#if YOKE_SCAN_ROLLED
  YOKE_UNROLL(1)
#endif
  for (YOKE_X_INDEX i = 0; i < (YOKE_X_INDEX)steps.count; ++i) {
    yoke_x_part next;
    YOKE_SCAN_LOAD
    yoke_x_part item = yoke_x_join(prior, next);
#if YOKE_SCAN_INCLUSIVE
    yoke_x_part kept = item;
#else
#if YOKE_SCAN_SEGMENTS
    if (next.s != 0) prior = yoke_x_neutral();
#endif
    yoke_x_part kept = prior;
#endif
    YOKE_SCAN_STORE
    prior = item;
  }
}
)yoke"
