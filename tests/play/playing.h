// Test files and workflows in memory.
#pragma once

#include <map>
#include <string>

#include "base/files.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "support/paths.h"

namespace agneto::play {

// A workflow that asks an agent, then a person.
inline const char* const flow = R"yaml(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {note: "", rounds: 0}
agents: {worker: {hooks: worker.lua}}
initial: WORKING
on: {abort: ABORTED}
states:
  WORKING:
    agent: {name: worker, verdicts: {DONE: {note: string}, MORE: {}}}
    on:
      DONE: {target: GATE, do: ctx.note = event.note}
      MORE: {target: WORKING, do: ctx.rounds = ctx.rounds + 1}
      error: {target: BROKEN, do: ctx.note = event.message}
  GATE:
    ask:
      question: Good?
      options: {YES: "Yes", NO: {label: "No", feedback: required}}
    after: {1h: LATE}
    on: {YES: TESTING, NO: {target: WORKING, do: ctx.note = event.feedback}}
  TESTING:
    run: {argv: [make, test]}
    on: {ok: FINE, failed: {target: BROKEN, do: ctx.note = event.output}}
  FINE: {final: true}
  LATE: {final: true}
  BROKEN: {final: true, status: failed}
  ABORTED: {final: true, status: aborted}
outputs: {note: ctx.note}
)yaml";

// The files of a test, and the hook library from the source tree.
class TestFiles : public Files {
 public:
  explicit TestFiles(const std::map<std::string, std::string>& texts) : memory_(texts) {
    if (!memory_.read("/w/flow.yaml")) memory_.add("/w/flow.yaml", flow);
    if (!memory_.read("/w/worker.lua")) {
      memory_.add("/w/worker.lua", "return {prompt = function(m) return m.inputs.task end}\n");
    }
  }
  std::optional<std::string> read(const fs::path& path) const override {
    auto text = memory_.read(path);
    return text ? text : disk_.read(path);
  }

 private:
  MemoryFiles memory_;
  Disk disk_;
};

// What is printed of a file's cases: its mistakes, or each case's failures; empty: all passed.
inline std::string played(const std::string& test,
                          const std::map<std::string, std::string>& texts = {}) {
  const TestFiles files(texts);
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>("flow.test.yaml", test);
  const fs::path library = AGNETO_SOURCE_DIR "/scripts/lib";
  const auto suite = read_suite("/w/flow.test.yaml", source, files, library, diagnostics);
  if (!suite) return render(diagnostics);
  const Workflow workflow = load_workflow(suite->workflow, files, library, diagnostics);
  if (!diagnostics.has_errors()) check_suite(*suite, *workflow.loaded.system, diagnostics);
  if (diagnostics.has_errors()) return render(diagnostics);
  std::string text;
  for (const Case& row : suite->cases) {
    for (const Failure& failure : play_case(row, workflow).failures) {
      text += render(failure.diagnostic);
      for (const auto& line : failure.details) text += "    " + line + "\n";
    }
  }
  return text;
}

// One case with the task "it".
inline std::string case_of(const std::string& body) {
  return "agneto-test: 1\ndefaults: {inputs: {task: it}}\ncases:\n  - name: one\n" + body;
}

}  // namespace agneto::play
