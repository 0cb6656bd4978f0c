// SPDX-License-Identifier: MIT
// How a thread waits for others in OpenCL C: without a pause.
R"yoke(//part waiting
//words yoke_pause
#define yoke_pause(nanoseconds) ((void)(nanoseconds))
)yoke"
