// SPDX-License-Identifier: MIT
// Smooths numbers with their neighbours within a block: plain OpenCL C, as examples/run_opencl_c.cpp takes it.
__constant float4 weights = (float4)(0.25f, 0.5f, 0.25f, 0.0f);

__kernel void smooth(__global float* out, __global const float* in, __local float* tile, const int count) {
  const int i = get_global_id(0), here = get_local_id(0), last = get_local_size(0) - 1;
  tile[here] = in[min(i, count - 1)];
  barrier(CLK_LOCAL_MEM_FENCE);
  const float3 near = (float3)(tile[max(here - 1, 0)], tile[here], tile[min(here + 1, last)]);
  if (i < count) out[i] = dot(near, weights.xyz);
}

__kernel void pairs(__global float* out, __global const float* in, const int count) {
  __local float2 both[64];
  const int i = get_global_id(0), here = get_local_id(0);
  both[here] = (float2)(i < count ? in[i] : 0.0f, 1.0f);
  barrier(CLK_LOCAL_MEM_FENCE);
  const float2 sum = both[here] + both[here ^ 1];
  if (i < count) out[i] = sum.x / sum.y;
}
