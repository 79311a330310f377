#include "base/io/legacy.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace kakehashi::base::io {
namespace {

constexpr std::uint64_t magic_number = 0x6b616b6568617368;  ///< "kakehash"
/// Of what stands in the memory, and of the names that descriptors are kept by beside it (daemon/estate): a version that
/// changes any of it counts this up, and does not go on with what the one before has left.
constexpr std::uint64_t layout_number = 1;

/// An area's first byte in the stream, and how many of its bytes may be looked at: they change at one stroke.
constexpr unsigned limit_bits = 20;
constexpr std::uint64_t limit_mask = (std::uint64_t{1} << limit_bits) - 1;
constexpr std::uint64_t place_of(std::uint64_t origin, std::size_t limit) { return origin << limit_bits | limit; }
static_assert(Legacy::stream_bytes_max <= limit_mask);

/// What becomes true together.
struct Marks {
  std::uint64_t text = 0;  ///< which of both
  std::uint64_t text_bytes = 0;
  std::uint64_t path = 0;  ///< which of both
  std::uint64_t done = 0;
  std::uint64_t is_whole = 0;
  std::array<std::uint64_t, Legacy::streams_max> worked_off{};
};

struct Kept {
  std::array<char, Legacy::name_bytes_max + 1> name{};
  std::atomic<std::uint64_t> place{0};
  std::atomic<std::uint64_t> written{0};
  std::atomic<std::uint64_t> in_flight{0};
  std::atomic<std::uint64_t> note{0};
};

/// Bounded, and ended by a zero, whatever stands there.
template <std::size_t size>
std::string text_of(const std::array<char, size>& text) {
  return {text.data(), ::strnlen(text.data(), size)};
}
template <std::size_t size>
void put(std::array<char, size>& place, std::string_view text) {
  place.fill('\0');
  std::copy_n(text.begin(), std::min(text.size(), size - 1), place.begin());
}

}  // namespace

struct Legacy::Memory {
  std::uint64_t magic = magic_number;
  std::uint64_t layout = layout_number;
  std::atomic<std::uint32_t> present{0};  ///< which marks are true
  std::atomic<std::uint32_t> suspect{0};  ///< the stream's place, and one more
  std::atomic<std::uint64_t> suspect_up_to{0};
  std::atomic<std::uint32_t> deaths{0};   ///< with that many steps done:
  std::atomic<std::uint64_t> dead_at{0};
  std::array<Marks, 2> marks{};
  std::array<std::array<char, path_bytes_max + 1>, 2> paths{};
  std::array<Kept, streams_max> streams{};
  std::array<std::array<char, text_bytes_max>, 2> texts{};
  std::array<std::array<char, stream_bytes_max>, streams_max> areas{};

  /// Null where it is none of this layout.
  static Memory* map(int descriptor, int protection) {
    struct stat status {};
    if (::fstat(descriptor, &status) != 0 || status.st_size != static_cast<off_t>(sizeof(Memory))) {
      return nullptr;
    }
    void* mapped = ::mmap(nullptr, sizeof(Memory), protection, MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED) {
      return nullptr;
    }
    auto* memory = static_cast<Memory*>(mapped);
    if (memory->magic != magic_number || memory->layout != layout_number) {
      ::munmap(mapped, sizeof(Memory));
      return nullptr;
    }
    return memory;
  }

  [[nodiscard]] std::string text_by(const Marks& at) const {
    return {texts[at.text % 2].data(), std::min<std::uint64_t>(at.text_bytes, text_bytes_max)};
  }
  [[nodiscard]] std::string path_by(const Marks& at) const { return text_of(paths[at.path % 2]); }
  [[nodiscard]] Marks& now() { return marks[present.load(std::memory_order_acquire) % 2]; }
  /// As now(), but for what publish() makes true.
  [[nodiscard]] Marks& next() { return marks[1 - present.load(std::memory_order_relaxed) % 2]; }
};

std::unique_ptr<Legacy> Legacy::create() {
  const int descriptor = ::memfd_create("kakehashi", MFD_CLOEXEC);
  if (descriptor < 0) {
    return nullptr;
  }
  void* memory = MAP_FAILED;
  if (::ftruncate(descriptor, sizeof(Memory)) == 0) {
    memory = ::mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  }
  if (memory == MAP_FAILED) {
    ::close(descriptor);
    return nullptr;
  }
  // The kernel gives zeros, and what is never touched takes no memory: nothing but the head is written.
  auto* head = static_cast<Memory*>(memory);
  head->layout = layout_number;
  head->magic = magic_number;
  return std::unique_ptr<Legacy>(new Legacy(descriptor, head));
}

std::unique_ptr<Legacy> Legacy::take_over(int descriptor) {
  Memory* memory = Memory::map(descriptor, PROT_READ | PROT_WRITE);
  if (memory == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  auto legacy = std::unique_ptr<Legacy>(new Legacy(descriptor, memory));
  memory->next() = memory->now();  // a kill in publish() leaves them apart
  return legacy;
}

std::optional<Legacy::Sight> Legacy::look(int descriptor) {
  Memory* memory = Memory::map(descriptor, PROT_READ);
  std::optional<Sight> seen;
  for (int tries = 0; memory != nullptr && !seen && tries < looks_max; ++tries) {
    const std::uint32_t present = memory->present.load(std::memory_order_acquire);
    const Marks marks = memory->marks[present % 2];
    Sight sight{memory->text_by(marks), memory->path_by(marks), marks.done, marks.is_whole == 1};
    std::atomic_thread_fence(std::memory_order_acquire);
    // What is not true any more may have been written over meanwhile.
    if (memory->present.load(std::memory_order_relaxed) == present &&
        std::memcmp(&marks, &memory->marks[present % 2], sizeof marks) == 0) {
      seen = std::move(sight);
    }
  }
  if (memory != nullptr) {
    ::munmap(memory, sizeof(Memory));
  }
  return seen;
}

Legacy::~Legacy() {
  ::munmap(memory_, sizeof(Memory));
  ::close(descriptor_);
}

/// The other marks are written, and become the present ones by one store.
void Legacy::publish() {
  const std::uint32_t present = memory_->present.load(std::memory_order_relaxed) % 2;
  memory_->present.store(1 - present, std::memory_order_release);
  memory_->marks[present] = memory_->marks[1 - present];
}

// --- the text

std::string Legacy::text() const { return memory_->text_by(memory_->now()); }
std::string Legacy::path() const { return memory_->path_by(memory_->now()); }
std::uint64_t Legacy::done() const { return memory_->now().done; }
bool Legacy::is_whole() const { return memory_->now().is_whole == 1; }
std::size_t Legacy::unfiled_bytes() const { return memory_->now().text_bytes; }

void Legacy::begin(std::string_view path, std::string_view text, std::uint64_t done) {
  Marks& next = memory_->next();
  next.text = 1 - next.text % 2;
  next.text_bytes = 0;
  next.is_whole = 1;
  next.done = done;
  put_path(path);
  put_text(text);
  publish();
}

void Legacy::add(std::string_view text) {
  put_text(text);
  Marks& next = memory_->next();
  for (std::size_t i = 0; i < streams_max; ++i) {
    if (streams_[i]) {
      next.worked_off[i] = streams_[i]->worked_off_;
    }
  }
  publish();
}

/// Behind what no reader looks at before publish().
void Legacy::put_text(std::string_view text) {
  Marks& next = memory_->next();
  if (next.text_bytes + text.size() <= text_bytes_max) {
    std::memcpy(memory_->texts[next.text % 2].data() + next.text_bytes, text.data(), text.size());
    next.text_bytes += text.size();
  } else {
    next.is_whole = 0;
  }
}

void Legacy::put_path(std::string_view path) {
  Marks& next = memory_->next();
  if (path.size() > path_bytes_max) {
    next.is_whole = 0;
  } else if (text_of(memory_->paths[next.path % 2]) != path) {
    next.path = 1 - next.path % 2;
    put(memory_->paths[next.path], path);
  }
}

void Legacy::set_path(std::string_view path) {
  put_path(path);
  publish();
}

void Legacy::filed(std::string_view path) {
  put_path(path);
  memory_->next().text_bytes = 0;
  publish();
}

void Legacy::give_up() {
  memory_->next().is_whole = 0;
  publish();
}

void Legacy::mark_done(std::uint64_t steps) {
  memory_->next().done = steps;
  publish();
}

int Legacy::count_death() {
  const std::uint64_t done = memory_->now().done;
  const bool is_further = memory_->dead_at.exchange(done) != done;
  memory_->deaths.store(is_further ? 1 : std::min(memory_->deaths.load(), 1'000U) + 1);
  return static_cast<int>(memory_->deaths.load());
}

// --- the streams

Legacy::Stream* Legacy::find(std::string_view name) {
  for (std::size_t i = 0; i < streams_max; ++i) {
    if (!name.empty() && text_of(memory_->streams[i].name) == name) {
      if (!streams_[i]) {
        streams_[i] = std::unique_ptr<Stream>(new Stream(*this, i));
        streams_[i]->look();
      }
      return streams_[i].get();
    }
  }
  return nullptr;
}

Legacy::Stream* Legacy::stream(std::string_view name) {
  if (Stream* known = find(name)) {
    return known;
  }
  for (std::size_t i = 0; i < streams_max && name.size() <= name_bytes_max; ++i) {
    Kept& kept = memory_->streams[i];
    if (kept.name[0] != '\0') {
      continue;
    }
    kept.place.store(place_of(0, stream_bytes_max));
    kept.written.store(0);
    kept.in_flight.store(0);
    kept.note.store(0);
    memory_->marks[0].worked_off[i] = memory_->marks[1].worked_off[i] = 0;
    put(kept.name, name);
    streams_[i] = std::unique_ptr<Stream>(new Stream(*this, i));
    return streams_[i].get();
  }
  return nullptr;
}

void Legacy::drop(std::string_view name) {
  if (Stream* gone = find(name)) {
    const std::size_t index = gone->index_;
    const std::size_t used = std::max(gone->filled_, Stream::room_bytes_min);
    std::memset(memory_->areas[index].data(), 0, std::min(used, stream_bytes_max));
    memory_->streams[index].name[0] = '\0';  // the next one that takes the place finds it zero
    streams_[index].reset();
  }
}

std::uint64_t Legacy::Stream::origin() const { return legacy_.memory_->streams[index_].place.load() >> limit_bits; }

/// After another process: what stands there.
void Legacy::Stream::look() {
  const std::uint64_t place = legacy_.memory_->streams[index_].place.load();
  const std::size_t limit = std::min<std::size_t>(place & limit_mask, stream_bytes_max);
  auto& area = legacy_.memory_->areas[index_];
  worked_off_ = legacy_.memory_->now().worked_off[index_];
  const std::uint64_t from = std::clamp<std::uint64_t>(worked_off_ - std::min(worked_off_, origin()), 0, limit);
  std::size_t end = limit;
  while (end > from && area[end - 1] == '\0') {
    --end;
  }
  filled_ = end;
  // What a move of these bytes had left behind them.
  std::memset(area.data() + filled_, 0, stream_bytes_max - filled_);
  legacy_.memory_->streams[index_].place.store(place_of(origin(), stream_bytes_max));
}

std::string_view Legacy::Stream::tail(std::size_t bytes) const {
  return {legacy_.memory_->areas[index_].data() + filled_ - bytes, bytes};
}

std::string_view Legacy::Stream::left() const {
  const std::size_t from = std::min<std::uint64_t>(worked_off_ - std::min(worked_off_, origin()), filled_);
  return {legacy_.memory_->areas[index_].data() + from, filled_ - from};
}

void Legacy::Stream::work_off(std::uint64_t position) { worked_off_ = position; }

void Legacy::Stream::skip_to(std::uint64_t position) {
  work_off(position);
  // Of this stream alone: others may have steps that are not noted yet.
  legacy_.memory_->next().worked_off[index_] = worked_off_;
  legacy_.publish();
}

void Legacy::Stream::set_suspect(std::optional<std::uint64_t> position) {
  Memory& memory = *legacy_.memory_;
  memory.suspect_up_to.store(position.value_or(0), std::memory_order_relaxed);
  memory.suspect.store(position ? static_cast<std::uint32_t>(index_) + 1 : 0, std::memory_order_release);
}

std::optional<std::uint64_t> Legacy::Stream::suspect() const {
  const Memory& memory = *legacy_.memory_;
  return memory.suspect.load() == index_ + 1 ? std::optional(std::min(memory.suspect_up_to.load(), end())) : std::nullopt;
}

std::span<char> Legacy::Stream::room() {
  if (filled_ > room_bytes_min) {
    make_room();
  }
  return {legacy_.memory_->areas[index_].data() + filled_, stream_bytes_max - filled_};
}

/// What was worked off, and noted as such, gives way to what was not.
void Legacy::Stream::make_room() {
  auto& area = legacy_.memory_->areas[index_];
  auto& place = legacy_.memory_->streams[index_].place;
  const std::uint64_t noted = legacy_.memory_->now().worked_off[index_];
  const std::size_t dead = std::min<std::uint64_t>(noted - std::min(noted, origin()), filled_);
  const std::size_t live = filled_ - dead;
  if (live > dead) {
    return;  // there is room as long as no line is longer than half of it
  }
  std::memcpy(area.data(), area.data() + dead, live);
  std::memset(area.data() + live, 0, dead - live);
  place.store(place_of(origin() + dead, dead));
  std::memset(area.data() + dead, 0, filled_ - dead);
  place.store(place_of(origin(), stream_bytes_max));
  filled_ = live;
}

void Legacy::Stream::begin_write(std::size_t bytes) { legacy_.memory_->streams[index_].in_flight.store(bytes); }
void Legacy::Stream::end_write(std::size_t bytes) {
  Kept& kept = legacy_.memory_->streams[index_];
  kept.written.fetch_add(bytes);
  kept.in_flight.store(0);
}
std::uint64_t Legacy::Stream::written() const { return legacy_.memory_->streams[index_].written.load(); }
bool Legacy::Stream::is_in_doubt() const { return legacy_.memory_->streams[index_].in_flight.load() != 0; }
void Legacy::Stream::set_note(std::uint64_t number) { legacy_.memory_->streams[index_].note.store(number); }
std::uint64_t Legacy::Stream::note() const { return legacy_.memory_->streams[index_].note.load(); }

}  // namespace kakehashi::base::io
