// Helpers for the tests of jq: a program and JSON in, outputs or an error out, as text.
#pragma once

#include <string>
#include <string_view>

#include "expr/jq/jq.h"
#include "json/parse.h"
#include "json/print.h"

namespace pawl::jq::testing {

inline Value json_of(std::string_view text) { return json::parse(text).value(); }

// The outputs with blanks between them; an error's code at the end.
inline std::string outputs_of(const Program& program, std::string_view input, const Evaluation& evaluation = {}) {
  Outputs outputs(program, json_of(input), evaluation);
  std::string all;
  const auto add = [&](const std::string& text) { all += (all.empty() ? "" : " ") + text; };
  while (true) {
    const auto output = outputs.next();
    if (!output) {
      add(output.error().code);
      return all;
    }
    if (!*output) return all;
    add(json::print(**output));
  }
}

inline std::string answer(std::string_view program, std::string_view input = "null",
                          const Evaluation& evaluation = {}) {
  const auto compiled = Program::compile(program);
  return compiled ? outputs_of(*compiled, input, evaluation) : compiled.error().code;
}

inline std::string sentence(std::string_view program, std::string_view input = "null") {
  const auto compiled = Program::compile(program);
  if (!compiled) return compiled.error().what;
  const auto outputs = compiled->evaluate(json_of(input));
  return outputs ? "no error" : outputs.error().what;
}

}  // namespace pawl::jq::testing
