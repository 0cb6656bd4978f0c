// SPDX-License-Identifier: MIT
// Bodies of opencl/svm.hpp: blocks, their mappings, the checks that drivers leave out.
#ifndef YOKE_OPENCL_IMPL_SVM_IPP
#define YOKE_OPENCL_IMPL_SVM_IPP

#include <yoke/opencl/impl/map.ipp>
#include <yoke/opencl/svm.hpp>

namespace yoke::inline YOKE_ABI::opencl::detail {

/// A block that a pool of SVM keeps.
class svm_pool_block final : public yoke::detail::pool_block {
 public:
  explicit svm_pool_block(const opencl::context& of) noexcept : in(of) {}
  const opencl::context& in;  // the pool's
  void* address = nullptr;
};

YOKE_INLINE svm_pool_state::svm_pool_state(const opencl::context& in, const pool_options& options, bool fine,
                                           bool atomics, ending with)
    : pool_base<port>(in, options, fine, with), fine_(fine), atomics_(atomics) {
  check_svm_support(in, fine, atomics, {});
}
YOKE_INLINE yoke::detail::pool_block& svm_pool_state::make(std::size_t bytes, const void*,
                                                           const source_location& where) {
  constexpr std::size_t widest = 128;  // of double16
  auto made = yoke::detail::make_owner<svm_pool_block>(context);
  made->address = context.port(where).svm_allocate(context.native_handle(), bytes, widest, fine_, atomics_, where);
  return *made.release();
}
YOKE_INLINE void svm_pool_state::end(yoke::detail::pool_block& idle, yoke::detail::pool_stream* home) noexcept {
  const auto& in = *context.shared();
  void* const address = static_cast<svm_pool_block&>(idle).address;
  if (home != nullptr) {
    const auto order = static_cast<yoke::detail::pool_stream_of<port>*>(home)->native_handle();
    in.report(in.port.svm_free_ordered(in.native, address, order, {}));
  } else {
    in.report(in.port.svm_free(in.native, address));
  }
  forget(idle);
}
YOKE_INLINE void svm_pool_state::forget(yoke::detail::pool_block& gone) noexcept {
  delete &static_cast<svm_pool_block&>(gone);
}

// Its context is kept by the owner, the transfer or the mapping that shares it.
class svm_block {
 public:
  svm_block(const context& in, std::size_t bytes, std::size_t alignment, bool fine, bool atomics, const stream* order,
            const source_location& where)
      : context_(in.state(where)), maps_(yoke::detail::make_map_count(context_.port.mapped_views())) {
    if (order != nullptr) stream_ = yoke::detail::retained_stream<port>(*order, where);
    address_ = context_.port.svm_allocate(context_.native, bytes, alignment, fine, atomics, where);
  }
  svm_block(const context& in, void* address, bool owned, const stream* order, const source_location& where)
      : context_(in.state(where)), maps_(yoke::detail::make_map_count(context_.port.mapped_views())) {
    if (order != nullptr) stream_ = yoke::detail::retained_stream<port>(*order, where);
    address_ = address;
    owned_ = owned;
  }
  explicit svm_block(svm_pool_block& from)
      : pooled_(&from),
        context_(*from.in.shared()),
        maps_(yoke::detail::make_map_count(context_.port.mapped_views())),
        address_(from.address) {}
  svm_block(const svm_block&) = delete;
  svm_block& operator=(const svm_block&) = delete;
  ~svm_block() {
    if (pooled_ != nullptr && owned_) {
      yoke::detail::record_uses(pooled_->in, uses_, *pooled_);
      yoke::detail::pool_core::give_back(*pooled_);
    } else if (pooled_ != nullptr) {
      yoke::detail::pool_core::give_away(*pooled_);
    }
    if (pooled_ != nullptr) return;
    if (!owned_) return;
    const port& with = context_.port;
    context_.report(ordered()
                        ? with.svm_free_ordered(context_.native, address_, stream_.native_handle(), uses_.natives())
                        : with.svm_free(context_.native, address_));
  }
  void disown() noexcept { owned_ = false; }
  /// Effects: from now on the block is freed in the stream's order.
  void order_by(yoke::detail::retained_stream<port>&& order) noexcept { stream_ = std::move(order); }
  void record_use(const stream& order, const source_location& where) {
    if (pooled_ != nullptr ? yoke::detail::pool_core::is_of(*pooled_, order.slot())
                           : order.native_handle() == stream_.native_handle())
      return;
    uses_.add(order, where);
  }
  [[nodiscard]] bool ordered() const noexcept { return pooled_ != nullptr || stream_.native_handle() != nullptr; }
  [[nodiscard]] void* address() const noexcept { return address_; }
  [[nodiscard]] const yoke::detail::map_count& maps() const noexcept { return maps_; }

 private:
  svm_pool_block* pooled_ = nullptr;
  yoke::detail::context_view<port> context_;
  yoke::detail::map_count maps_;
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::stream_uses<port> uses_;
  void* address_ = nullptr;
  bool owned_ = true;
};

class svm_mapping final : public mapping {
 public:
  svm_mapping(yoke::detail::shared<svm_block> block, const stream& order, std::size_t bytes, map_mode mode,
              const source_location& where)
      : context_(order.context_of()),
        stream_(order, where),
        block_(std::move(block)),
        counted_(block_->maps(), mode, where) {
    context_.state().port.svm_map(order.native_handle(), block_->address(), bytes, mode, true, where);
  }
  ~svm_mapping() override {
    context_.report(context_.state().port.svm_unmap(stream_.native_handle(), block_->address()));
    // The view outlived its allocation: memory that is freed at once must still be freed behind the unmapping.
    if (!block_->ordered() && block_.use_count() == 1) block_->order_by(std::move(stream_));
  }

 private:
  yoke::detail::context_reference<port> context_;
  yoke::detail::retained_stream<port> stream_;
  yoke::detail::shared<svm_block> block_;
  counted_map counted_;
};

YOKE_INLINE yoke::detail::shared<svm_block> make_svm_block(const context& in, std::size_t bytes, std::size_t alignment,
                                                           bool fine, bool atomics, const stream* order,
                                                           const source_location& where) {
  return yoke::detail::make_shared<svm_block>(in, bytes, alignment, fine, atomics, order, where);
}
YOKE_INLINE yoke::detail::shared<svm_block> take_svm_block(const context& in, void* address, bool owned,
                                                           const stream* order, const source_location& where) {
  return yoke::detail::make_shared<svm_block>(in, address, owned, order, where);
}
YOKE_INLINE yoke::detail::shared<svm_block> take_svm_block(svm_pool_state& pool, std::size_t bytes, const stream& order,
                                                           const source_location& where) {
  auto& taken = static_cast<svm_pool_block&>(*yoke::detail::take_in_order<port>(pool, bytes, order, where));
  try {
    return yoke::detail::make_shared<svm_block>(taken);
  } catch (...) {
    yoke::detail::pool_core::give_back(taken);
    throw;
  }
}
YOKE_INLINE void disown_svm_block(svm_block& block) noexcept { block.disown(); }
YOKE_INLINE void* svm_address(const svm_block& block) noexcept { return block.address(); }
YOKE_INLINE const yoke::detail::map_count& svm_maps(const svm_block& block) noexcept { return block.maps(); }

YOKE_INLINE void svm_record_use(svm_block& block, const stream& order, const source_location& where) {
  if (!block.ordered()) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "this memory is freed at once, not in a stream's order: make it with {ctx, n, stream}",
                              where);
  }
  block.record_use(order, where);
}

YOKE_INLINE yoke::detail::owner<mapping> map_svm(const yoke::detail::shared<svm_block>& block, const stream& order,
                                                 std::size_t bytes, map_mode mode, const source_location& where) {
  return yoke::detail::make_owner<svm_mapping>(block, order, bytes, mode, where);
}

YOKE_INLINE void check_svm_support(const context& in, bool fine, bool atomics, const source_location& where) {
  for (const device& each : in.devices(where)) {
    const svm_support support = each.port().svm(each.native_handle(), where);
    if (fine ? support.fine && (support.atomics || !atomics) : support.coarse) continue;
    const char* grain = !fine ? "coarse-grained" : atomics ? "fine-grained, atomic" : "fine-grained";
    yoke::detail::throw_error(errc::unsupported, where, each.name(where), " has no ", grain, " shared virtual memory");
  }
}

YOKE_INLINE void check_svm_use(const context& of, const stream& order, const source_location& where) {
  if (!of) {
    yoke::detail::throw_error(errc::empty_handle, "this SVM allocation is empty (moved from or never set)", where);
  }
  if (!order) yoke::detail::throw_error(errc::empty_handle, "the stream is empty (moved from or never made)", where);
  if (!(order.context_of() == of)) {
    yoke::detail::throw_error(errc::wrong_context, "the stream is of another context than the SVM allocation", where);
  }
}

}  // namespace yoke::inline YOKE_ABI::opencl::detail

#endif
