#include "base/result.h"

namespace pawl {

std::string to_string(const Error& error) {
  std::string text = error.code;
  if (!error.where.empty()) text += ": " + error.where;
  text += ": " + error.what;
  if (!error.fix.empty()) text += " (" + error.fix + ")";
  return text;
}

}  // namespace pawl
