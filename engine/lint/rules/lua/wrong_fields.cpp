#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// The ways in which states declare a verdict, by its name.
using Declared = std::map<std::string, std::vector<const model::Verdict*>>;

Declared verdicts_of(const Users& users) {
  Declared declared;
  for (const Machine* machine : users) {
    for (const State& state : machine->states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call) continue;
      for (const model::Verdict& one : call->verdicts) declared[one.name].push_back(&one);
    }
  }
  return declared;
}

const model::Field* find(const model::Verdict& verdict, std::string_view name) {
  const auto found = std::ranges::find(verdict.fields, name, &model::Field::name);
  return found == verdict.fields.end() ? nullptr : &*found;
}

// What a text never is.
bool is_no_text(const model::Type& type) {
  using Kind = model::Type::Kind;
  return type.kind != Kind::string && type.kind != Kind::choice && type.kind != Kind::any;
}

// reply:match("Score: (%d+)"), or a local variable that is that.
bool is_found_text(const Typed& lua, const Node& value) {
  const Node& origin = lua.origin(value);
  return origin.is(Node::Kind::method, "match") || origin.is(Node::Kind::method, "sub") ||
         origin.is(Node::Kind::method, "lower") || origin.is(Node::Kind::method, "upper");
}

// What is wrong with the fields; empty: nothing that shows.
std::string problem_with(const Typed& lua, const model::Verdict& verdict,
                         const std::map<std::string, const Node*>& fields) {
  for (const auto& [name, value] : fields) {
    const model::Field* field = find(verdict, name);
    if (!field) return fmt::format("{} has no field '{}'", verdict.name, name);
    if (is_no_text(field->type) && is_found_text(lua, *value)) {
      return fmt::format("'{}' of {} is of type {}, and this is a text", name, verdict.name,
                         model::to_text(field->type));
    }
    const std::string* text = lua::literal_text(*value);
    const auto& choices = field->type.choices;
    if (text && !choices.empty() && std::ranges::find(choices, *text) == choices.end()) {
      return fmt::format("'{}' of {} is one of {}, and never \"{}\"", name, verdict.name,
                         join(choices, ", "), printable(*text));
    }
  }
  for (const model::Field& field : verdict.fields) {
    if (!field.type.optional && !fields.contains(field.name)) {
      return fmt::format("{} has the field '{}', which is not given", verdict.name, field.name);
    }
  }
  return "";
}

// return "FINDINGS", {}
void check_returned(const Typed& lua, const Module& module, const Declared& declared,
                    const Reporter& report) {
  for (const Node* parser : hook_functions(*module.tree, "parse")) {
    each_return(*parser, [&](const Node& node) {
      if (node.children.size() != 2 || node.children[1].kind != Node::Kind::table) return;
      const std::string* name = lua::literal_text(node.children[0]);
      const auto known = name ? declared.find(*name) : declared.end();
      const auto fields = written_fields(node.children[1]);
      if (known == declared.end() || !fields) return;
      std::string problem;
      for (const model::Verdict* verdict : known->second) {
        problem = problem_with(lua, *verdict, *fields);
        if (problem.empty()) return;
      }
      report(place(module, node.children[1]), problem)
          .help("a verdict with other fields than those that the state declares is not taken");
    });
  }
}

bool is_in_field_name(char c) {
  return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9');
}

// The words in backticks that look like a field's name.
std::vector<std::string_view> marked(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = text.find('`'); at != text.npos;) {
    const std::size_t end = text.find('`', at + 1);
    if (end == text.npos) break;
    const std::string_view word = text.substr(at + 1, end - at - 1);
    if (!word.empty() && std::ranges::all_of(word, is_in_field_name)) words.push_back(word);
    at = text.find('`', end + 1);
  }
  return words;
}

// "UNSOUND, with `explanation`: …", a line that is about one verdict.
void check_promised(const Module& module, const Declared& declared, const Reporter& report) {
  std::set<std::string, std::less<>> fields;
  for (const auto& [name, verdicts] : declared) {
    for (const model::Verdict* verdict : verdicts) {
      for (const model::Field& field : verdict->fields) fields.insert(field.name);
    }
  }
  lua::walk(*module.tree, [&](const Node& node) {
    const std::string* text = lua::literal_text(node);
    if (!text) return;
    const std::string first = text->substr(0, text->find_first_of(" ,:`-"));
    const auto known = declared.find(first);
    if (known == declared.end()) return;
    const auto words = marked(*text);
    const bool is_about_others = words.empty() || std::ranges::any_of(words, [&](auto word) {
                                   return fields.contains(word);
                                 });
    if (is_about_others || text->find("with `") == text->npos) return;
    std::vector<std::string> own;
    for (const model::Field& field : known->second.front()->fields) own.push_back(field.name);
    if (own.empty()) return;
    report(place(module, node), "{} has no field '{}' that the prompt asks for", first,
           words.front())
        .help(own.size() == 1 ? fmt::format("its field is '{}'", own.front())
                              : fmt::format("its fields are {}", join(own, ", ")));
  });
}

}  // namespace

extern const LintRule wrong_fields = {
    {"W518", "wrong-fields", "a hook that gives or asks for other fields than a verdict has",
     R"(A verdict that lacks a field, or has one too many or of another type, is not taken: the agent is asked
again, and in the end the call fails. This looks at what a `parse` returns, and at lines of prompts that
begin with a verdict and say what it comes with.)"},
    [](const Module& module, const Users& users, const Reporter& report) {
      const Declared declared = verdicts_of(users);
      check_returned(Typed(module, users), module, declared, report);
      check_promised(module, declared, report);
    }};

}  // namespace agneto::lint
