#include "model/load.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "model/binder.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"
#include "yaml/tree.h"

namespace agneto::model {

namespace {

// `agneto.yaml` may be in a folder called `workflows` without saying so: then with its whole path.
fs::path with_its_folder(const fs::path& file) {
  const fs::path folder = file.parent_path().filename();
  if (!folder.empty() && folder != "..") return file;
  const fs::path whole = fs::absolute(file).lexically_normal();
  return whole.parent_path().filename() == "workflows" ? whole : file;
}

class Loader : public References {
 public:
  Loader(const fs::path& given, const Files& files, Diagnostics& diagnostics)
      : files_(files), diagnostics_(diagnostics) {
    const fs::path file = with_its_folder(given.lexically_normal());
    root_ = root_of(file);
    pending_.push_back({file, {}});
    ids_.emplace(file, 0);
    if (file.is_absolute() && given.is_relative()) shown_from_ = fs::current_path();
  }

  Loaded load() {
    System system;
    system.root = root_;
    // Binding a machine may add machines to load; each path is there once, so this ends.
    for (current_ = 0; current_ < pending_.size(); ++current_) {
      system.machines.push_back(load_machine(static_cast<MachineId>(current_)));
    }
    for (const Machine& machine : system.machines) check_delegates(machine, system);
    check_worktree(system);
    loaded_.draft = std::make_shared<const System>(std::move(system));
    if (!diagnostics_.has_errors()) loaded_.system = loaded_.draft;
    return std::move(loaded_);
  }

  MachineId machine(const yaml::Node& path) override {
    const fs::path file = resolve(path);
    if (file.empty()) return none;
    const auto [known, added] = ids_.emplace(file, static_cast<MachineId>(pending_.size()));
    if (added) pending_.push_back({file, path.span});
    return known->second;
  }

  fs::path hooks(const yaml::Node& path) override {
    fs::path file = resolve(path);
    if (!file.empty() && !files_.read(file)) missing(file, path.span);
    return file;
  }

 private:
  struct Pending {
    fs::path file;
    Span from;  // the reference; nowhere for the file that was asked for
  };

  Machine load_machine(MachineId id) {
    Machine machine;
    machine.id = id;
    machine.file = pending_[id].file;
    std::optional<std::string> text = files_.read(machine.file);
    machine.source = std::make_shared<const Source>(shown(machine.file), text.value_or(""));
    if (!text) {
      missing(machine.file, pending_[id].from);
      return machine;
    }
    loaded_.sources.push_back(machine.source);
    const std::unique_ptr<yaml::Node> tree = yaml::parse(machine.source, diagnostics_);
    if (!tree || !check_version(*tree)) return machine;
    check_shape(*tree, ConstructId::machine, diagnostics_);
    Binder(machine, *this, suggestions_, diagnostics_).bind(*tree);
    return machine;
  }

  // What a newer version means cannot be known, so that nothing else is said about such a file.
  bool check_version(const yaml::Node& tree) {
    const yaml::Node* version = tree.find("agneto");
    const std::optional<int> number = version ? as_integer(*version) : std::nullopt;
    if (!number || *number == language_version) return true;
    if (*number < language_version) {
      diagnostics_.report(rules::version, version->span,
                          fmt::format("there is no version {} of the language", *number),
                          fmt::format("write agneto: {}", language_version));
      return true;
    }
    diagnostics_.report(
        rules::version, version->span,
        fmt::format("this file is in version {} of the language, and this program knows version {}",
                    *number, language_version),
        "install a newer agneto");
    return false;
  }

  // The file that `path` names beside the file that is bound; empty, and reported, where it is
  // outside of the root.
  fs::path resolve(const yaml::Node& path) {
    if (path.text.empty()) return {};
    const fs::path file = (pending_[current_].file.parent_path() / path.text).lexically_normal();
    if (is_within(file, root_)) return file;
    diagnostics_.report(
        rules::outside_root, path.span,
        fmt::format("'{}' is outside of the workflow's folder '{}'", path.text, root_.string()),
        "a workflow loads files of its own folder alone, or of the folder around it where "
        "that is called 'workflows'");
    return {};
  }

  std::string shown(const fs::path& file) const {
    return shown_from_.empty() ? file.string() : file.lexically_relative(shown_from_).string();
  }

  void missing(const fs::path& file, Span from) {
    Diagnostic& problem = diagnostics_.report(
        rules::missing_file, from, fmt::format("cannot read the file '{}'", shown(file)));
    if (from) problem.help = "paths are relative to the file they are written in";
  }

  // Does `with` fit the inputs of the machine that is delegated to?
  void check_delegates(const Machine& machine, const System& system) {
    for (const State& state : machine.states) {
      const Delegate* delegate = delegate_of(state.activity);
      if (!delegate || delegate->machine == none) continue;
      const Machine& to = system.machine(delegate->machine);
      if (to.states.empty()) continue;  // it could not be read
      check_inputs(*delegate, to);
    }
  }

  void check_worktree(const System& system) {
    const Machine& main = system.main();
    const State* state = main.in_place ? system.needs_worktree() : nullptr;
    if (!state) return;
    Diagnostic& problem = diagnostics_.report(
        rules::needs_worktree, state->span,
        fmt::format("'{}' needs a worktree, and a run of '{}' has none", state->name, main.name),
        "leave `workspace: none` out, or let nobody edit, commit or merge");
    problem.related.push_back({main.in_place_span, "said here"});
  }

  void check_inputs(const Delegate& delegate, const Machine& to) {
    std::set<std::string_view> given;
    for (const Binding& with : delegate.with) given.insert(with.name);
    std::set<std::string_view> declared;
    for (const Variable& input : to.inputs) {
      declared.insert(input.name);
      if (!input.required() || given.contains(input.name)) continue;
      Diagnostic& problem = diagnostics_.report(
          rules::missing_input, delegate.span,
          fmt::format("the machine '{}' needs the input '{}'", to.name, input.name),
          fmt::format("add it: with: {{{}: ...}}", input.name));
      problem.related.push_back({input.span, "declared here"});
    }
    for (const Binding& with : delegate.with) {
      if (declared.contains(with.name)) continue;
      Diagnostic& problem = diagnostics_.report(
          rules::unknown_input, with.span,
          fmt::format("the machine '{}' has no input '{}'", to.name, with.name));
      suggestions_.give(problem, with.name, "inputs", [&] {
        std::vector<std::string> free = names_of(to.inputs);
        std::erase_if(free, [&](const std::string& name) { return given.contains(name); });
        return free;
      });
      if (problem.help.empty()) problem.help = "leave it out";
    }
  }

  fs::path root_;
  fs::path shown_from_;  // messages show paths relative to this, where it is not empty
  const Files& files_;
  Diagnostics& diagnostics_;
  Loaded loaded_;
  Suggestions suggestions_;
  std::vector<Pending> pending_;  // by MachineId
  std::map<fs::path, MachineId> ids_;
  std::size_t current_ = 0;  // the machine that is bound
};

}  // namespace

fs::path root_of(const fs::path& file) {
  const fs::path folder = file.lexically_normal().parent_path();
  if (folder.filename() != "workflows") return folder.empty() ? fs::path(".") : folder;
  const fs::path parent = folder.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

Loaded load(const fs::path& file, const Files& files, Diagnostics& diagnostics) {
  return Loader(file, files, diagnostics).load();
}

}  // namespace agneto::model
