// SPDX-License-Identifier: MIT
// Features of CUDA's streams: the two default streams, priority, id.
#ifndef YOKE_CUDA_DEVICE_STREAM_HPP
#define YOKE_CUDA_DEVICE_STREAM_HPP

#include <yoke/cuda/device/context.hpp>

namespace yoke::inline v0_1::cuda {

/// A default stream of a context. Use it as any other stream; it is also a scope like `ctx.activate()`.
///
/// The driver's default streams have no object of their own: the handles 1 and 2 mean those of the current context. So
/// a `default_stream` keeps its context current on the thread that made it, and belongs to that thread. Default streams
/// and guards end in the reverse order of their construction. Memory allocated in its order may outlive it.
class default_stream : public stream {
 public:
  YOKE_API default_stream() noexcept;
  YOKE_API default_stream(active_context&& active, stream&& borrowed) noexcept;
  YOKE_API default_stream(default_stream&&) noexcept;
  YOKE_API default_stream& operator=(default_stream&&) noexcept;
  YOKE_API ~default_stream();  // handles commands still in the stream while the context is current

 private:
  active_context active_;
};

/// The stream that all blocking streams of the context synchronise with: the runtime API's default one.
/// Throws: `error`. Thread safety: as `ctx.activate()`. Wraps `CU_STREAM_LEGACY`.
[[nodiscard]] YOKE_API default_stream legacy_stream(const context& of,
                                                    const source_location& where = source_location::current());
/// The calling thread's own default stream. Throws, thread safety: as above. Wraps `CU_STREAM_PER_THREAD`.
[[nodiscard]] YOKE_API default_stream per_thread_stream(const context& of,
                                                        const source_location& where = source_location::current());

/// A stream's priority; the driver clamps it to the range of `stream_priorities`.
/// Throws: `logic_error` when empty; `error`. Thread safety: safe. Wraps `cuStreamGetPriority`.
[[nodiscard]] YOKE_API int priority_of(const stream& of, const source_location& where = source_location::current());
/// Whether a stream does not synchronise with the legacy default stream. Throws, thread safety: as above.
/// Wraps `cuStreamGetFlags`.
[[nodiscard]] YOKE_API bool is_non_blocking(const stream& of,
                                            const source_location& where = source_location::current());
/// A number that is unique among all streams of the process, also later ones. Throws, thread safety: as above. Wraps
/// `cuStreamGetId`.
[[nodiscard]] YOKE_API std::uint64_t id_of(const stream& of, const source_location& where = source_location::current());

}  // namespace yoke::inline v0_1::cuda

#if defined(YOKE_IMPLEMENTATION)
#include <yoke/cuda/device/stream.ipp>
#endif

#endif
