// What the tests of the program share: a state machine driven by hand in virtual time, rebuilt after every turn.
#pragma once

#include <memory>
#include <string>

#include "kernel/program_test_fixture.h"
#include "lang/sm4c/lint.h"
#include "lang/sm4c/program.h"
#include "text/yaml.h"

namespace pawl::sm4c {

class MachineTest : public kernel::ProgramTest {
 protected:
  // A machine of these parts below its header.
  void load(const std::string& yaml, const Options& options = {}) {
    load_text("id: test\nname: Test\nversion: '1.0'\n" + yaml, options);
  }

  // A whole definition, whatever ran before is forgotten.
  void load_text(const std::string& text, const Options& options = {}) {
    auto document = text::parse_definition(text);
    ASSERT_TRUE(document.has_value()) << to_string(document.error());
    Diagnostics diagnostics;
    Definition definition = sm4c::load(*std::move(document), options, files, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics)
      ASSERT_NE(diagnostic.severity, Severity::kError) << diagnostic.code << " " << diagnostic.cause;
    run_program(std::make_shared<Program>(std::move(definition.machine), options));
  }

  Files files;  // that what is loaded may refer to
};

}  // namespace pawl::sm4c
