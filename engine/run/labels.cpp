#include "run/labels.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "journal/holds.h"
#include "process/process.h"
#include "run/prepare.h"
#include "script/driver.h"
#include "script/sandbox_driver.h"

namespace agneto::run {

bool is_label(std::string_view text) {
  constexpr std::size_t longest = 60;
  return !text.empty() && text.size() <= longest &&
         std::isalnum(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '.' || c == '-' || c == '_';
         });
}

std::string label_of_folder(const fs::path& root) {
  return journal::this_host() + ":" + root.string();
}

bool is_of_folder(const std::string& label) {
  return label.find(":/") != std::string::npos;
}

std::vector<std::string> needs_of(const record::RunOptions& options, const fs::path& root,
                                  const std::vector<std::string>& chosen) {
  std::set<std::string> needs(chosen.begin(), chosen.end());
  for (const auto& [agent, provider] : options.providers) {
    // A package's comes with the run's files, wherever these are.
    const bool travels = !options.hub.empty() && provider.find('/') != std::string::npos;
    if (!travels) needs.insert(provider);
  }
  if (options.hub.empty() && is_shared(journal_place(root))) {
    needs.insert(label_of_folder(root));
  }
  return {needs.begin(), needs.end()};
}

std::vector<std::string> labels_of(const Config& config, const fs::path& folder,
                                   const Resources& resources) {
  std::vector<std::string> labels = config.labels;
  if (!config.sandbox.is_on()) return labels;
  try {
    const std::string program =
        script::SandboxDriver(config.sandbox.driver, Disk(), sandbox_folders(folder, resources))
            .program();
    if (program.empty() || process::find_program(program)) labels.emplace_back(label_of_sandbox);
  } catch (const Error&) {  // whoever takes up a run is told of it
  }
  return labels;
}

std::map<std::string, fs::path> callable_providers(const fs::path& folder,
                                                   const Resources& resources) {
  std::map<std::string, fs::path> callable;
  const auto folders = provider_folders(folder, resources);
  std::vector<std::string> names = script::providers_in(folders);
  std::ranges::move(packaged_providers(folder), std::back_inserter(names));
  for (const std::string& name : names) {
    try {
      const std::string program = script::Driver(name, Disk(), folders).program();
      const auto found = program.empty() ? fs::path() : process::find_program(program);
      if (found) callable[name] = *found;
    } catch (const Error&) {
      continue;  // whoever uses that driver is told of it
    }
  }
  return callable;
}

}  // namespace agneto::run
