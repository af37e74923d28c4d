// Standard output and error: data on the first, everything else on the second.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "base/result.h"
#include "json/value.h"

namespace pawl::cli {

void print(std::string_view text);       // on stdout, as it is
void print_line(std::string_view text);  // on stdout
void complain(std::string_view text);    // on stderr, as it is

// A value as a line on stdout; indented where a person reads it.
void print_value(const json::Value& value);

// On stderr: "where: error CODE: cause" and its fix; with `json` one object a line.
void report(const Error& error, bool json);
void report(const Diagnostics& diagnostics, bool json);

// Whether stderr is a terminal that can redraw a line.
bool can_redraw();

// Makes sure that everything printed has arrived; else says so and gives kExitRefused instead of `code`.
int finish_output(int code);

}  // namespace pawl::cli
