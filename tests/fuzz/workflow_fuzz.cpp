// Any bytes as a workflow's file: read, compiled, checked, explored, corrected, and told in every
// format.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lint/report/fix.h"
#include "lint/report/format.h"

namespace {

using namespace agneto;

// Whatever the workflow names is there: every hook module, and every other machine.
class Team : public Files {
 public:
  explicit Team(std::string flow) : flow_(std::move(flow)) {}

  std::optional<std::string> read(const fs::path& path) const override {
    if (path.filename() == "flow.yaml") return flow_;
    if (path.extension() == ".lua") return "return {prompt = function(m) return m.state end}";
    return R"yaml(agneto: 1
name: other
inputs: {fast: {type: boolean, default: false}}
initial: A
states:
  A:
    run: {argv: [make]}
    on: {ok: DONE, failed: [{guard: inputs.fast, target: LOST}, DONE]}
  DONE: {final: true}
  LOST: {final: true, status: failed}
)yaml";
  }

 private:
  std::string flow_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Team files(std::string(reinterpret_cast<const char*>(data), size));
  const lint::Fixed fixed = lint::fix(
      [](const Files& now) { return lint::report({"team/flow.yaml"}, now, "lib", {}, true); },
      files);
  for (const lint::Format& format : lint::formats()) format.write(fixed.report, {});
  return 0;
}
