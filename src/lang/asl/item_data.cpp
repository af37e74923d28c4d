#include "lang/asl/item_data.h"

#include <algorithm>
#include <string>
#include <vector>

#include "json/parse.h"
#include "json/pointer.h"

namespace pawl::asl {

namespace {

std::string text_at(const Value& object, std::string_view name) {
  const Value* found = object.find(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

std::unexpected<Error> invalid(std::string what, std::string where = "") {
  return fail("ITEM_DATA_INVALID", std::move(what), "Give the data as the ReaderConfig says.", std::move(where));
}

// --- JSON

// An object is read as its entries, as AWS does.
Value entries_of(const Value& object) {
  json::ArrayBuilder entries(object.size());
  for (const json::Member& member : object.members()) {
    json::ObjectBuilder entry(2);
    entry.set("Key", member.key);
    entry.set("Value", member.value);
    entries.push(entry.build());
  }
  return entries.build();
}

Result<Value> read_json(std::string_view text, const std::string& pointer) {
  const auto parsed = json::parse(text);
  if (!parsed) return invalid(parsed.error().what, parsed.error().where);
  const Value* items = json::find_pointer(*parsed, pointer);
  if (items == nullptr) return invalid("The ItemsPointer '" + pointer + "' leads nowhere.");
  if (items->is_object()) return entries_of(*items);
  if (!items->is_array()) return invalid("The items must be an array or an object.");
  return *items;
}

Result<Value> read_json_lines(std::string_view text) {
  json::ArrayBuilder items;
  for (size_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    auto item = json::parse(line);
    if (!item) return invalid(item.error().what, "line " + std::to_string(number));
    items.push(*std::move(item));
  }
  return items.build();
}

// --- CSV

char delimiter_of(const Value& config) {
  const std::string name = text_at(config, "CSVDelimiter");
  if (name == "PIPE") return '|';
  if (name == "SEMICOLON") return ';';
  if (name == "SPACE") return ' ';
  return name == "TAB" ? '\t' : ',';
}

using Row = std::vector<std::string>;

// Rows of cells (RFC 4180): a cell in double quotes may hold anything, a double quote as two.
class CsvReader {
 public:
  CsvReader(std::string_view text, char delimiter) : rest_(text), delimiter_(delimiter) {}

  Result<std::vector<Row>> read() {
    std::vector<Row> rows;
    while (!rest_.empty()) {
      PAWL_TRY(Row row, read_row());
      const bool is_blank = row.size() == 1 && row.front().empty();
      if (!is_blank) rows.push_back(std::move(row));
    }
    return rows;
  }

 private:
  Result<Row> read_row() {
    Row row;
    for (;;) {
      PAWL_TRY(std::string cell, read_cell());
      row.push_back(std::move(cell));
      if (!take(delimiter_)) break;
    }
    take('\r');
    if (!rest_.empty() && !take('\n')) return invalid("A cell goes on after its closing quote.");
    return row;
  }

  Result<std::string> read_cell() {
    if (take('"')) return read_quoted();
    const char ends[] = {delimiter_, '\r', '\n'};
    const size_t end = std::min(rest_.find_first_of(std::string_view(ends, sizeof ends)), rest_.size());
    std::string cell(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return cell;
  }

  Result<std::string> read_quoted() {
    std::string cell;
    for (;;) {
      const size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) return invalid("A quote is not closed.");
      cell += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!take('"')) return cell;
      cell += '"';
    }
  }

  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  std::string_view rest_;
  char delimiter_;
};

Result<Row> given_headers(const Value& config) {
  const Value* names = config.find("CSVHeaders");
  Row headers;
  if (names != nullptr && names->is_array())
    for (const Value& name : names->items())
      if (name.is_string()) headers.emplace_back(name.as_string());
  if (headers.empty()) return invalid("CSVHeaderLocation GIVEN needs CSVHeaders.");
  return headers;
}

// Cells without a header are left out, headers without a cell are empty.
Value to_item(const Row& headers, const Row& row) {
  json::ObjectBuilder item(headers.size());
  for (size_t i = 0; i < headers.size(); ++i)
    item.set(headers[i], Value::string(i < row.size() ? std::string_view(row[i]) : std::string_view()));
  return item.build();
}

Result<Value> read_csv(std::string_view text, const Value& config) {
  PAWL_TRY(std::vector<Row> rows, CsvReader(text, delimiter_of(config)).read());
  Row headers;
  if (text_at(config, "CSVHeaderLocation") == "GIVEN") {
    PAWL_TRY(headers, given_headers(config));
  } else {
    if (rows.empty()) return invalid("There is no row of headers.");
    headers = std::move(rows.front());
    rows.erase(rows.begin());
  }
  Row sorted = headers;
  std::ranges::sort(sorted);
  if (std::ranges::adjacent_find(sorted) != sorted.end()) return invalid("A header is there twice.");
  json::ArrayBuilder items(rows.size());
  for (const Row& row : rows) items.push(to_item(headers, row));
  return items.build();
}

Result<Value> read_all(std::string_view text, const Value& config) {
  const std::string type = text_at(config, "InputType");
  if (type == "CSV") return read_csv(text, config);
  if (type == "JSONL") return read_json_lines(text);
  if (type.empty() || type == "JSON") return read_json(text, text_at(config, "ItemsPointer"));
  return invalid("Data of the InputType '" + type + "' cannot be read from a text.");
}

// 0 means all.
Value at_most(const Value& items, const Value& config) {
  const Value* limit = config.find("MaxItems");
  const int64_t count = limit != nullptr && limit->is_number() ? limit->as_integer().value_or(0) : 0;
  if (count <= 0 || static_cast<size_t>(count) >= items.size()) return items;
  json::ArrayBuilder kept(static_cast<size_t>(count));
  for (size_t i = 0; i < static_cast<size_t>(count); ++i) kept.push(items.at(i));
  return kept.build();
}

}  // namespace

Result<Value> read_items(std::string_view text, const Value& config) {
  auto items = read_all(text, config);
  if (!items) return items;
  return at_most(*items, config);
}

}  // namespace pawl::asl
