// Any bytes as agneto.lock and as package.yaml: read, written again, and loaded with a workflow
// that extends one of the package.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "lint/report/format.h"
#include "model/packages.h"

namespace {

using namespace agneto;

// A package that is as any lock says.
class Team : public Files {
 public:
  explicit Team(std::string text) : text_(std::move(text)) {}

  std::optional<std::string> read(const fs::path& path) const override {
    if (path.filename() == "agneto.lock" || path.filename() == "package.yaml") return text_;
    if (path == "team/flow.yaml") return "agneto: 1\nextends: reviews/flow.yaml\nname: mine\n";
    if (path.filename() != "flow.yaml") return std::nullopt;
    return "agneto: 1\nname: flow\ninitial: A\nstates: {A: {final: true}}\n";
  }
  std::optional<std::string> tree_hash(const fs::path&) const override { return "abc"; }

 private:
  std::string text_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>("agneto.lock", text);
  const auto packages = model::read_lock(source, diagnostics);
  render(diagnostics);
  Diagnostics of_package;
  model::read_package(source, of_package);
  render(of_package);

  // What was read is written so that it is read again.
  Diagnostics again;
  const auto written = std::make_shared<const Source>("agneto.lock", model::to_yaml(packages));
  if (!diagnostics.has_errors()) {
    const auto read = model::read_lock(written, again);
    if (again.has_errors() || read.size() != packages.size()) std::abort();
  }

  const Team files(text);
  const lint::Report report = lint::report({"team/flow.yaml"}, files, "lib", {}, true);
  for (const lint::Format& format : lint::formats()) format.write(report, {});
  return 0;
}
