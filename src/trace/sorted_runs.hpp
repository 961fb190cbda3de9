#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace scoville::trace {

/// Millions of records in their order, in few bytes each: an external sort whose "disk" is compressed memory.
///
/// Records are arrays of numbers, ordered from the first to the last. Every kBatch of them are sorted and kept as
/// differences to the one before (LEB128, zigzag), which takes one or two bytes for a number that is near its
/// neighbour's: an event of a trace comes to 6 to 14 bytes. Reading merges the batches.
template <std::size_t N>
class SortedRuns {
 public:
  using Record = std::array<std::uint64_t, N>;

  void add(const Record& record) {
    batch_.push_back(record);
    if (batch_.size() == kBatch) pack();
  }
  /// No more will be added. Before any reading.
  void close() {
    if (!batch_.empty()) pack();
    batch_ = {};
  }
  std::uint64_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void clear() { *this = SortedRuns(); }

  /// All records from the smallest to the largest. Any number of readers, one after the other or together.
  class Reader {
   public:
    explicit Reader(const SortedRuns& runs) {
      for (const auto& run : runs.runs_) {
        Cursor cursor{run.data(), run.data() + run.size(), {}};
        if (cursor.advance()) cursors_.push_back(cursor);
      }
      std::make_heap(cursors_.begin(), cursors_.end(), later);
    }
    /// Null: there is no further record. Good until the next call.
    const Record* next() {
      if (is_started_) step();
      is_started_ = true;
      return cursors_.empty() ? nullptr : &cursors_.front().record;
    }

   private:
    struct Cursor {
      const std::uint8_t* at;
      const std::uint8_t* end;
      Record record;
      bool advance() {
        if (at == end) return false;
        for (std::uint64_t& field : record) field += unzigzag(take(at));
        return true;
      }
    };
    static bool later(const Cursor& a, const Cursor& b) { return b.record < a.record; }
    void step() {
      if (cursors_.empty()) return;
      if (!cursors_.front().advance()) {
        std::pop_heap(cursors_.begin(), cursors_.end(), later);
        cursors_.pop_back();
        return;
      }
      std::size_t i = 0;  // down to its place
      for (;;) {
        std::size_t child = 2 * i + 1;
        if (child >= cursors_.size()) return;
        if (child + 1 < cursors_.size() && later(cursors_[child], cursors_[child + 1])) ++child;
        if (!later(cursors_[i], cursors_[child])) return;
        std::swap(cursors_[i], cursors_[child]);
        i = child;
      }
    }
    std::vector<Cursor> cursors_;
    bool is_started_ = false;
  };

 private:
  static constexpr std::size_t kBatch = 1 << 15;

  static std::uint64_t zigzag(std::uint64_t difference) { return difference << 1 ^ (0 - (difference >> 63)); }
  static std::uint64_t unzigzag(std::uint64_t code) { return code >> 1 ^ (0 - (code & 1)); }
  static std::uint64_t take(const std::uint8_t*& at) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const std::uint8_t byte = *at++;
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
  }

  void pack() {
    if (!std::is_sorted(batch_.begin(), batch_.end())) std::sort(batch_.begin(), batch_.end());
    std::vector<std::uint8_t> run;
    run.reserve(batch_.size() * N * 2);
    Record last{};
    for (const Record& record : batch_) {
      for (std::size_t i = 0; i < N; ++i) {
        std::uint64_t code = zigzag(record[i] - last[i]);
        for (; code >= 0x80; code >>= 7) run.push_back(static_cast<std::uint8_t>(code | 0x80));
        run.push_back(static_cast<std::uint8_t>(code));
      }
      last = record;
    }
    run.shrink_to_fit();
    runs_.push_back(std::move(run));
    size_ += batch_.size();
    batch_.clear();
  }

  std::vector<Record> batch_;
  std::vector<std::vector<std::uint8_t>> runs_;
  std::uint64_t size_ = 0;
};

}  // namespace scoville::trace
