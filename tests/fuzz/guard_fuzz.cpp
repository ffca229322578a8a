// Any line as a guard, and what follows it as an action, in blocks of a workflow's file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lint/report/report.h"

namespace {

// As a YAML block in a map that begins in column 9.
std::string block(std::string_view text) {
  std::string lines = "|3\n            ";
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines += "            ";
  }
  return lines + "\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace agneto;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = text.find('\n');
  std::string transition = "       - guard: " + block(text.substr(0, end));
  if (end != std::string_view::npos) {
    transition += "         do: " + block(text.substr(end + 1));
  }
  MemoryFiles files;
  files.add("team/flow.yaml",
            "agneto: 1\nname: flow\ninputs: {fast: {type: boolean, default: false}}\n"
            "context: {n: 0, flag: false, list: [], word: \"\"}\ninitial: A\nstates:\n"
            "  A:\n    run: {argv: [make]}\n    on:\n      ok: B\n      failed:\n" +
                transition + "         target: A\n       - B\n  B: {final: true}\n");
  lint::report({"team/flow.yaml"}, files, "lib", {});
  return 0;
}
