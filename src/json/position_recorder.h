// Builds the tree of positions beside the values. For parsers of definitions.
#pragma once

#include <vector>

#include "base/assert.h"
#include "json/parse.h"
#include "json/position.h"

namespace pawl::json {

// Told of names and values in the order of the text; entries wait on a stack until their container ends.
class PositionRecorder {
 public:
  explicit PositionRecorder(std::string_view text) : cursor_(text) {}

  void key(size_t offset) { key_ = cursor_.advance_to(offset); }

  void begin_value(size_t offset) {
    const Position value = cursor_.advance_to(offset);
    entries_.push_back({key_.line == 0 ? value : key_, value, {}});
    key_ = {};
  }

  // The last `children` entries belong to the one before them.
  void end_container(size_t children) {
    PAWL_ASSERT(entries_.size() > children, entries_.size(), children);
    const auto first = entries_.end() - static_cast<std::ptrdiff_t>(children);
    std::vector<SourceMap::Entry> taken(std::make_move_iterator(first), std::make_move_iterator(entries_.end()));
    entries_.resize(entries_.size() - children);
    entries_.back().children = std::move(taken);
  }

  // The entries are counted from the last, which is 1.
  Position key_position(size_t from_last) const { return entries_[entries_.size() - from_last].key; }

  SourceMap::Entry take_root() {
    PAWL_ASSERT(entries_.size() == 1, entries_.size());
    return std::move(entries_.front());
  }

 private:
  LineCursor cursor_;
  Position key_;  // of the member whose value comes next; line 0 where there is none
  std::vector<SourceMap::Entry> entries_;
};

}  // namespace pawl::json
