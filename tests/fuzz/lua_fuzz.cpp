// Any bytes as a module of hooks and as a prompt: compiled and loaded in the sandbox, and looked at
// by lint.
#include <cstddef>
#include <cstdint>
#include <string>

#include "lint/report/report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace agneto;
  static const std::string library =
      Disk().read(fs::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua").value();
  MemoryFiles files;
  files.add("lib/agneto.lua", library);
  files.add("team/prompts.lua", "return {task = function(m) return m.inputs.task end}");
  files.add("team/flow.yaml", R"yaml(agneto: 1
name: flow
inputs: {task: {type: string, main: true}}
context: {rounds: 0, note: ""}
agents: {coder: {hooks: hooks.lua}, teller: {prompt: teller.md}}
initial: A
states:
  A:
    agent: {name: coder, verdicts: {DONE: {note: string}}}
    on: {DONE: {target: B, do: ctx.note = event.note}, error: B}
  B:
    agent: {name: teller, verdicts: {DONE: {note: string}}}
    on: {DONE: C, error: C}
  C: {final: true}
outputs: {note: ctx.note}
)yaml");
  const std::string text(reinterpret_cast<const char*>(data), size);
  files.add("team/hooks.lua", text);
  files.add("team/teller.md", text);
  lint::report({"team/flow.yaml"}, files, "lib", {});
  return 0;
}
