// SPDX-License-Identifier: MIT
// Two connected sockets, by which a test's parent sends a descriptor with a few bytes to its child.
#ifndef YOKE_TESTS_SUPPORT_DESCRIPTOR_SOCKET_HPP
#define YOKE_TESTS_SUPPORT_DESCRIPTOR_SOCKET_HPP

#include <cstring>
#include <stdexcept>

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace yoke_test {

/// The parent's end, and the child's, which stays open in what `run_child` starts.
class descriptor_socket {
 public:
  descriptor_socket() {
    int both[2] = {-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0) throw std::runtime_error("no pair of sockets");
    here_ = both[0];
    there_ = both[1];
  }
  descriptor_socket(const descriptor_socket&) = delete;
  descriptor_socket& operator=(const descriptor_socket&) = delete;
  ~descriptor_socket() {
    ::close(here_);
    ::close(there_);
  }
  [[nodiscard]] int childs_end() const noexcept { return there_; }

  /// Effects: sends the descriptor, which the receiver gets one of its own for, and plain bytes.
  template <class Value>
  void send(int descriptor, const Value& value) const {
    Value copy = value;
    ::iovec bytes{&copy, sizeof copy};
    alignas(::cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    ::msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    ::cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    if (::sendmsg(here_, &message, 0) != static_cast<ssize_t>(sizeof copy))
      throw std::runtime_error("nothing was sent");
  }
  /// Returns: the descriptor that came, with the bytes.
  template <class Value>
  static int receive(int from, Value& value) {
    ::iovec bytes{&value, sizeof value};
    alignas(::cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
    ::msghdr message{};
    message.msg_iov = &bytes;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const ::timeval patience{60, 0};  // a parent that failed has sent nothing
    ::setsockopt(from, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const bool came = ::recvmsg(from, &message, MSG_WAITALL) == static_cast<ssize_t>(sizeof value);
    const ::cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (!came || header == nullptr) throw std::runtime_error("nothing came");
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
  }

 private:
  int here_ = -1;
  int there_ = -1;
};

}  // namespace yoke_test

#endif
