// What durable operations throw. An operation that failed throws the same type with the same content on the first run
// and on each replay, because both are built from the recorded ErrorObject.
//
//   Error
//   ├─ StepError                     a step, its retries exhausted
//   ├─ WaitConditionError            a check of wait_for_condition threw, or its attempts ran out
//   ├─ ChildContextError             a child context, a branch of parallel, an item of map
//   ├─ CallbackError                 a callback was failed from outside
//   │  ├─ CallbackTimeoutError       or not answered, or without a heartbeat, in time
//   │  └─ CallbackSubmitterError     or never handed out: the submitter of wait_for_callback failed
//   ├─ InvokeError                   an invoked function failed
//   │  ├─ InvokeTimeoutError
//   │  └─ InvokeStoppedError
//   ├─ AggregateError                every future of any() failed
//   └─ ValidationError               a call was wrong: a name, a duration, a context used outside its branch
#pragma once

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pawl/durable/traced.h"
#include "pawl/durable/types.h"

namespace pawl::durable {

// An error of your own with a type that survives replay:
//   throw durable::ApplicationError("OutOfStock", "no more of " + sku, R"({"sku":"A-1"})");
class ApplicationError : public std::runtime_error, public Traced {
 public:
  ApplicationError(std::string type, const std::string& message, std::string data = {})
      : std::runtime_error(message), type_(std::move(type)), data_(std::move(data)) {}

  const std::string& type() const noexcept { return type_; }
  const std::string& data() const noexcept { return data_; }

 private:
  std::string type_;
  std::string data_;
};

// The base of all that operations throw. `what()` is the message of the cause.
class Error : public std::runtime_error {
 public:
  Error(const char* type, ErrorObject cause)
      : std::runtime_error(cause.message.value_or(cause.type.value_or("no message was recorded"))),
        type_(type),
        cause_(std::move(cause)) {}

  // The name of this class: "StepError".
  const char* type() const noexcept { return type_; }
  // What was recorded: the type, message, data and stack of the original error.
  const ErrorObject& cause() const noexcept { return cause_; }
  // True where the original error was of that type; a namespace may be left out.
  bool caused_by(std::string_view type) const;

 private:
  const char* type_;
  ErrorObject cause_;
};

#define PAWL_DURABLE_ERROR(Name, Base)                                          \
  class Name : public Base {                                                    \
   public:                                                                      \
    explicit Name(ErrorObject cause) : Base(#Name, std::move(cause)) {}         \
                                                                                \
   protected:                                                                   \
    Name(const char* type, ErrorObject cause) : Base(type, std::move(cause)) {} \
  }

PAWL_DURABLE_ERROR(StepError, Error);
PAWL_DURABLE_ERROR(WaitConditionError, Error);
PAWL_DURABLE_ERROR(ChildContextError, Error);
PAWL_DURABLE_ERROR(CallbackError, Error);
PAWL_DURABLE_ERROR(CallbackTimeoutError, CallbackError);
PAWL_DURABLE_ERROR(CallbackSubmitterError, CallbackError);
PAWL_DURABLE_ERROR(InvokeError, Error);
PAWL_DURABLE_ERROR(InvokeTimeoutError, InvokeError);
PAWL_DURABLE_ERROR(InvokeStoppedError, InvokeError);
PAWL_DURABLE_ERROR(AggregateError, Error);
#undef PAWL_DURABLE_ERROR

class ValidationError : public Error {
 public:
  explicit ValidationError(std::string message);
};

// An at-most-once step was found started and not ended: it may have run. The retry strategy sees this.
class StepInterruptedError : public std::runtime_error {
 public:
  StepInterruptedError();
};

// A step ran longer than its `timeout`. The retry strategy sees this.
class StepTimeoutError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What is recorded of an exception: its type's name (ApplicationError's own, Error's class, else the C++ type), its
// message, and where it was made if it is Traced. An Error keeps the trace of what it was recorded for.
ErrorObject describe(const std::exception_ptr& exception);

// An error as JSON of the API ({"ErrorType":…,"ErrorMessage":…}), and back.
std::string to_text(const ErrorObject& error);

}  // namespace pawl::durable
