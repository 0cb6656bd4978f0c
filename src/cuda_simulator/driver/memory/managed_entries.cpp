// SPDX-License-Identifier: MIT
// Entries about managed memory: allocation, attachment to streams, prefetches, advice and queries. Codes as measured on
// 580.159.
#include <algorithm>
#include <cstring>
#include <vector>

#include "driver/entries.hpp"
#include "machine/base/call.hpp"
#include "machine/base/ledger.hpp"
#include "machine/base/settings.hpp"
#include "machine/base/state.hpp"
#include "machine/device/device.hpp"
#include "machine/graph/capture.hpp"
#include "machine/memory/managed_memory.hpp"
#include "machine/memory/memory.hpp"
#include "machine/stream/context.hpp"
#include "machine/stream/stream.hpp"
#include "machine/work/submission.hpp"

namespace yoke::simulator::entries {

abi::status mem_alloc_managed(abi::device_pointer* result, std::size_t bytes, unsigned flags) {
  return entry([&] {
    context& current = current_context();
    require(result != nullptr && bytes != 0 && (flags == abi::attach_global || flags == abi::attach_host));
    memory_block& made = state<memory_table>().allocate(current, bytes, memory_kind::managed, flags);
    made.managed = std::make_shared<managed_pages>();
    *result = note_allocation(object_kind::device_memory, made);
  });
}

// All memory is host memory, so an attachment changes nothing.
abi::status stream_attach_mem_async(abi::stream on, abi::device_pointer pointer, std::size_t bytes, unsigned flags) {
  return stream_entry(on, [&] {
    stream& in = stream_of(on);
    if (flags == 0) say("cuStreamAttachMemAsync with no flag, which makes drivers crash");
    require(flags == abi::attach_global || flags == abi::attach_host || flags == abi::attach_single);
    require(flags != abi::attach_single || on != nullptr);
    const memory_block& block = state<memory_table>().require_block(pointer);
    require(block.managed != nullptr && block.base == pointer && (bytes == 0 || bytes == block.bytes));
    submit(in, command{});
  });
}

namespace {

/// Returns: the pages of a range that is within managed memory. Throws: refusal.
managed_pages& managed_range(abi::device_pointer pointer, std::size_t bytes) {
  require(bytes != 0);
  const memory_block& block = state<memory_table>().require_range(pointer, bytes);
  require(block.managed != nullptr);
  return *block.managed;
}

bool is_device(int ordinal) {
  return ordinal >= 0 && static_cast<std::size_t>(ordinal) < state<device_state>().devices.size();
}

/// Returns: the location that the form of 8000 names. Throws: refusal.
page_location place_of(abi::device device) {
  if (device == abi::device_cpu) return {abi::memory_location_type::host, -1};
  require(is_device(device), abi::error_invalid_device);
  return {abi::memory_location_type::device, device};
}

/// Returns: the location that the form of 12020 names. Throws: refusal.
page_location place_of(abi::memory_location at, abi::status no_such_device) {
  using enum abi::memory_location_type;
  switch (at.type) {
    case device: require(is_device(at.id), no_such_device); return {device, at.id};
    case host: return {host, -1};
    case host_numa: require(at.id == 0); return {host_numa, 0};
    case host_numa_current: return {host_numa_current, -1};
    case invalid: break;
  }
  refuse(abi::error_invalid_value);
}

template <class Place>
void prefetch(abi::device_pointer pointer, std::size_t bytes, abi::stream on, Place&& place) {
  stream& in = stream_of(on);
  managed_pages& pages = managed_range(pointer, bytes);
  const page_location to = place();
  pages.apply(pointer, bytes, [&](page_facts& each) { each.prefetched = to; });
  submit(in, command{});
}

bool names_a_place(abi::memory_advice advice) {
  using enum abi::memory_advice;
  return advice == set_preferred_location || advice == set_accessed_by || advice == unset_accessed_by;
}

/// Effects: applies the advice to a page.
void change(page_facts& page, abi::memory_advice advice, const page_location& place) {
  using enum abi::memory_advice;
  switch (advice) {
    case set_read_mostly: page.read_mostly = true; return;
    case unset_read_mostly: page.read_mostly = false; return;
    case set_preferred_location: page.preferred = place; return;
    case unset_preferred_location: page.preferred.reset(); return;
    case set_accessed_by: page.accessed_by.insert(place.second); return;
    case unset_accessed_by: page.accessed_by.erase(place.second); return;
  }
}

template <class Place>
void advise(abi::device_pointer pointer, std::size_t bytes, abi::memory_advice advice, Place&& place) {
  (void)current_context();
  managed_pages& pages = managed_range(pointer, bytes);
  require(advice >= abi::memory_advice::set_read_mostly && advice <= abi::memory_advice::unset_accessed_by);
  const page_location named = names_a_place(advice) ? place() : page_location{};
  pages.apply(pointer, bytes, [&](page_facts& each) { change(each, advice, named); });
}

}  // namespace

abi::status mem_prefetch_async(abi::device_pointer pointer, std::size_t bytes, abi::device to, abi::stream on) {
  return stream_entry(on, [&] { prefetch(pointer, bytes, on, [&] { return place_of(to); }); });
}

abi::status mem_prefetch_async_v2(abi::device_pointer pointer, std::size_t bytes, abi::memory_location to,
                                  unsigned flags, abi::stream on) {
  return stream_entry(on, [&] {
    require(flags == 0);
    prefetch(pointer, bytes, on, [&] { return place_of(to, abi::error_invalid_device); });
  });
}

abi::status mem_advise(abi::device_pointer pointer, std::size_t bytes, abi::memory_advice advice, abi::device of) {
  return entry([&] { advise(pointer, bytes, advice, [&] { return place_of(of); }); });
}

abi::status mem_advise_v2(abi::device_pointer pointer, std::size_t bytes, abi::memory_advice advice,
                          abi::memory_location of) {
  return entry([&] {
    using enum abi::memory_location_type;
    require(of.type >= device && of.type <= host_numa_current);  // also without a location
    // The advice "accessed by" does not take a single NUMA node.
    require(advice < abi::memory_advice::set_accessed_by || of.type == device || of.type == host);
    advise(pointer, bytes, advice, [&] { return place_of(of, abi::error_invalid_value); });
  });
}

namespace {

/// Returns: the value that all pages of the range share; nothing if they differ.
template <class Value>
Value common(const managed_pages& pages, abi::device_pointer pointer, std::size_t bytes, Value page_facts::*member) {
  std::optional<Value> seen;
  bool alike = true;
  pages.look_at(pointer, bytes, [&](const page_facts& each) {
    alike = alike && (!seen || *seen == each.*member);
    seen = each.*member;
  });
  return alike ? *seen : Value{};
}

/// Returns: a location in the form of the attributes of 8000.
int as_device(const std::optional<page_location>& place) { return place ? place->second : abi::device_invalid; }
int type_of(const std::optional<page_location>& place) {
  return place ? static_cast<int>(place->first) : static_cast<int>(abi::memory_location_type::invalid);
}

/// Effects: writes the devices that access every page of the range, the host last.
void give_accessors(const managed_pages& pages, abi::device_pointer pointer, std::size_t bytes, int* to,
                    std::size_t count) {
  std::optional<std::set<int>> all;
  pages.look_at(pointer, bytes, [&](const page_facts& each) {
    if (!all) all = each.accessed_by;
    std::erase_if(*all, [&](int one) { return each.accessed_by.count(one) == 0; });
  });
  std::vector<int> list(all->begin(), all->end());
  if (!list.empty() && list.front() == abi::device_cpu) std::rotate(list.begin(), list.begin() + 1, list.end());
  list.resize(count, abi::device_invalid);
  std::memcpy(to, list.data(), count * sizeof(int));
}

void give_attribute(void* to, std::size_t room, abi::memory_range_attribute what, abi::device_pointer pointer,
                    std::size_t bytes) {
  (void)current_context();
  require(to != nullptr);
  const managed_pages& pages = managed_range(pointer, bytes);
  if (what == abi::memory_range_attribute::accessed_by) {
    require(room != 0 && room % sizeof(int) == 0);
    return give_accessors(pages, pointer, bytes, static_cast<int*>(to), room / sizeof(int));
  }
  require(room == sizeof(int));
  using enum abi::memory_range_attribute;
  require(what < preferred_location_type || the_settings().driver_version >= 12020);
  const auto place = [&](std::optional<page_location> page_facts::*member) {
    return common(pages, pointer, bytes, member);
  };
  int value = 0;
  switch (what) {
    case read_mostly: value = common(pages, pointer, bytes, &page_facts::read_mostly) ? 1 : 0; break;
    case preferred_location:
    case preferred_location_id: value = as_device(place(&page_facts::preferred)); break;
    case last_prefetch_location:
    case last_prefetch_location_id: value = as_device(place(&page_facts::prefetched)); break;
    case preferred_location_type: value = type_of(place(&page_facts::preferred)); break;
    case last_prefetch_location_type: value = type_of(place(&page_facts::prefetched)); break;
    default: refuse(abi::error_invalid_value);
  }
  std::memcpy(to, &value, sizeof value);
}

}  // namespace

abi::status mem_range_get_attribute(void* result, std::size_t room, abi::memory_range_attribute what,
                                    abi::device_pointer pointer, std::size_t bytes) {
  return entry([&] { give_attribute(result, room, what, pointer, bytes); });
}

abi::status mem_range_get_attributes(void** results, std::size_t* rooms, abi::memory_range_attribute* attributes,
                                     std::size_t count, abi::device_pointer pointer, std::size_t bytes) {
  return entry([&] {
    require(results != nullptr && rooms != nullptr && attributes != nullptr && count != 0);
    for (std::size_t each = 0; each < count; ++each) {
      give_attribute(results[each], rooms[each], attributes[each], pointer, bytes);
    }
  });
}

}  // namespace yoke::simulator::entries
