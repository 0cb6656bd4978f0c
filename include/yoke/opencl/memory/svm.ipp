// SPDX-License-Identifier: MIT
// Bodies of opencl/memory/svm.hpp: blocks, their mappings, the checks that drivers leave out.
#ifndef YOKE_OPENCL_MEMORY_SVM_IPP
#define YOKE_OPENCL_MEMORY_SVM_IPP

#include <yoke/opencl/memory/svm.hpp>

#include <yoke/opencl/memory/counted_map.hpp>

#include <algorithm>
#include <bit>
#include <mutex>
#include <vector>

namespace yoke::inline v0_1::opencl::detail {

class svm_pool_block;

/// Foreign events, followed by own events, which it releases.
struct point_list {
  const port& with;
  std::vector<abi::event> all;
  std::size_t borrowed = 0;

  /// Effects: adds a marker after a stream's work; does nothing for a null stream.
  void add(abi::queue behind, const source_location& where) {
    if (behind == nullptr) return;
    all.reserve(all.size() + 1);
    all.push_back(with.record(behind, {}, where));
  }
  /// Effects: drops own events whose commands have ended. Requires: the list has no foreign events.
  void drop_passed(const source_location& where) {
    for (std::size_t i = all.size(); i-- > 0;) {
      const event_status now = with.status(all[i], where);
      if (now != event_status::complete && now != event_status::failed) continue;
      yoke::detail::report_release(with, with.release_event(all[i]));
      all.erase(all.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  ~point_list() {
    for (std::size_t i = borrowed; i < all.size(); ++i) {
      yoke::detail::report_release(with, with.release_event(all[i]));
    }
  }
};

template <class Context>
void* allocate_svm(const Context& in, const svm_request& request, const source_location& where) {
  abi::ulong flags = flags_of({.kernels = request.kernels});
  if (request.fine) flags |= abi::mem_svm_fine_grain_buffer;
  if (request.fine && request.atomics) flags |= abi::mem_svm_atomics;
  return in.port.svm_allocate_with(in.native, flags, request.bytes, request.alignment, where);
}

// Its sharers (owner, transfer, mapping) keep the context alive.
class svm_block final : public yoke::detail::use_notes {
 public:
  svm_block(const context& in, const svm_request& request, const stream* order, const source_location& where)
      : context_(in.state(where)), maps_(yoke::detail::make_map_count(context_.port.mapped_views())) {
    if (order != nullptr) stream_ = yoke::detail::retained_stream<port>(*order, where);
    address_ = yoke::detail::allocate_in(in.state(where), [&] { return allocate_svm(context_, request, where); });
    note_uses(true);
  }
  svm_block(const context& in, void* address, bool owned, const stream* order, const source_location& where)
      : context_(in.state(where)), maps_(yoke::detail::make_map_count(context_.port.mapped_views())) {
    if (order != nullptr) stream_ = yoke::detail::retained_stream<port>(*order, where);
    address_ = address;
    owned_ = owned;
    note_uses(owned);
  }
  /// A pool's block, used by one owner after the other.
  svm_block(const context& in, svm_pool_block& from)
      : pooled_(&from), context_(in.state({})), maps_(yoke::detail::make_map_count(context_.port.mapped_views())) {}
  svm_block(const svm_block&) = delete;
  svm_block& operator=(const svm_block&) = delete;
  ~svm_block() {
    note_uses(false);
    if (pooled_ != nullptr || !owned_) return;
    const port& with = context_.port;
    auto others = uses_.natives();
    abi::queue in = stream_.native_handle();
    if (in == nullptr && !others.empty()) {  // bound to no stream: freed after all users, in the newest of their
                                             // streams
      in = others.back();
      if (!is_loose_) others = others.first(others.size() - 1);
    }
    if (in != nullptr && !ended_.all.empty()) wait_for_ended(in);
    context_.report(in != nullptr ? with.svm_free_ordered(context_.native, address_, in, others)
                                  : with.svm_free(context_.native, address_));
  }
  void disown() noexcept { owned_ = false; }
  void record_use(const stream& order, const source_location& where) {
    if (!is_of(order)) uses_.add(order, where);
  }
  /// Effects: notes a stream, unless the block is a pool's or borrowed.
  void use(abi::queue in, const source_location& where) {
    if (maps_->notes.load(yoke::detail::order::relaxed) != nullptr) note(in, where);
  }
  // Launches and copies of several threads may use the memory at once.
  void note(void* native_stream, const source_location& where) override {
    auto* const queue = static_cast<abi::queue>(native_stream);
    if (queue == stream_.native_handle() || last_.load(yoke::detail::order::acquire) == queue) return;
    const std::lock_guard lock(noting_);
    // `kernel.enqueue` also takes out-of-order queues: the free then needs a barrier.
    if (!is_loose_) is_loose_ = context_.port.stream_is_out_of_order(queue, where);
    if (uses_.natives().size() >= many_) drop_ended(where);
    uses_.add(context_, queue, where);
    last_.store(queue, yoke::detail::order::release);
  }
  /// Effects: resets the block for the next owner: spans of the previous one no longer ask about it. Requires: nobody
  /// maps it.
  void begin_anew() noexcept {
    maps_->generation.store(maps_->generation.load(yoke::detail::order::relaxed) + 1, yoke::detail::order::relaxed);
  }
  [[nodiscard]] yoke::detail::stream_uses<port>& uses() noexcept { return uses_; }
  void place(void* address) noexcept { address_ = address; }
  [[nodiscard]] bool is_pooled() const noexcept { return pooled_ != nullptr; }
  [[nodiscard]] svm_pool_block& pooled() const noexcept { return *pooled_; }
  [[nodiscard]] bool is_owned() const noexcept { return owned_; }
  /// Effects: enqueues the free after events and all streams that use the block, which then frees nothing.
  event free_later(const stream& order, std::span<const abi::event> after, const source_location& where) {
    const port& with = context_.port;
    ended_.drop_passed(where);
    std::vector<abi::event> known{after.begin(), after.end()};
    known.insert(known.end(), ended_.all.begin(), ended_.all.end());
    const std::size_t borrowed = known.size();
    point_list points{with, std::move(known), borrowed};
    const auto wait_for = [&](abi::queue other) {
      if (other != order.native_handle()) points.add(other, where);
    };
    wait_for(stream_.native_handle());
    for (const abi::queue other : uses_.natives()) wait_for(other);
    event done = event::own(order.origin(), with.svm_free_later(order.native_handle(), address_, points.all, where));
    owned_ = false;
    return done;
  }
  /// Effects: from now on the block is freed in that stream's order, which waits for the previously bound stream; null
  /// means after all users.
  void bind(const stream* order, const source_location& where) {
    const port& with = context_.port;
    const abi::queue before = stream_.native_handle();
    if (order == nullptr) {
      if (before == nullptr) return;
      uses_.add(context_, before, where);
      stream_ = {};
      return;
    }
    if (before == order->native_handle()) return;
    yoke::detail::retained_stream<port> next(*order, where);
    if (before != nullptr) {
      point_list points{with, {}};
      points.add(before, where);
      with.wait_in_stream(order->native_handle(), points.all, where);
    }
    stream_ = std::move(next);
  }
  /// Effects: frees the block now, even if it is in use.
  void free_now() noexcept {
    owned_ = false;
    context_.report(context_.port.svm_free(context_.native, address_));
  }
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] const yoke::detail::map_count& maps() const noexcept { return maps_; }

 private:
  /// Effects: replaces each stream that only this keeps alive by a marker after its work, until that is done. So memory
  /// that outlives many streams keeps few of them.
  void drop_ended(const source_location& where) {
    const port& with = context_.port;
    ended_.drop_passed(where);
    uses_.drop_if([&](abi::queue each) {
      if (with.stream_references(each, where) != 1) return false;
      ended_.add(each, where);
      with.flush(each, where);
      return true;
    });
    many_ = (std::max)(std::size_t{few}, 2 * uses_.natives().size());
  }
  /// Effects: makes a stream wait for the markers, or this thread if the stream refuses. Failed work counts as ended,
  /// too.
  void wait_for_ended(abi::queue in) noexcept {
    const port& with = context_.port;
    try {
      ended_.drop_passed({});
      return with.wait_in_stream(in, ended_.all, {});
    } catch (...) {
      yoke::detail::report_pool_failure();
    }
    for (const abi::event each : ended_.all) {
      try {
        with.wait(each, {});
      } catch (...) {  // as above
      }
    }
  }
  /// Effects: sets whether launches, copies and maps report the streams in which they use the block.
  void note_uses(bool on) noexcept { maps_->notes.store(on ? this : nullptr, yoke::detail::order::relaxed); }
  /// Whether the block is freed in that stream's order.
  [[nodiscard]] bool is_of(const stream& order) const noexcept;

  svm_pool_block* pooled_ = nullptr;
  yoke::detail::context_view<port> context_;
  yoke::detail::map_count maps_;
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::stream_uses<port> uses_;
  static constexpr std::size_t few = 16;
  std::mutex noting_;
  std::size_t many_ = few;                          // number of streams from which ended ones are searched for
  bool is_loose_ = false;                           // a stream in `uses_` may be out-of-order
  point_list ended_{context_.port, {}};             // markers after the work of ended streams
  yoke::detail::atomic<abi::queue> last_{nullptr};  // the last noted stream; kept alive, so that no other stream gets
                                                    // its address
  void* address_ = nullptr;
  bool owned_ = true;
};

/// A block that a pool of SVM keeps. Owner, transfers and views share it; the last of them returns it.
class svm_pool_block final : public yoke::detail::pool_block, public yoke::detail::shared_count {
 public:
  explicit svm_pool_block(const opencl::context& of) : shared_count(&go_back), memory(of, *this), in_(of) {}

  /// Effects: enqueues a marker after events and all streams that use the block; its next owner waits for that.
  event free_later(const stream& order, std::span<const abi::event> after, const source_location& where) {
    const port& with = order.context_of().port(where);
    const bool in_order = yoke::detail::block_pool::is_of(*this, order.slot());
    const auto home = in_order ? nullptr : yoke::detail::block_pool::point_behind(*this, where);
    point_list points{with, {after.begin(), after.end()}, after.size()};
    if (home != nullptr) {
      points.all.push_back(static_cast<yoke::detail::event_point<port>&>(*home).native_handle());
      ++points.borrowed;
    }
    for (const abi::queue other : memory.uses().natives()) points.add(other, where);
    event done = event::own(order.origin(), with.record(order.native_handle(), points.all, where));
    if (!in_order || !points.all.empty()) {
      with.retain_event(done.native_handle(), where);
      add_point(yoke::detail::event_point<port>::own(in_, done.native_handle()));
      memory.uses() = {};
    }
    return done;
  }
  /// Effects: a stream waits for the one that was bound before; the next owner waits for both.
  void bind(const stream& order, const source_location& where) {
    if (yoke::detail::block_pool::is_of(*this, order.slot())) return;
    if (const auto home = yoke::detail::block_pool::point_behind(*this, where)) {
      const abi::event before = static_cast<yoke::detail::event_point<port>&>(*home).native_handle();
      in_.port(where).wait_in_stream(order.native_handle(), std::span(&before, 1), where);
    }
    memory.record_use(order, where);
  }

  svm_block memory;

 private:
  static void go_back(shared_count* count) noexcept {
    auto& self = static_cast<svm_pool_block&>(*count);
    if (!self.memory.is_owned()) return yoke::detail::block_pool::give_away(self);
    if (!self.memory.uses().natives().empty()) yoke::detail::record_uses(self.in_, self.memory.uses(), self);
    self.memory.begin_anew();
    self.owners.store(1, yoke::detail::order::relaxed);  // for the next owner; the pool's lock orders the two
    yoke::detail::block_pool::give_back(self);
  }

  const opencl::context& in_;  // the pool's
};

inline bool svm_block::is_of(const stream& order) const noexcept {
  return pooled_ != nullptr ? yoke::detail::block_pool::is_of(*pooled_, order.slot())
                            : order.native_handle() == stream_.native_handle();
}

svm_pool_state::svm_pool_state(const opencl::context& in, const pool_options& options, const svm_options& of_blocks,
                               bool fine, bool atomics, ending with)
    : context_pool<port>(in, options, fine, with), of_blocks_(of_blocks), fine_(fine), atomics_(atomics) {
  check_svm_support(in, fine, atomics, {});
}
yoke::detail::pool_block& svm_pool_state::make(std::size_t bytes, const void*, const source_location& where) {
  constexpr std::size_t widest = 128;  // of double16
  auto made = yoke::detail::make_owner<svm_pool_block>(context);
  const svm_request request{bytes, (std::max)(widest, of_blocks_.alignment), of_blocks_.kernels, fine_, atomics_};
  made->memory.place(allocate_svm(context.state(where), request, where));
  return *made.release();
}
void svm_pool_state::end(yoke::detail::pool_block& idle, yoke::detail::pool_stream* home) noexcept {
  const auto& in = *context.shared();
  void* const address = static_cast<svm_pool_block&>(idle).memory.address();
  if (home != nullptr) {
    const auto order = static_cast<yoke::detail::pool_stream_of<port>*>(home)->native_handle();
    in.report(in.port.svm_free_ordered(in.native, address, order, {}));
  } else {
    in.report(in.port.svm_free(in.native, address));
  }
  forget(idle);
}
void svm_pool_state::forget(yoke::detail::pool_block& gone) noexcept { delete &static_cast<svm_pool_block&>(gone); }

class svm_mapping final : public mapping {
 public:
  svm_mapping(yoke::detail::shared<svm_block> block, const stream& order, std::size_t offset, std::size_t bytes,
              map_mode mode, map_later* later, const source_location& where)
      : context_(order.context_of()),
        stream_(order, where),
        block_(std::move(block)),
        counted_(block_->maps(), mode, where),
        address_(static_cast<std::byte*>(block_->address()) + offset) {
    const port& with = context_.state().port;
    block_->use(order.native_handle(), where);
    if (later == nullptr) {
      with.svm_map(order.native_handle(), address_, bytes, mode, true, where);
      return;
    }
    const auto after = later->after.view(order.context_of(), where);
    later->done =
        event::own(order.origin(), with.svm_map_later(order.native_handle(), address_, bytes, mode, after, where));
  }
  event end(const stream* order, const wait_list& after, const source_location& where) override {
    if (order != nullptr) {
      check_map_stream(*order, context_.get().native_handle(), where);
      block_->use(order->native_handle(), where);
    }
    yoke::detail::retained_stream<port> last;
    if (order != nullptr) last = {*order, where};
    const abi::event done =
        context_.state().port.svm_unmap_later(order != nullptr ? order->native_handle() : stream_.native_handle(),
                                              address_, after.view(context_.get(), where), where);
    ended_ = true;
    if (order != nullptr) stream_ = std::move(last);
    return own_event(context_, order, done);
  }
  ~svm_mapping() override {
    if (!ended_) context_.report(context_.state().port.svm_unmap(stream_.native_handle(), address_));
  }

 private:
  yoke::detail::context_reference<port> context_;
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::shared<svm_block> block_;
  counted_map counted_;
  std::byte* address_;
  bool ended_ = false;
};

void check_svm_alignment(std::size_t alignment, const source_location& where) {
  if (!std::has_single_bit(alignment)) {
    yoke::detail::throw_error(errc::misaligned, where, "an alignment of ", alignment, " bytes is no power of two");
  }
  constexpr std::size_t most = std::size_t{1} << 31;  // the driver takes 32 bits
  if (alignment > most) {
    yoke::detail::throw_error(errc::misaligned, where, "an alignment of ", alignment, " bytes exceeds the ", most,
                              " that there can be");
  }
}
yoke::detail::shared<svm_block> make_svm_block(const context& in, const svm_request& request, const stream* order,
                                               const source_location& where) {
  check_svm_alignment(request.alignment, where);
  return yoke::detail::make_shared<svm_block>(in, request, order, where);
}
yoke::detail::shared<svm_block> take_svm_block(const context& in, void* address, bool owned, const stream* order,
                                               const source_location& where) {
  return yoke::detail::make_shared<svm_block>(in, address, owned, order, where);
}
yoke::detail::shared<svm_block> take_svm_block(svm_pool_state& pool, std::size_t bytes, const stream& order,
                                               const source_location& where) {
  auto& taken = static_cast<svm_pool_block&>(*yoke::detail::take_in_order<port>(pool, bytes, order, where));
  return {&taken.memory, &taken};
}
void disown_svm_block(svm_block& block) noexcept { block.disown(); }
void* svm_address(const svm_block& block) noexcept { return block.address(); }
const yoke::detail::map_count& svm_maps(const svm_block& block) noexcept { return block.maps(); }

void svm_record_use(svm_block& block, const stream& order, const source_location& where) {
  block.record_use(order, where);
}

yoke::detail::owner<mapping> map_svm(const yoke::detail::shared<svm_block>& block, const stream& order,
                                     std::size_t offset, std::size_t bytes, map_mode mode, map_later* later,
                                     const source_location& where) {
  return yoke::detail::make_owner<svm_mapping>(block, order, offset, bytes, mode, later, where);
}

/// Throws: `logic_error` for memory that its owner cannot free, or that has other users.
inline void check_svm_free(const yoke::detail::shared<svm_block>& block, const source_location& where) {
  if (!block->is_owned()) {
    yoke::detail::throw_error(errc::invalid_argument, "borrowed shared virtual memory is not freed", where);
  }
  if (block.use_count() != 1) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "a view, a transfer or a buffer still uses this shared virtual memory", where);
  }
}

event free_svm_later(const yoke::detail::shared<svm_block>& block, const stream& order, const wait_list& after,
                     const source_location& where) {
  check_svm_free(block, where);
  const auto points = after.view(order.context_of(), where);
  return block->is_pooled() ? block->pooled().free_later(order, points, where)
                            : block->free_later(order, points, where);
}
void free_svm_now(const yoke::detail::shared<svm_block>& block, const source_location& where) {
  check_svm_free(block, where);
  if (block->is_pooled()) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "memory of a pool goes back to it in a stream's order: use reset or free_async", where);
  }
  block->free_now();
}
void bind_svm(svm_block& block, const stream* order, const source_location& where) {
  if (block.is_pooled() && order == nullptr) {
    yoke::detail::throw_error(errc::invalid_argument, "memory of a pool is always freed in a stream's order", where);
  }
  if (block.is_pooled()) return block.pooled().bind(*order, where);
  block.bind(order, where);
}

void check_svm_support(const context& in, bool fine, bool atomics, const source_location& where) {
  for (const device& each : in.devices(where)) {
    const svm_support support = each.port().svm(each.native_handle(), where);
    if (fine ? support.fine && (support.atomics || !atomics) : support.coarse) continue;
    const char* grain = !fine ? "coarse-grained" : atomics ? "fine-grained, atomic" : "fine-grained";
    yoke::detail::throw_error(errc::unsupported, where, each.name(where), " has no ", grain, " shared virtual memory");
  }
}

void check_svm_use(const context& of, const stream& order, const source_location& where) {
  if (!of) {
    yoke::detail::throw_error(errc::empty_handle, "this SVM allocation is empty (moved from or never set)", where);
  }
  if (!order) yoke::detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (!(order.context_of() == of)) {
    yoke::detail::throw_error(errc::wrong_context, "the stream is of another context than the SVM allocation", where);
  }
}

}  // namespace yoke::inline v0_1::opencl::detail

#endif
