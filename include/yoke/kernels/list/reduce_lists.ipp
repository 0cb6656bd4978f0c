// SPDX-License-Identifier: MIT
// Joins the elements of each list.
R"yoke(// Before it stand yoke_x_part and its functions, and the macros
//   YOKE_JOIN_FROM                    the type of elements in memory
//   YOKE_JOIN_NUMBER                  the type in which they are read
//   YOKE_JOIN_TO                      the type of results in memory
//   YOKE_JOIN_LOAD(from, at)          loads an element from memory
//   YOKE_JOIN_CONVERT(value)          converts an element to an accumulator
//   YOKE_JOIN_STORE(value, to, at)    a statement that stores an accumulator

// `lanes` threads of a block join each list.
YOKE_KERNEL YOKE_WORK_GROUP_SIZE(256, 1, 1) yoke_i_reduce(YOKE_GLOBAL YOKE_JOIN_TO* to, YOKE_GLOBAL const YOKE_JOIN_FROM* from,
                                                          YOKE_GLOBAL const yoke_int64* starts, yoke_int64 count,
                                                          yoke_int64 lanes, yoke_int64 size) {
  YOKE_LOCAL yoke_x_part part[256];
  uint here = (uint)get_local_id(0), lane = here % (uint)lanes;
  yoke_int64 own = 256 / lanes;
  for (yoke_int64 first = (yoke_int64)get_group_id(0) * own; first < count; first += (yoke_int64)get_num_groups(0) * own) {
    yoke_int64 list = first + here / (uint)lanes;
    yoke_x_part joined = yoke_x_neutral();
    if (list < count) {
      yoke_int64 begin = starts[list], end = starts[list + 1];
      if (begin < 0) begin = 0;
      if (end > size) end = size;
      // Unrolled by NVIDIA's compiler, the greatest of negated integers loses a minus sign.
      YOKE_UNROLL(1)
      for (yoke_int64 i = begin + lane; i < end; i += lanes) {
        YOKE_JOIN_NUMBER value = YOKE_JOIN_LOAD(from, i);
        yoke_x_part next;
        next.f = YOKE_JOIN_CONVERT(value);
        joined = yoke_x_join(joined, next);
      }
    }
    part[here] = joined;
    YOKE_UNROLL(1)
    for (uint apart = (uint)lanes / 2; apart > 0; apart /= 2) {
      YOKE_BARRIER_LOCAL();
      if (lane < apart) part[here] = yoke_x_join(part[here], part[here + apart]);
    }
    if (lane == 0 && list < count) YOKE_JOIN_STORE(part[here].f, to, list);
    YOKE_BARRIER_LOCAL();
  }
}
)yoke"
