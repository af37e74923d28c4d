// What the tests of the program share: a workflow driven by hand in virtual time, rebuilt after every turn.
#pragma once

#include <memory>
#include <string>

#include "kernel/program_test_fixture.h"
#include "lang/serverless/lint.h"
#include "lang/serverless/program.h"
#include "text/yaml.h"

namespace pawl::serverless {

class WorkflowTest : public kernel::ProgramTest {
 protected:
  // A workflow of these parts below its header.
  void load(const std::string& yaml) { load_text("id: test\nname: Test\nversion: '1.0'\n" + yaml); }

  // A whole definition, whatever ran before is forgotten.
  void load_text(const std::string& text) {
    const Options options;
    auto document = text::parse_yaml(text);
    ASSERT_TRUE(document.has_value()) << to_string(document.error());
    Diagnostics diagnostics;
    Definition definition = serverless::load(*std::move(document), options, files, diagnostics);
    for (const Diagnostic& diagnostic : diagnostics)
      ASSERT_NE(diagnostic.severity, Severity::kError) << diagnostic.code << " " << diagnostic.cause;
    auto program = Program::compile(std::move(definition.workflow), options);
    ASSERT_TRUE(program.has_value()) << to_string(program.error());
    run_program(*std::move(program));
  }

  const Definitions& definitions() const { return static_cast<const Program&>(program()).definitions(); }

  Files files;  // that what is loaded may refer to
};

}  // namespace pawl::serverless
