// SPDX-License-Identifier: MIT
// Bodies of cuda/memory/growing_allocation.hpp.
#ifndef YOKE_CUDA_MEMORY_GROWING_ALLOCATION_IPP
#define YOKE_CUDA_MEMORY_GROWING_ALLOCATION_IPP

#include <yoke/cuda/memory/growing_allocation.hpp>

#include <yoke/cuda/memory/memory_mapping.hpp>

#include <algorithm>

namespace yoke::inline v0_1::cuda::detail {

growing_memory::growing_memory(const context& in, std::size_t bytes, const source_location& where) {
  if (bytes == 0) {
    yoke::detail::throw_error(errc::invalid_argument,
                              "a growing allocation of 0 elements at most: it reserves addresses for one at least",
                              where);
  }
  range_ = address_range(in, bytes, {}, where);
  address_ = range_.native_handle();
}

growing_memory::growing_memory(growing_memory&& other) noexcept { swap(other); }
growing_memory& growing_memory::operator=(growing_memory&& other) noexcept {
  if (this != &other) {
    end();
    swap(other);
  }
  return *this;
}
growing_memory::~growing_memory() { end(); }
void growing_memory::swap(growing_memory& other) noexcept {
  std::swap(range_, other.range_);
  std::swap(blocks_, other.blocks_);
  std::swap(peers_, other.peers_);
  std::swap(mapped_, other.mapped_);
  std::swap(address_, other.address_);
}

void growing_memory::end() noexcept {
  while (!blocks_.empty()) blocks_.pop_back();
  peers_.clear();
  range_.reset();
  mapped_ = 0;
  address_ = 0;
}

void growing_memory::grow_to(std::size_t bytes, const source_location& where) {
  if (bytes <= mapped_) return;
  const context& in = range_.context_of(where);
  blocks_.reserve(blocks_.size() + 1);
  memory_mapping added(range_, mapped_, physical_memory(in, bytes - mapped_, {}, where), where);
  if (!peers_.empty()) {
    in.port(where).set_access(in.native_handle(), added.native_handle(), added.size_bytes(), peers_, where);
  }
  mapped_ += added.size_bytes();
  blocks_.push_back(std::move(added));
}

void growing_memory::shrink_to(std::size_t bytes) {
  while (!blocks_.empty() && mapped_ - blocks_.back().size_bytes() >= bytes) {
    mapped_ -= blocks_.back().size_bytes();
    blocks_.pop_back();
  }
}

void growing_memory::allow_access(const device& peer, const source_location& where) {
  const context& in = range_.context_of(where);
  const abi::access_descriptor wanted = access_for(peer.native_handle(), memory_access_flags::read_write);
  const auto is_same = [&](const abi::access_descriptor& each) { return each.location.id == wanted.location.id; };
  if (std::any_of(peers_.begin(), peers_.end(), is_same)) return;
  peers_.reserve(peers_.size() + 1);
  if (mapped_ != 0) in.port(where).set_access(in.native_handle(), address_, mapped_, {&wanted, 1}, where);
  peers_.push_back(wanted);
}

std::size_t checked_growth(std::size_t count, std::size_t limit, const source_location& where) {
  if (count <= limit) return count;
  yoke::detail::throw_error(errc::out_of_range, where, "a growing allocation of ", count,
                            " elements: addresses are reserved for ", limit);
}

}  // namespace yoke::inline v0_1::cuda::detail

#endif
