// What a shell reads from one peer: into the stream that somebody keeps for a process that follows (base/io/legacy), else
// into memory of its own. It knows no descriptor and no line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/io/legacy.hpp"

namespace kakehashi::base::io {

class Intake {
 public:
  /// `read_bytes_max`: as much as one read takes.
  explicit Intake(std::size_t read_bytes_max)
      : read_bytes_max_(read_bytes_max), buffer_(std::make_unique_for_overwrite<char[]>(read_bytes_max)) {}

  /// From now on; null: nobody keeps it.
  void keep_in(Legacy::Stream* stream) { stream_ = stream; }
  [[nodiscard]] Legacy::Stream* stream() const { return stream_; }

  /// For the next read.
  [[nodiscard]] std::span<char> room() {
    if (stream_ == nullptr) {
      return {buffer_.get(), read_bytes_max_};
    }
    auto room = stream_->room();
    if (room.size() < Legacy::Stream::room_bytes_min) {
      stream_->skip();  // a line that has no end, and was given up long ago
      room = stream_->room();
    }
    return room.first(std::min(room.size(), read_bytes_max_));
  }
  /// What that has brought: good until the next.
  [[nodiscard]] std::string_view take(std::size_t bytes) {
    if (stream_ == nullptr) {
      return {buffer_.get(), bytes};
    }
    stream_->filled(bytes);
    return stream_->tail(bytes);
  }

  /// Where the bytes end that were read, in the stream.
  [[nodiscard]] std::uint64_t end() const { return stream_ == nullptr ? 0 : stream_->end(); }
  /// Should this process die now, it may be of what stands before there; nothing: of nothing of it.
  void suspect(std::optional<std::uint64_t> up_to) {
    if (stream_ != nullptr) {
      stream_->set_suspect(up_to);
    }
  }

 private:
  std::size_t read_bytes_max_;
  std::unique_ptr<char[]> buffer_;  ///< not cleared: what is never used takes no memory
  Legacy::Stream* stream_ = nullptr;
};

}  // namespace kakehashi::base::io
