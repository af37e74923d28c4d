// BatchResult<T>: what map and parallel give.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pawl/durable/errors.h"
#include "pawl/durable/serdes.h"

namespace pawl::durable {

enum class ItemStatus { Started, Succeeded, Failed };
enum class CompletionReason { AllCompleted, MinSuccessfulReached, FailureToleranceExceeded };

std::string_view to_string(ItemStatus status);              // "SUCCEEDED"
std::string_view to_string(CompletionReason reason);        // "ALL_COMPLETED"
ItemStatus item_status(std::string_view text);              // throws SerializationError
CompletionReason completion_reason(std::string_view text);  // throws SerializationError

template <typename T>
struct BatchItem {
  std::size_t index = 0;
  ItemStatus status = ItemStatus::Started;
  std::optional<T> result;
  std::optional<ErrorObject> error;
};

// The items that were begun, by index, and why no more were.
template <typename T>
class BatchResult {
 public:
  BatchResult() = default;
  BatchResult(std::vector<BatchItem<T>> items, CompletionReason reason) : items_(std::move(items)), reason_(reason) {}

  const std::vector<BatchItem<T>>& items() const noexcept { return items_; }
  CompletionReason completion_reason() const noexcept { return reason_; }
  // "FAILED" as soon as one item failed, else "SUCCEEDED".
  std::string_view status() const { return has_failure() ? "FAILED" : "SUCCEEDED"; }

  std::size_t success_count() const { return count(ItemStatus::Succeeded); }
  std::size_t failure_count() const { return count(ItemStatus::Failed); }
  std::size_t started_count() const { return count(ItemStatus::Started); }
  std::size_t total_count() const { return items_.size(); }
  bool has_failure() const { return failure_count() != 0; }

  std::vector<BatchItem<T>> succeeded() const { return filtered(ItemStatus::Succeeded); }
  std::vector<BatchItem<T>> failed() const { return filtered(ItemStatus::Failed); }
  std::vector<BatchItem<T>> started() const { return filtered(ItemStatus::Started); }

  // The results of the items that succeeded, by index.
  std::vector<T> results() const {
    std::vector<T> results;
    for (const BatchItem<T>& item : items_) {
      if (item.result) results.push_back(*item.result);
    }
    return results;
  }
  std::vector<ErrorObject> errors() const {
    std::vector<ErrorObject> errors;
    for (const BatchItem<T>& item : items_) {
      if (item.error) errors.push_back(*item.error);
    }
    return errors;
  }
  // Throws the first failure as ChildContextError.
  void throw_if_error() const {
    for (const BatchItem<T>& item : items_) {
      if (item.error) throw ChildContextError(*item.error);
    }
  }

 private:
  std::size_t count(ItemStatus status) const {
    std::size_t found = 0;
    for (const BatchItem<T>& item : items_) found += item.status == status;
    return found;
  }
  std::vector<BatchItem<T>> filtered(ItemStatus status) const {
    std::vector<BatchItem<T>> found;
    for (const BatchItem<T>& item : items_) {
      if (item.status == status) found.push_back(item);
    }
    return found;
  }

  std::vector<BatchItem<T>> items_;
  CompletionReason reason_ = CompletionReason::AllCompleted;
};

namespace detail {

ErrorObject read_error(const Json& json);

// Reads {"all":[{"result":…,"index":0,"status":"SUCCEEDED"}],"completionReason":"ALL_COMPLETED"}.
template <typename T>
BatchResult<T> read_batch(const Serdes<T>& serdes, std::string_view text) {
  const Json json = Json::parse(text);
  std::vector<BatchItem<T>> items;
  for (const Json& element : json.at("all").as_array()) {
    BatchItem<T> item;
    item.index = static_cast<std::size_t>(element.at("index").as_unsigned());
    item.status = item_status(element.at("status").as_string());
    if (const Json* error = element.find("error")) item.error = read_error(*error);
    if (item.status == ItemStatus::Succeeded) {
      const Json* result = element.find("result");
      if (serdes.decode) {
        item.result = serdes.decode(result != nullptr ? std::string_view(result->as_string()) : std::string_view());
      } else {
        read_json(result != nullptr ? *result : Json(), item.result.emplace());
      }
    }
    items.push_back(std::move(item));
  }
  return BatchResult<T>(std::move(items), completion_reason(json.at("completionReason").as_string()));
}

}  // namespace detail
}  // namespace pawl::durable
