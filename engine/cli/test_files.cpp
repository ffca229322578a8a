#include "cli/test_files.h"

#include <algorithm>

#include "lint/team/rule_test.h"
#include "model/load.h"
#include "play/scenario.h"

namespace agneto::cli {

namespace {

constexpr std::string_view ending = ".test.yaml";
constexpr std::string_view lua_ending = ".test.lua";

// Where a repository keeps its own, the team's and the whole's.
constexpr const char* own_folders[] = {".agneto/workflows", ".agneto/scripts", ".agneto/lint",
                                       "workflows", "scripts"};

bool is_test(const fs::path& path) {
  return path.filename().string().ends_with(ending) || is_lua_test(path) ||
         lint::is_rule_test(path);
}

class Search {
 public:
  Search(const Context& context, const Files& files, std::set<fs::path>& searched)
      : context_(context), files_(files), searched_(searched) {}

  std::vector<fs::path> take() { return std::move(found_); }
  bool empty() const { return found_.empty(); }

  void below(const fs::path& folder) {
    for (const auto& path : entries(folder)) {
      const std::string name = path.filename().string();
      if (name == ".agneto") {
        for (const char* own : {"lint", "scripts", "workflows"}) {
          if (fs::is_directory(path / own)) below(path / own);
        }
      } else if (fs::is_directory(path) && !fs::is_symlink(path)) {
        if (!name.starts_with('.') && name != "node_modules") below(path);
      } else if (is_test(path)) {
        add(path);
      }
    }
  }

  void around() {
    const fs::path root = run::checkout_of(context_.folder);
    for (const char* own : own_folders) {
      if (fs::is_directory(root / own)) below(from_here(root / own));
    }
  }

  void argument(const std::string& wanted) {
    if (fs::is_directory(wanted)) return below(wanted);
    if (is_test(wanted)) {
      require(wanted);
      searched_.insert(folder_of(wanted));
      return add(wanted);
    }
    fs::path workflow = wanted;
    if (!fs::exists(workflow)) {
      workflow = from_here(run::find_workflow(wanted, context_.folder, context_.resources));
    }
    const fs::path scenarios = play::scenario_test_of(workflow);
    searched_.insert(folder_of(scenarios));
    const std::size_t before = found_.size();
    if (fs::exists(scenarios)) add(scenarios);
    for (const fs::path& folder : hook_folders(workflow)) {
      for (const fs::path& path : entries(folder)) {
        if (is_lua_test(path)) add(path);
      }
    }
    if (found_.size() == before) require(scenarios);
  }

 private:
  // What is in this checkout is called as it is from where one stands.
  fs::path from_here(const fs::path& path) const {
    if (!is_within(path, run::checkout_of(context_.folder))) return path;
    return path.lexically_proximate(fs::absolute(context_.folder));
  }

  static fs::path folder_of(const fs::path& file) {
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
  }

  static void require(const fs::path& file) {
    if (fs::exists(file)) return;
    throw Error("there is no test file " + file.string(),
                "write one beside the workflow; see docs/testing.md");
  }

  std::vector<fs::path> entries(const fs::path& folder) {
    searched_.insert(folder);
    std::vector<fs::path> all;
    for (const auto& entry : fs::directory_iterator(folder)) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

  // The folders of all its machines' hooks, but for those of a workflow elsewhere that it extends.
  // What is wrong with the workflow is said when it is played.
  std::set<fs::path> hook_folders(const fs::path& workflow) const {
    Diagnostics ignored;
    const model::Loaded loaded =
        model::load(workflow, files_, ignored, context_.resources.library());
    std::set<fs::path> folders;
    if (!loaded.system) return folders;
    for (const model::Machine& machine : loaded.system->machines) {
      for (const model::Agent& agent : machine.agents) {
        const fs::path folder = folder_of(agent.hooks);
        if (!is_within(agent.hooks, loaded.system->roots.front())) continue;
        if (fs::is_directory(folder)) folders.insert(folder);
      }
    }
    return folders;
  }

  void add(const fs::path& path) {
    fs::path plain = path.lexically_normal();
    if (known_.insert(fs::absolute(plain)).second) found_.push_back(std::move(plain));
  }

  const Context& context_;
  const Files& files_;
  std::set<fs::path>& searched_;
  std::vector<fs::path> found_;
  std::set<fs::path> known_;
};

}  // namespace

bool is_lua_test(const fs::path& path) {
  return path.filename().string().ends_with(lua_ending);
}

std::vector<fs::path> test_files(const std::vector<std::string>& wanted, const Context& context,
                                 const Files& files, std::set<fs::path>& searched) {
  Search search(context, files, searched);
  for (const std::string& each : wanted) search.argument(each);
  if (wanted.empty()) search.below(".");
  if (wanted.empty() && search.empty()) search.around();
  if (search.empty()) {
    const fs::path here = fs::absolute(wanted.empty() ? "." : wanted.front()).lexically_normal();
    throw Error("there are no test files in " + here.string(),
                "a workflow NAME.yaml is tested by NAME.test.yaml beside it; see docs/testing.md");
  }
  return search.take();
}

}  // namespace agneto::cli
