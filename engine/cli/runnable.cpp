#include "cli/runnable.h"

#include <fmt/format.h>

#include "cli/packages.h"
#include "model/load.h"
#include "packages/store.h"

namespace agneto::cli {

void read(Runnable& one, const Context& context) {
  Diagnostics diagnostics;
  const model::Loaded loaded =
      model::load(one.file, Disk(), diagnostics, context.resources.library());
  if (loaded.system) {
    one.description = loaded.system->main().description;
    one.inputs = loaded.system->main().inputs;
  } else {
    one.problem = diagnostics.sorted().front().message;
  }
}

std::vector<Runnable> runnables(const Context& context) {
  const fs::path home = packages_of(context.folder);
  std::vector<Runnable> all;
  for (const fs::path& file : run::workflows(context.folder, context.resources)) {
    const std::string from = is_within(file, home)                     ? "this repository"
                             : is_within(file, context.resources.user) ? "your own"
                                                                       : "comes with Agneto";
    all.push_back({file.stem(), from, file});
  }
  for (const model::Package& package : packages::Store(home).packages()) {
    const fs::path folder = model::package_folder(home, package.name);
    for (const fs::path& file : run::workflows_in(folder)) {
      all.push_back({package.name + "/" + file.stem().string(),
                     fmt::format("package {} {}", package.name, package.rev), folder / file});
    }
  }
  for (Runnable& one : all) read(one, context);
  return all;
}

std::vector<std::string> described(const std::vector<model::Variable>& inputs) {
  std::vector<std::string> lines;
  for (const model::Variable& input : inputs) {
    std::string line = input.name + " (" + to_text(input.type);
    if (input.required()) line += ", needed";
    if (input.initial) line += ", else " + to_text(*input.initial);
    line += ")";
    if (!input.description.empty()) line += ": " + printable(input.description);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace agneto::cli
