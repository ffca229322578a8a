#include "lint/team/team_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>

#include "base/text.h"
#include "lint/catalogue.h"
#include "lint/team/rules.h"
#include "lint/team/workflow_data.h"
#include "script/modules.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::lint {

namespace {

using model::Machine;
using script::Sandbox;

constexpr std::size_t longest_text = 2000;      // bytes of what a rule says
constexpr std::size_t most_findings = 1000;     // of a rule in a machine
constexpr std::size_t most_parameters = 100;    // of a rule
constexpr std::uint64_t work_of_a_report = 50;  // instructions

// What a rule's file says of it.
struct Words {
  std::string id, name, summary, help;
  std::vector<std::pair<std::string, double>> parameters;  // with what they usually are
  auto operator<=>(const Words&) const = default;
};

struct KnownRule {
  Rule rule;
  std::vector<Parameter> parameters;
  std::vector<const Parameter*> listed;
};

const Rule& rule_of(const Words& words) {
  static std::mutex mutex;
  static std::map<Words, KnownRule> all;
  const std::lock_guard guard(mutex);
  auto& [own, known] = *all.try_emplace(words).first;
  if (known.rule.code.empty()) {
    for (const auto& [name, usual] : own.parameters) {
      known.parameters.push_back(
          {name, "", Parameter::Kind::number, usual, -std::numeric_limits<double>::infinity()});
    }
    for (const Parameter& one : known.parameters) known.listed.push_back(&one);
    known.rule = {own.id, own.name,    own.summary, own.help.empty() ? own.summary : own.help,
                  false,  known.listed};
  }
  return known.rule;
}

// Not one of ours, which have no such dash.
bool is_team_code(std::string_view code) {
  constexpr std::string_view prefix = "TEAM-";
  return code.starts_with(prefix) && code.size() > prefix.size() && code.size() <= 40 &&
         std::ranges::all_of(code.substr(prefix.size()), [](unsigned char c) {
           return std::isdigit(c) != 0 || std::isupper(c) != 0 || c == '-';
         });
}

bool is_rule_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.size() <= 60 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isdigit(c) != 0 || std::islower(c) != 0 || c == '-';
         });
}

bool is_parameter_name(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' && name.size() <= 60 &&
         std::ranges::all_of(name, [](unsigned char c) {
           return std::isdigit(c) != 0 || std::islower(c) != 0 || c == '_';
         });
}

// Lua counts with whole numbers where it can.
Json number(double value) {
  constexpr double exact = 1e15;
  const bool is_whole = std::trunc(value) == value && std::abs(value) < exact;
  return is_whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

std::string one_line(std::string_view text) {
  std::string line = printable(valid_utf8(text));
  std::ranges::replace(line, '\n', ' ');
  return std::string(trim(line));
}

// A sandbox with the rule's file. It is not thread-safe, so that each look at a system has its own.
class Bench {
 public:
  Bench(const fs::path& file, const Files& files, const fs::path& library)
      : file_(file.lexically_normal()),
        start_(file_.string(), ""),
        modules_(sandbox_, files, {file_.parent_path(), library}, {file_.parent_path(), library}) {}

  // What the file says of its rule; reports where that is no rule.
  std::optional<Words> words(Diagnostics& diagnostics) {
    Words words;
    auto error = sandbox_.run([&](lua_State* lua) {
      modules_.push(lua, file_);
      if (!read(lua, words)) sandbox_.fail(lua);
    });
    if (!error) return words;
    report(std::move(*error), diagnostics);
    return std::nullopt;
  }

  // Reports that the file cannot be used.
  void refuse(std::string why, Diagnostics& diagnostics) { report(std::move(why), diagnostics); }

  void check(const Rule& rule, const model::System& system, const Machine& machine,
             const Json& parameters, Diagnostics& diagnostics) {
    rule_ = &rule;
    machine_ = &machine;
    places_.clear();
    count_ = 0;
    diagnostics_ = &diagnostics;
    const Json workflow = workflow_data(system, machine, places_);
    auto error = sandbox_.run([&](lua_State* lua) {
      modules_.push(lua, file_);
      if (!lua_istable(lua, -1) || script::field_type(lua, "check") != LUA_TFUNCTION) {
        luaL_error(lua, "the file has changed meanwhile");
      }
      script::push_field(lua, "check");
      script::push_read_only(lua, workflow, "the workflow");
      lua_pushlightuserdata(lua, this);
      lua_pushcclosure(lua, report_from_lua, 1);
      script::push_read_only(lua, parameters, "the parameters");
      lua_call(lua, 3, 0);
    });
    if (!error) return;
    report(std::move(*error), diagnostics)
        .related.push_back({machine.state(0).span, "the rule was looking at this workflow"});
  }

 private:
  Diagnostic& report(std::string error, Diagnostics& diagnostics) {
    const Span place = modules_.take_place(error);
    return diagnostics.report(rules::team_rule, place ? place : start_.span(0, 0), one_line(error));
  }

  bool fail(std::string message) { return sandbox_.set_failure(std::move(message)); }

  // These raise no Lua error. The rule's table is on top of the stack.
  bool read(lua_State* lua, Words& words) {
    static constexpr std::string_view form =
        "return {id = \"TEAM-1\", summary = …, help = …, check = function(workflow, report) … end}";
    if (!lua_istable(lua, -1)) {
      return fail(fmt::format("this file returns no rule; write {}", form));
    }
    static const std::vector<std::string> known = {"id", "summary", "help", "parameters", "check"};
    for (const std::string& key : script::text_keys(lua, lua_gettop(lua))) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const std::string help = suggestion(key, known, "fields");
      return fail(fmt::format("a rule has no field '{}'; {}", one_line(key), help));
    }
    words.name = file_.stem().string();
    if (!is_rule_name(words.name)) {
      return fail("this file's name is the rule's: small letters, digits and dashes");
    }
    if (lint::find_rule(words.name)) {
      return fail(
          fmt::format("Agneto has a rule '{}' itself; call this file by another name", words.name));
    }
    if (!read_text(lua, "id", words.id) || !read_text(lua, "summary", words.summary)) return false;
    if (!is_team_code(words.id)) {
      return fail("the rule's 'id' is TEAM- and a number or a word in capitals, such as TEAM-1");
    }
    if (words.summary.empty()) return fail("the rule's 'summary' says what it finds");
    if (script::field_type(lua, "help") != LUA_TNIL && !read_text(lua, "help", words.help)) {
      return false;
    }
    if (script::field_type(lua, "parameters") != LUA_TNIL && !read_parameters(lua, words)) {
      return false;
    }
    if (script::field_type(lua, "check") == LUA_TFUNCTION) return true;
    return fail("the rule's 'check' is a function: function(workflow, report) … end");
  }

  bool read_parameters(lua_State* lua, Words& words) {
    script::push_field(lua, "parameters");
    const bool are_read = take_parameters(lua, words);
    lua_pop(lua, 1);
    return are_read;
  }

  bool take_parameters(lua_State* lua, Words& words) {
    static constexpr const char* form =
        "the rule's 'parameters' is a table of names and numbers, such as {most = 3}";
    if (!lua_istable(lua, -1)) return fail(form);
    const int table = lua_gettop(lua);
    for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
      if (lua_type(lua, -2) != LUA_TSTRING || lua_type(lua, -1) != LUA_TNUMBER) return fail(form);
      const std::string name = lua_tostring(lua, -2);
      if (name == "level") {
        return fail("a parameter's name is not 'level', which says how bad it is");
      }
      if (!is_parameter_name(name)) {
        return fail(
            fmt::format("a parameter's name is of small letters, digits and underscores, "
                        "and not '{}'",
                        one_line(name)));
      }
      const double usual = lua_tonumber(lua, -1);
      if (!std::isfinite(usual)) return fail(form);
      if (words.parameters.size() == most_parameters) {
        return fail(fmt::format("a rule has at most {} parameters", most_parameters));
      }
      words.parameters.emplace_back(name, usual);
    }
    std::ranges::sort(words.parameters);
    return true;
  }

  bool read_text(lua_State* lua, const char* field, std::string& text) {
    script::push_field(lua, field);
    const bool is_text = take_text(lua, -1, fmt::format("the rule's '{}'", field), text);
    lua_pop(lua, 1);
    return is_text;
  }

  bool take_text(lua_State* lua, int index, const std::string& what, std::string& text) {
    if (lua_isnil(lua, index)) return fail(what + " is missing");
    if (lua_type(lua, index) != LUA_TSTRING) {
      return fail(fmt::format("{} is a text, and not a {}", what, script::type_name(lua, index)));
    }
    std::size_t size = 0;
    const char* bytes = lua_tolstring(lua, index, &size);
    if (size > longest_text) {
      return fail(fmt::format("{} has at most {} bytes, and not {}", what, longest_text, size));
    }
    text = one_line({bytes, size});
    return true;
  }

  // report(element, message, help)
  static int report_from_lua(lua_State* lua) {
    auto& self = *static_cast<Bench*>(lua_touserdata(lua, lua_upvalueindex(1)));
    self.sandbox_.charge(lua, work_of_a_report);
    lua_settop(lua, 3);
    luaL_checkstack(lua, 4, nullptr);
    return self.take_finding(lua) ? 0 : self.sandbox_.fail(lua);
  }

  bool take_finding(lua_State* lua) {
    Diagnostic finding;
    finding.rule = rule_;
    finding.severity = Severity::warning;
    if (!find_place(lua, finding.span) || !take_text(lua, 2, "what is reported", finding.message)) {
      return false;
    }
    if (finding.message.empty()) return fail("what is reported says what is wrong");
    if (lua_isnil(lua, 3)) {
      finding.help = rule_->explanation == rule_->description ? "" : rule_->explanation;
    } else if (!take_text(lua, 3, "the help of what is reported", finding.help)) {
      return false;
    }
    if (++count_ > most_findings) {
      return fail(fmt::format("a rule reports at most {} findings of a workflow", most_findings));
    }
    diagnostics_->add(std::move(finding));
    return true;
  }

  bool find_place(lua_State* lua, Span& span) {
    static constexpr const char* form =
        "report is given what it is about: the workflow, or a part of it that has a place, such as "
        "a state";
    if (!lua_istable(lua, 1)) return fail(form);
    script::push_contents(lua, 1);
    script::push_field(lua, "place");
    const lua_Integer place = lua_isinteger(lua, -1) ? lua_tointeger(lua, -1) : 0;
    lua_pop(lua, 2);
    if (place < 1 || static_cast<std::size_t>(place) > places_.size()) return fail(form);
    span = places_[static_cast<std::size_t>(place) - 1];
    if (!span) span = machine_->state(0).span;
    return true;
  }

  Sandbox sandbox_{script::hook_limits};
  const fs::path file_;
  const Source start_;  // of the file, of which nothing is shown: it may be a link to any other
  script::Modules modules_;

  // These are of the look that is under way.
  const Rule* rule_ = nullptr;
  const Machine* machine_ = nullptr;
  Diagnostics* diagnostics_ = nullptr;
  std::vector<Span> places_;
  std::size_t count_ = 0;
};

}  // namespace

TeamRules::TeamRules(const std::vector<fs::path>& paths, const Files& files, fs::path library,
                     Diagnostics& diagnostics)
    : library_(std::move(library)) {
  std::map<std::string_view, fs::path> by_code;
  for (const fs::path& path : paths) {
    const auto bench = std::make_shared<Bench>(path, files, library_);
    const auto words = bench->words(diagnostics);
    const Rule* rule = words ? &rule_of(*words) : nullptr;
    const auto other = rule ? by_code.find(rule->code) : by_code.end();
    if (rule && other == by_code.end()) {
      by_code[rule->code] = path;
      rules_[path] = rule;
      continue;
    }
    keep_.push_back(bench);  // a finding points into it
    if (!rule) continue;
    bench->refuse(fmt::format("the rule of {} has the id {}, too",
                              other->second.filename().string(), rule->code),
                  diagnostics);
  }
}

std::vector<const Rule*> TeamRules::rules() const {
  std::vector<const Rule*> all;
  for (const auto& [path, rule] : rules_) all.push_back(rule);
  return all;
}

void TeamRules::check(const model::System& system, const Files& files, const Parameters& parameters,
                      Diagnostics& diagnostics,
                      std::vector<std::shared_ptr<const void>>& keep) const {
  for (const auto& [path, rule] : rules_) {
    const auto bench = std::make_shared<Bench>(path, files, library_);
    const std::size_t errors = diagnostics.error_count();
    Json values = Json::object();
    for (const Parameter* one : rule->parameters) {
      values[std::string(one->name)] = number(parameters.of(*one));
    }
    for (const Machine& machine : system.machines) {
      bench->check(*rule, system, machine, values, diagnostics);
    }
    if (diagnostics.error_count() > errors) keep.push_back(bench);
  }
}

std::vector<fs::path> team_rule_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code unreadable;
  for (const auto& entry : fs::directory_iterator(folder, unreadable)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".lua") && !name.ends_with(".test.lua")) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::shared_ptr<const TeamRules> read_team_rules(const fs::path& folder, const Files& files,
                                                 const fs::path& library,
                                                 Diagnostics& diagnostics) {
  return std::make_shared<const TeamRules>(team_rule_files(folder), files, library, diagnostics);
}

const Rule* find_rule(std::string_view code_or_name, const TeamRules* team) {
  const Rule* ours = find_rule(code_or_name);
  if (ours || !team) return ours;
  const std::string wanted = lower(trim(code_or_name));
  for (const Rule* rule : team->rules()) {
    for (const auto& key : {std::string(rule->code), std::string(rule->name), rule->id()}) {
      if (lower(key) == wanted) return rule;
    }
  }
  return nullptr;
}

std::string rule_suggestion(std::string_view code_or_name, const TeamRules* team) {
  std::vector<std::string> names;
  for (const Rule* rule : team ? team->rules() : std::vector<const Rule*>()) {
    names.insert(names.end(), {lower(rule->code), std::string(rule->name)});
  }
  const std::string near = closest(lower(trim(code_or_name)), names);
  return near.empty() ? rule_suggestion(code_or_name)
                      : fmt::format("did you mean {}?", find_rule(near, team)->id());
}

}  // namespace agneto::lint
