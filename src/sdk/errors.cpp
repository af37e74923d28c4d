// What is recorded of exceptions.
#include "pawl/durable/errors.h"

#include <cstdlib>
#include <memory>
#include <typeinfo>

#include <cxxabi.h>

#include "pawl/durable/json.h"
#include "sdk/type_names.h"

namespace pawl::durable {

std::string detail::demangled(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(mangled, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 ? std::string(name.get()) : std::string(mangled);
}

namespace {

std::string type_name(const std::type_info& type) { return detail::demangled(type.name()); }

struct Here : Traced {};

std::vector<std::string> trace_of(const std::exception& error) {
  const auto* traced = dynamic_cast<const Traced*>(&error);
  return traced == nullptr ? std::vector<std::string>() : traced->stack_trace();
}

// Cuts at a character's border.
void shorten(std::optional<std::string>& text, std::size_t bytes_max) {
  if (!text || text->size() <= bytes_max) return;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>((*text)[end]) & 0xC0) == 0x80) --end;
  text->resize(end);
  *text += "…";
}

ErrorObject bounded(ErrorObject error) {
  shorten(error.type, 1024);
  shorten(error.message, kErrorBytesMax / 4);
  shorten(error.data, kErrorBytesMax / 4);
  return error;
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace

bool Error::caused_by(std::string_view type) const {
  const std::string_view recorded = cause_.type ? std::string_view(*cause_.type) : std::string_view();
  if (recorded == type) return true;
  return recorded.size() > type.size() + 2 && recorded.ends_with(type) &&
         recorded.substr(0, recorded.size() - type.size()).ends_with("::");
}

ValidationError::ValidationError(std::string message)
    : Error("ValidationError", ErrorObject{"ValidationError", std::move(message), std::nullopt, Here().stack_trace()}) {
}

StepInterruptedError::StepInterruptedError()
    : std::runtime_error("The step was started and did not end: its process was interrupted. It may have run.") {}

ErrorObject describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const ApplicationError& error) {
    return bounded({error.type(), error.what(), unless_empty(error.data()), error.stack_trace()});
  } catch (const Error& error) {
    return bounded({error.type(), error.what(), error.cause().data, error.cause().stack_trace});
  } catch (const SerializationError& error) {
    return bounded({"SerializationError", error.what(), std::nullopt, {}});
  } catch (const StepInterruptedError& error) {
    return bounded({"StepInterruptedError", error.what(), std::nullopt, {}});
  } catch (const StepTimeoutError& error) {
    return bounded({"StepTimeoutError", error.what(), std::nullopt, {}});
  } catch (const std::exception& error) {
    return bounded({type_name(typeid(error)), error.what(), std::nullopt, trace_of(error)});
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return bounded({type != nullptr ? type_name(*type) : "unknown",
                    "something that is no std::exception was thrown",
                    std::nullopt,
                    {}});
  }
}

}  // namespace pawl::durable
