#include "lsp/rename.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lsp/outcomes.h"
#include "lsp/protocol.h"
#include "model/machine.h"
#include "model/values.h"
#include "yaml/tree.h"

namespace agneto::lsp {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw RequestError(ErrorCode::request_failed, why);
}

// The name of the state that the mention names, and where in it; empty where it names none.
struct Named {
  std::string state;
  Span span;
};

Named state_of(const Mention& mention) {
  if (mention.role == Role::state) return {mention.name, mention.span};
  if (mention.role != Role::event || !mention.name.starts_with(model::done_of_state)) return {};
  Span span = mention.span;
  span.begin += static_cast<std::uint32_t>(model::done_of_state.size());
  return {mention.name.substr(model::done_of_state.size()), span};
}

void check_readable(const Outline& outline) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<const Source>(outline.path.string(), outline.source.text());
  if (yaml::parse(source, diagnostics)) return;
  const Diagnostic wrong = diagnostics.sorted().front();
  refuse(fmt::format("{} is not YAML at the moment: line {}: {}", outline.path.filename().string(),
                     wrong.span.line(), wrong.message));
}

void check_free(const Outline& outline, const std::string& name, const std::string& file) {
  if (!outline.state(name)) return;
  refuse(fmt::format("there is a state '{}' already in {}, on line {}", name, file,
                     outline.state(name)->span.line()));
}

std::vector<Target> mentions_of(const OutlinePtr& outline, const std::string& state) {
  std::vector<Target> result;
  for (const Mention& one : outline->mentions()) {
    const Named named = state_of(one);
    if (named.state == state) result.push_back(target(outline, named.span));
  }
  return result;
}

// Renames the outcome where another machine takes it.
class Parent {
 public:
  Parent(OutlinePtr outline, const fs::path& machine, std::string outcome, Outlines& outlines)
      : outline_(std::move(outline)),
        machine_(machine),
        outcome_(std::move(outcome)),
        outlines_(outlines) {}

  std::vector<Target> run() {
    for (const auto& state : outline_->states()) {
      if (delegate_of(*outline_, *state, false) == machine_) take(*state);
    }
    if (!result_.empty()) check_readable(*outline_);
    return std::move(result_);
  }

 private:
  // What takes the outcome of the state: its own transitions, else those of the states around it.
  void take(const State& state) {
    const State* around = &state;
    while (!rename_in(around) && around) around = around->parent;
  }

  // In the transitions of a state, or of the machine. False where there are none on the event.
  bool rename_in(const State* around) {
    bool found = false;
    for (const Mention& one : outline_->mentions()) {
      const bool takes = one.role == Role::event && !one.declares && one.name == outcome_ &&
                         outline_->state(one.place.state) == around;
      if (!takes) continue;
      check_others(around);
      found = true;
      const auto known = std::ranges::find(result_, one.span.begin, &Target::begin);
      if (known == result_.end()) result_.push_back(target(outline_, one.span));
    }
    return found;
  }

  // Does another activity end in an event of that name, which the transition would lose?
  void check_others(const State* around) {
    for (const NamedOutcome& outcome : outcomes_within(outline_, around, outlines_)) {
      if (outcome.event != outcome_) continue;
      if (delegate_of(*outline_, *outcome.state, false) != machine_) {
        refuse_for(outcome.state->name);
      }
    }
    for (const Mention& one : outline_->mentions()) {
      if (one.role == Role::event && one.declares && one.in_lua && one.name == outcome_) {
        refuse_for("an action");
      }
    }
  }

  [[noreturn]] void refuse_for(const std::string& other) {
    refuse(
        fmt::format("{} takes '{}' as an outcome of this machine and as an event of {}; give the "
                    "final state `outcome: {}` first, then only the state is renamed",
                    outline_->path.filename().string(), outcome_, other, outcome_));
  }

  OutlinePtr outline_;
  fs::path machine_;
  std::string outcome_;
  Outlines& outlines_;
  std::vector<Target> result_;
};

// The machine's file, and those that delegate to it, over however many others.
std::set<fs::path> around(const fs::path& machine, const std::set<fs::path>& files,
                          Outlines& outlines) {
  std::set<fs::path> result = {machine};
  for (std::size_t before = 0; before != result.size();) {
    before = result.size();
    for (const fs::path& file : files) {
      const OutlinePtr outline = outlines.of(file);
      if (!outline) continue;
      for (const Mention& one : outline->mentions()) {
        if (one.role == Role::machine && result.contains(outline->resolve(one.name))) {
          result.insert(file);
        }
      }
    }
  }
  return result;
}

bool is_part_of_a_name(std::string_view text, std::size_t at) {
  return at < text.size() && model::is_name(std::string("_") + text[at], false);
}

// The lines on which the name stands, from 1.
std::vector<std::string> lines_with(std::string_view text, const std::string& name) {
  std::vector<std::string> lines;
  int number = 0;
  for (const std::string_view line : split_lines(text)) {
    ++number;
    for (std::size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
      const bool begins = at == 0 || !is_part_of_a_name(line, at - 1);
      if (!begins || is_part_of_a_name(line, at + name.size())) continue;
      lines.push_back(std::to_string(number));
      break;
    }
  }
  return lines;
}

}  // namespace

Target renamable(const OutlinePtr& outline, std::size_t offset, Outlines& outlines) {
  const Mention* mention = outline->mention_at(offset);
  const Named named = mention ? state_of(*mention) : Named();
  if (named.state.empty() || offset < named.span.begin) {
    refuse("there is no state here; only states can be renamed");
  }
  for (const OutlinePtr& base : outlines.with_bases(outline)) {
    if (base == outline || !base->state(named.state)) continue;
    refuse(fmt::format("'{}' is a state of {}, which this file extends; rename it there",
                       named.state, base->path.filename().string()));
  }
  if (!outline->state(named.state)) refuse(fmt::format("there is no state '{}'", named.state));
  return target(outline, named.span);
}

std::vector<Target> rename(const OutlinePtr& outline, std::size_t offset, const std::string& name,
                           const std::set<fs::path>& files, Outlines& outlines) {
  const Target at = renamable(outline, offset, outlines);
  const std::string old = at.text();
  if (!model::is_name(name, false)) {
    refuse(
        fmt::format("'{}' is no state's name: write letters, digits, '_' and '-', not first a "
                    "digit or '-'",
                    name));
  }
  if (name == old) return {};
  for (const OutlinePtr& file : outlines.with_bases(outline)) {
    check_free(*file, name, file == outline ? "this file" : file->path.filename().string());
  }
  check_readable(*outline);
  std::vector<Target> result = mentions_of(outline, old);
  std::vector<OutlinePtr> machines = {outline};
  for (const OutlinePtr& other : outlines.extending(*outline, files)) {
    std::vector<Target> more = mentions_of(other, old);
    machines.push_back(other);
    check_free(*other, name, other->path.filename().string());
    if (!more.empty()) check_readable(*other);
    std::ranges::move(more, std::back_inserter(result));
  }
  const State& state = *outline->state(old);
  const bool is_outcome =
      state.kind() == "final" && !state.parent && !state.entry->value.find("outcome");
  if (!is_outcome) return result;
  for (const fs::path& file : files) {
    const OutlinePtr other = outlines.of(file);
    if (!other) continue;
    for (const OutlinePtr& machine : machines) {
      Parent parent(other, machine->path, old, outlines);
      for (Target& one : parent.run()) result.push_back(std::move(one));
    }
  }
  return result;
}

std::vector<std::string> left_alone(const OutlinePtr& outline, const std::string& name,
                                    const std::set<fs::path>& files, Outlines& outlines) {
  std::vector<std::string> result;
  for (const fs::path& machine : around(outline->path, files, outlines)) {
    const fs::path test = fs::path(machine).replace_extension(".test.yaml");
    const auto text = outlines.text(test);
    const auto lines = text ? lines_with(*text, name) : std::vector<std::string>();
    if (lines.empty()) continue;
    result.push_back(fmt::format("{} still names '{}', on {} {}: change it there too",
                                 test.filename().string(), name,
                                 lines.size() == 1 ? "line" : "lines", join(lines, ", ")));
  }
  return result;
}

}  // namespace agneto::lsp
