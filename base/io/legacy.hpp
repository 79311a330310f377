// What a process leaves to the one that follows it, should it be killed at any instant: memory behind a descriptor that
// somebody else keeps. It holds what was read and not yet worked off, how far everything has come, and the tail of a text
// that grows (a journal's, as far as no file has it yet). No system call is made for it, and nobody is woken: a store in
// memory is all that a step costs.
//
// What belongs together is stored together: the marks (Legacy::Marks) of a step become true by one store. Readers take
// what was read into memory that is zero behind it, so that bytes show by themselves, though a kill came before their
// number was noted. It knows no line, no journal and no engine, and believes nothing that another program wrote.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kakehashi::base::io {

class Legacy {
 public:
  /// One server, and both outputs of sixteen engines.
  static constexpr std::size_t streams_max = 33;
  static constexpr std::size_t stream_bytes_max = std::size_t{256} * 1024;
  static constexpr std::size_t text_bytes_max = std::size_t{2} * 1024 * 1024;
  static constexpr std::size_t name_bytes_max = 63;
  static constexpr std::size_t path_bytes_max = 1023;

  /// Null where the system gives no memory: nothing is left behind then.
  [[nodiscard]] static std::unique_ptr<Legacy> create();
  /// That of a process before this one, by the descriptor that was kept; null where it is none of this layout. The
  /// descriptor is the legacy's from now on.
  [[nodiscard]] static std::unique_ptr<Legacy> take_over(int descriptor);
  /// What stands in that of a process that goes on with it, at one instant. Nothing is changed there. Nothing: it is none
  /// of this layout, or changes too fast.
  struct Sight {
    std::string text;
    std::string path;
    std::uint64_t done = 0;
    bool is_whole = false;
  };
  [[nodiscard]] static std::optional<Sight> look(int descriptor);
  static constexpr int looks_max = 100;
  ~Legacy();
  Legacy(const Legacy&) = delete;
  Legacy& operator=(const Legacy&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  // --- the text

  /// As far as it is not in `path`. `steps`: how many were carried out altogether when mark() was called last.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string path() const;
  [[nodiscard]] std::uint64_t done() const;
  /// Nothing is left behind while false: a part of the text had no room, or another begins.
  [[nodiscard]] bool is_whole() const;

  /// Another text begins with that, of which so many steps have been carried out: at one stroke, until which the one before is
  /// left whole. `path` is that of set_path(), or empty.
  void begin(std::string_view path, std::string_view text, std::uint64_t done);
  /// The end of the text, and how far the streams have been worked off (Stream::work_off), at one stroke.
  void add(std::string_view text);
  /// The file that the text goes to; what stands in it is left all the same, until all of it does.
  void set_path(std::string_view path);
  /// All of the text so far stands in that file, or in those before it.
  void filed(std::string_view path);
  [[nodiscard]] std::size_t unfiled_bytes() const;
  /// The text goes on without what would stand here: nothing is left behind until another begins.
  void give_up();
  /// What followed from the text up to now has been carried out.
  void mark_done(std::uint64_t steps);

  /// A process that follows another says so, once. How many before it died in a row without having carried out a step more.
  [[nodiscard]] int count_death();

  // --- the streams

  /// What is read from one peer, and how much was written to it. Positions count bytes from the beginning of the stream.
  class Stream {
   public:
    /// Where bytes may be read into, zero, and at least room_bytes_min of them; read into nothing else.
    [[nodiscard]] std::span<char> room();
    /// So many bytes have been read into it.
    void filled(std::size_t bytes) { filled_ += bytes; }
    /// The last ones that were read.
    [[nodiscard]] std::string_view tail(std::size_t bytes) const;
    /// Those that were read and not worked off, as a process finds them that follows another.
    [[nodiscard]] std::string_view left() const;
    /// Up to there: true with the next Legacy::add().
    void work_off(std::uint64_t position);
    /// What was read is worth nothing, or so far: true at once.
    void skip() { skip_to(end()); }
    void skip_to(std::uint64_t position);
    /// What is worked off just now stands before that place; nothing: nothing of it. True at once.
    void set_suspect(std::optional<std::uint64_t> position);
    /// As a process finds it that follows another: up to where it was being worked off when that died; nothing: it was not.
    [[nodiscard]] std::optional<std::uint64_t> suspect() const;
    /// Where the bytes end that were read.
    [[nodiscard]] std::uint64_t end() const { return origin() + filled_; }

    /// A write of so many bytes begins, and has ended with that many written. In between nobody knows.
    void begin_write(std::size_t bytes);
    void end_write(std::size_t bytes);
    [[nodiscard]] std::uint64_t written() const;
    /// A process that follows another does not know what became of the last write.
    [[nodiscard]] bool is_in_doubt() const;

    /// A number that the owner wants to find again.
    void set_note(std::uint64_t number);
    [[nodiscard]] std::uint64_t note() const;

    static constexpr std::size_t room_bytes_min = std::size_t{16} * 1024;

   private:
    friend class Legacy;
    Stream(Legacy& legacy, std::size_t index) : legacy_(legacy), index_(index) {}
    [[nodiscard]] std::uint64_t origin() const;
    void look();
    void make_room();

    Legacy& legacy_;
    std::size_t index_;
    std::size_t filled_ = 0;  ///< bytes of the area
    std::uint64_t worked_off_ = 0;
  };

  /// Up to where a stream is worked off; null: none.
  struct Place {
    Stream* stream = nullptr;
    std::uint64_t position = 0;
  };

  /// That of the name, or a new one; null where there are too many.
  [[nodiscard]] Stream* stream(std::string_view name);
  /// One that a process before this one had; null: it had none.
  [[nodiscard]] Stream* find(std::string_view name);
  void drop(std::string_view name);

 private:
  struct Memory;

  Legacy(int descriptor, Memory* memory) : descriptor_(descriptor), memory_(memory) {}
  void put_text(std::string_view text);
  void put_path(std::string_view path);
  void publish();

  int descriptor_;
  Memory* memory_;
  std::array<std::unique_ptr<Stream>, streams_max> streams_;
};

}  // namespace kakehashi::base::io
