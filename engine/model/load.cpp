#include "model/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "model/binder.h"
#include "model/extending.h"
#include "model/packages.h"
#include "model/places.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"
#include "yaml/reader.h"
#include "yaml/tree.h"

namespace agneto::model {

namespace {

using Tree = std::shared_ptr<const yaml::Node>;

class Loader : public References {
 public:
  Loader(const fs::path& given, const Files& files, const fs::path& library,
         Diagnostics& diagnostics)
      : files_(files),
        places_(given, files),
        bundled_(workflows_beside(library)),
        diagnostics_(&diagnostics) {
    pending_.push_back({places_.main(), {}});
    ids_.emplace(places_.main().file, 0);
    places_.check_main(diagnostics);
  }

  Loaded load() {
    System system;
    system.roots = {places_.main().root};
    // Binding a machine may add machines to load; each path is there once, so this ends.
    for (std::size_t id = 0; id < pending_.size(); ++id) {
      system.machines.push_back(load_machine(static_cast<MachineId>(id)));
    }
    for (const Machine& machine : system.machines) check_delegates(machine, system);
    check_worktree(system);
    // In the order in which the files were read: it decides which of two modules is found.
    for (const SourcePtr& source : loaded_.sources) {
      const fs::path& root = places_.of(source.get()).root;
      if (std::ranges::find(system.roots, root) == system.roots.end()) system.roots.push_back(root);
    }
    loaded_.draft = std::make_shared<const System>(std::move(system));
    if (!diagnostics_->has_errors()) loaded_.system = loaded_.draft;
    return std::move(loaded_);
  }

  MachineId machine(const yaml::Node& path) override {
    const auto place = places_.resolve(path, *diagnostics_);
    if (!place) return none;
    const auto [known, added] = ids_.emplace(place->file, static_cast<MachineId>(pending_.size()));
    if (added) pending_.push_back({*place, path.span});
    return known->second;
  }

  fs::path file_of(const yaml::Node& node) const override {
    return places_.of(node.span.source).file;
  }

  fs::path hooks(const yaml::Node& path) override {
    const auto place = places_.resolve(path, *diagnostics_);
    if (!place) return {};
    if (!files_.read(place->file)) missing(place->file, path.span);
    return place->file;
  }

 private:
  using Place = Places::Place;
  struct Pending {
    Place place;
    Span from;  // the reference; nowhere for the file that was asked for
  };

  // A file as it was read; no tree where it is not there or is no YAML, which is reported.
  struct Parsed {
    SourcePtr source;
    Tree tree;
  };

  Machine load_machine(MachineId id) {
    const Pending asked = pending_[id];
    Machine machine;
    machine.id = id;
    machine.file = asked.place.file;
    const Tree tree = extended(asked.place, asked.from, machine.sources);
    loaded_.trees.push_back(tree);
    if (!tree) return machine;
    if (machine.sources.size() > 1) {
      machine.extends = parsed_.at(machine.file).tree->find("extends")->span;
    }
    const std::string base = machine.extends ? machine.sources[1]->path() : "";
    noting(machine.extends, base, [&] { check(machine, *tree); });
    return machine;
  }

  void check(Machine& machine, const yaml::Node& tree) {
    check_shape(tree, ConstructId::machine, *diagnostics_);
    Binder(machine, *this, suggestions_, *diagnostics_).bind(tree);
    if (machine.extends) check_added(machine);
  }

  // Notes with what `act` finds wrong where the file is extended that messages call `base`, if it
  // is.
  template <typename Act>
  void noting(Span extends, const std::string& base, Act act) {
    if (!extends) return act();
    Diagnostics found;
    Diagnostics* const all = std::exchange(diagnostics_, &found);
    act();
    diagnostics_ = all;
    for (Diagnostic problem : found.sorted()) {
      if (problem.span.source != extends.source || problem.span.begin != extends.begin) {
        problem.related.push_back({extends, fmt::format("'{}' is extended here", base)});
      }
      diagnostics_->add(std::move(problem));
    }
  }

  // The file's tree, laid over the one that it extends, and so on. Null, and reported, where one is
  // missing. `sources`: the file's and theirs are added, the nearest first. `from`: the reference.
  Tree extended(const Place& place, Span from, std::vector<SourcePtr>& sources) {
    const Span extended_from = sources.empty() ? Span() : from;
    const std::string name = places_.shown(place.file);
    std::optional<Place> base;
    Tree own;
    noting(extended_from, name, [&] { own = read(place, from, sources, base); });
    if (!own || !base) return own;
    const Span extends = own->find("extends")->span;
    const Tree below = extended(*base, extends, sources);
    if (!below) return nullptr;
    auto tree = std::make_shared<yaml::Node>(*below);
    noting(extended_from, name, [&] {
      const std::string base_name = places_.shown(base->file);
      noting(extends, base_name, [&] { extend(*tree, *own, base_name, *diagnostics_); });
    });
    return tree;
  }

  // The file's own tree. `base`: what it extends, if it does.
  Tree read(const Place& place, Span from, std::vector<SourcePtr>& sources,
            std::optional<Place>& base) {
    const Parsed& parsed = parse(place, from);
    sources.push_back(parsed.source);
    if (!parsed.tree || !check_version(*parsed.tree, *diagnostics_)) return nullptr;
    const yaml::Node* extends = parsed.tree->find("extends");
    if (!extends) return parsed.tree;
    if (!parsed.tree->find("agneto")) {
      diagnostics_->report(rules::missing_key, extends->span,
                           "a file that extends another needs the key 'agneto', too",
                           "agneto: The version of the language: 1");
    }
    base = base_of(*extends);
    if (!base || !check_levels(*base, *extends, sources)) return nullptr;
    return parsed.tree;
  }

  const Parsed& parse(const Place& place, Span from) {
    const auto [known, added] = parsed_.try_emplace(place.file);
    Parsed& parsed = known->second;
    if (!added) return parsed;
    std::optional<std::string> text = files_.read(place.file);
    parsed.source = std::make_shared<const Source>(places_.shown(place.file), text.value_or(""));
    if (!text) {
      missing(place.file, from);
      return parsed;
    }
    loaded_.sources.push_back(parsed.source);
    places_.add(parsed.source.get(), place);
    parsed.tree = yaml::parse(parsed.source, *diagnostics_);
    return parsed;
  }

  // What `extends` names: a workflow that comes with the program, or a file.
  std::optional<Place> base_of(const yaml::Node& extends) {
    const std::string& name = extends.text;
    if (extends.kind != yaml::Kind::scalar || name.empty()) {
      diagnostics_->report(rules::no_base, extends.span,
                           fmt::format("'extends' must be the name of a workflow or the path of a "
                                       "file, found {}",
                                       yaml::found(extends)),
                           "for example extends: agneto");
      return std::nullopt;
    }
    if (!is_name(name, false)) return places_.resolve(extends, *diagnostics_);
    Place base{bundled_ / (name + ".yaml"), root_of(bundled_ / "any.yaml")};
    if (!bundled_.empty() && files_.read(base.file)) return base;
    Diagnostic& problem = diagnostics_->report(
        rules::no_base, extends.span,
        fmt::format("no workflow that comes with Agneto is called '{}'", name));
    const fs::path beside = places_.of(extends.span.source).file.parent_path() / (name + ".yaml");
    problem.help = files_.read(beside.lexically_normal())
                       ? fmt::format("for the file beside this one write extends: {}.yaml", name)
                       : "a file is named by its path, such as extends: base.yaml";
    return std::nullopt;
  }

  // Is the base none of the files that extend it, and not too deep below the first of them?
  bool check_levels(const Place& base, const yaml::Node& extends,
                    const std::vector<SourcePtr>& above) {
    std::vector<std::string> way;
    bool is_above = false;
    for (const SourcePtr& source : above) {
      is_above = is_above || places_.of(source.get()).file == base.file;
      if (is_above) way.push_back(source->path());
    }
    if (is_above) {
      way.push_back(way.front());
      diagnostics_->report(rules::no_base, extends.span,
                           "a file extends itself: " + join(way, " -> "),
                           "one of them is the first, and extends none of the others");
    } else if (above.size() > most_levels) {
      diagnostics_->report(rules::no_base, extends.span,
                           fmt::format("more than {} files extend one another", most_levels),
                           "put some of them together");
    }
    return !is_above && above.size() <= most_levels;
  }

  // A state that a file adds to its base may have been meant to change one of it.
  void check_added(const Machine& machine) {
    std::vector<bool> entered(machine.states.size());
    const auto enter = [&](StateId state) {
      for (; state != none && !entered[state]; state = machine.state(state).parent) {
        entered[state] = true;
      }
    };
    for (const State& state : machine.states) {
      for (const StateId target : state.start.targets) enter(target);
      if (state.kind != StateKind::parallel) continue;
      for (const StateId region : state.children) enter(region);
    }
    for (const Transition& transition : machine.transitions) {
      for (const StateId target : transition.targets) enter(target);
    }
    const SourcePtr& base = machine.sources.back();
    for (const State& state : machine.states) {
      const bool is_of_base = !state.span || state.span.source == base.get();
      if (state.id == 0 || entered[state.id] || is_of_base) continue;
      Diagnostic& problem =
          diagnostics_->report(rules::extension, state.span,
                               fmt::format("nothing leads to '{}', which '{}' does not have",
                                           state.name, machine.sources[1]->path()),
                               "lead to it from another state");
      std::vector<std::string> names;
      for (const State& other : machine.states) {
        if (other.id > 0 && other.span.source != state.span.source) names.push_back(other.name);
      }
      suggestions_.give(
          problem, state.name, "states", [&]() -> const auto& { return names; });
    }
  }

  void missing(const fs::path& file, Span from) {
    Diagnostic& problem = diagnostics_->report(
        rules::missing_file, from, fmt::format("cannot read the file '{}'", places_.shown(file)));
    if (!from) return;
    const fs::path& root = places_.of(from.source).root;
    const fs::path package = package_root(root, file);
    problem.help = package == root
                       ? "paths are relative to the file they are written in"
                       : fmt::format("the package has no such file; its files are in {}",
                                     places_.shown(package));
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
    Diagnostic& problem = diagnostics_->report(
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
      Diagnostic& problem = diagnostics_->report(
          rules::missing_input, delegate.span,
          fmt::format("the machine '{}' needs the input '{}'", to.name, input.name),
          fmt::format("add it: with: {{{}: ...}}", input.name));
      problem.related.push_back({input.span, "declared here"});
    }
    for (const Binding& with : delegate.with) {
      if (declared.contains(with.name)) continue;
      Diagnostic& problem = diagnostics_->report(
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

  const Files& files_;
  Places places_;
  const fs::path bundled_;    // the workflows that come with the program
  Diagnostics* diagnostics_;  // where problems are reported now
  Loaded loaded_;
  Suggestions suggestions_;
  std::vector<Pending> pending_;  // by MachineId
  std::map<fs::path, MachineId> ids_;
  std::map<fs::path, Parsed> parsed_;
};

}  // namespace

fs::path workflows_beside(const fs::path& library) {
  return library.empty() ? library : (library / ".." / ".." / "workflows").lexically_normal();
}

fs::path root_of(const fs::path& given) {
  const fs::path file = given.lexically_normal();
  for (fs::path up = file.parent_path(); up.has_relative_path(); up = up.parent_path()) {
    if (up.filename() != ".agneto") continue;
    const fs::path package = package_root(up, file);
    if (package != up) return package;
  }
  const fs::path folder = file.parent_path();
  if (folder.filename() != "workflows") return folder.empty() ? fs::path(".") : folder;
  const fs::path parent = folder.parent_path();
  return parent.empty() ? fs::path(".") : parent;
}

bool check_version(const yaml::Node& file, Diagnostics& diagnostics) {
  const yaml::Node* version = file.find("agneto");
  const std::optional<int> number = version ? as_integer(*version) : std::nullopt;
  if (!number || *number == language_version) return true;
  if (*number < language_version) {
    diagnostics.report(rules::version, version->span,
                       fmt::format("there is no version {} of the language", *number),
                       fmt::format("write agneto: {}", language_version));
    return true;
  }
  diagnostics.report(
      rules::version, version->span,
      fmt::format("this file is in version {} of the language, and this program knows version {}",
                  *number, language_version),
      "install a newer agneto");
  return false;
}

Loaded load(const fs::path& file, const Files& files, Diagnostics& diagnostics,
            const fs::path& library) {
  return Loader(file, files, library, diagnostics).load();
}

}  // namespace agneto::model
