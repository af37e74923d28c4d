#include "json/position.h"

#include "json/parse.h"
#include "json/pointer.h"

namespace pawl::json {

Position LineCursor::advance_to(size_t offset) {
  for (; offset_ < offset && offset_ < text_.size(); ++offset_) {
    const auto byte = static_cast<unsigned char>(text_[offset_]);
    if (byte == '\n')
      position_ = {position_.line + 1, 1};
    else if ((byte & 0xC0) != 0x80)  // a continuation byte belongs to the column of its first byte
      ++position_.column;
  }
  return position_;
}

std::string to_string(Position position) {
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

Position position_at(std::string_view text, size_t offset) { return LineCursor(text).advance_to(offset); }

namespace {

// The number of the child that a pointer's token names, or the number of children where it names none.
size_t child_number(const Value& parent, const std::string& token) {
  if (parent.is_array()) return array_index(token).value_or(parent.size());
  if (!parent.is_object()) return parent.size();
  const Value* child = parent.find(token);
  if (child == nullptr) return parent.size();
  size_t number = 0;
  while (&parent.members()[number].value != child) ++number;
  return number;
}

}  // namespace

const SourceMap::Entry& SourceMap::find(std::string_view pointer) const {
  const Entry* entry = &entry_;
  const Value* value = &root_;
  const auto tokens = split_pointer(pointer);
  if (!tokens) return *entry;
  for (const std::string& token : *tokens) {
    const size_t number = child_number(*value, token);
    if (number >= entry->children.size()) break;
    entry = &entry->children[number];
    value = value->is_array() ? &value->at(number) : &value->members()[number].value;
  }
  return *entry;
}

Position SourceMap::value_at(std::string_view pointer) const { return find(pointer).value; }

Position SourceMap::key_at(std::string_view pointer) const { return find(pointer).key; }

}  // namespace pawl::json
