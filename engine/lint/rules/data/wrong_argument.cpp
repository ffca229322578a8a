#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using TypeKind = model::Type::Kind;

enum class Wanted { any, list, text, number };

bool fits(Wanted wanted, const model::Type& type) {
  const bool is_table = type.kind == TypeKind::list || type.kind == TypeKind::map;
  if (wanted == Wanted::any) return true;
  if (wanted == Wanted::list) return is_table;
  // Lua makes a number of a text, and a text of a number.
  return !is_table && type.kind != TypeKind::boolean;
}

constexpr std::string_view words[] = {"anything", "a list", "a text", "a number"};

// What a function wants as its first argument.
struct Function {
  std::string_view name;
  Wanted first;
  std::size_t most = 0;  // arguments; 0: any number
};

constexpr Function globals[] = {{"ipairs", Wanted::list, 1}, {"pairs", Wanted::list, 1}};
constexpr Function of_table[] = {
    {"insert", Wanted::list}, {"remove", Wanted::list}, {"concat", Wanted::list},
    {"sort", Wanted::list},   {"unpack", Wanted::list},
};
constexpr Function of_string[] = {{"find", Wanted::text},   {"match", Wanted::text},
                                  {"gmatch", Wanted::text}, {"gsub", Wanted::text},
                                  {"lower", Wanted::text},  {"upper", Wanted::text},
                                  {"sub", Wanted::text},    {"len", Wanted::text},
                                  {"rep", Wanted::text},    {"format", Wanted::text}};
constexpr Function of_math[] = {
    {"floor", Wanted::number}, {"ceil", Wanted::number}, {"abs", Wanted::number}};
constexpr Function of_library[] = {{"section", Wanted::text, 2}, {"fence", Wanted::any, 2},
                                   {"bullets", Wanted::list, 1}, {"join", Wanted::list, 1},
                                   {"render", Wanted::text, 2},  {"read_verdict", Wanted::text, 2}};

template <std::size_t size>
const Function* find(const Function (&all)[size], const std::string* name) {
  if (!name) return nullptr;
  const auto found = std::ranges::find(all, std::string_view(*name), &Function::name);
  return found == std::end(all) ? nullptr : &*found;
}

// Null where nothing is known of what the node calls.
const Function* called(const Typed& lua, const Node& call) {
  const Node& function = call.children[0];
  if (function.kind == Node::Kind::global) return find(globals, &function.text);
  if (const auto* known = find(of_table, lua::field_of(function, "table"))) return known;
  if (const auto* known = find(of_string, lua::field_of(function, "string"))) return known;
  if (const auto* known = find(of_math, lua::field_of(function, "math"))) return known;
  return find(of_library, lua.called_of_library(call));
}

bool check_first(const Typed& lua, const Node& call, const Function& function,
                 const Reporter& report) {
  if (call.children.size() < 2) return false;
  const Node& argument = call.children[1];
  const auto type = lua.certain(argument);
  if (!type || fits(function.first, *type)) return false;
  report(lua.place(argument), "{} wants {}, and this is of type {}", lua.text(call.children[0]),
         words[static_cast<std::size_t>(function.first)], model::to_text(*type))
      .help("is another value meant?");
  return true;
}

void check_count(const Typed& lua, const Node& call, const Function& function,
                 const Reporter& report) {
  if (function.most == 0 || call.children.size() <= function.most + 1) return;
  const Node& extra = call.children[function.most + 1];
  auto found = report(lua.place(extra), "{} does not look at this: it takes {} argument{}",
                      lua.text(call.children[0]), function.most, function.most == 1 ? "" : "s");
  if (function.first == Wanted::list) {
    found.help("write one list: {}{{…}}", lua.text(call.children[0]));
  } else {
    found.help("is it a part of another call?");
  }
}

// agneto.section(m.inputs.issue, "The issue")
void check_section(const Typed& lua, const Node& call, const Reporter& report) {
  const std::string* name = lua.called_of_library(call);
  if (!name || *name != "section" || call.children.size() != 3) return;
  const bool is_given =
      call.children[1].kind == Node::Kind::index && lua.text(call.children[1]).starts_with("m.");
  const std::string* title = lua::literal_text(call.children[2]);
  if (!is_given || !title || title->size() > 60 || title->find('\n') != title->npos) return;
  report(lua.place(call), "the heading of this section is {}, and its text is \"{}\"",
         lua.text(call.children[1]), printable(*title))
      .help("the title comes first: {}(\"{}\", {})", lua.text(call.children[0]), printable(*title),
            lua.text(call.children[1]));
}

// agneto.fence("diff", m.workspace.diff)
void check_fence(const Typed& lua, const Node& call, const Reporter& report) {
  const std::string* name = lua.called_of_library(call);
  if (!name || *name != "fence" || call.children.size() != 3) return;
  const std::string* word = lua::literal_text(call.children[1]);
  const bool is_language = word && word->size() <= 12 && word->find_first_of(" \n") == word->npos;
  if (!is_language || call.children[2].kind != Node::Kind::index) return;
  report(lua.place(call), "what is fenced here is the word \"{}\", and {} is its language",
         printable(*word), lua.text(call.children[2]))
      .help("the text comes first: {}({}, \"{}\")", lua.text(call.children[0]),
            lua.text(call.children[2]), printable(*word));
}

// agneto.render("… {{inputs.city}}", m.inputs)
void check_render(const Typed& lua, const Node& call, const Reporter& report) {
  const std::string* name = lua.called_of_library(call);
  if (!name || *name != "render" || call.children.size() != 3) return;
  const std::string* text = lua::literal_text(lua.origin(call.children[1]));
  const Facts data = lua.facts(call.children[2]);
  std::set<std::string> names;
  const Node& table = lua.origin(call.children[2]);
  if (table.kind == Node::Kind::table) {
    if (const auto fields = written_fields(table)) {
      for (const auto& [name_of, value] : *fields) names.insert(name_of);
    }
  }
  if (data.known && data.fields) {
    for (const auto& [field, facts] : *data.fields) names.insert(field);
  }
  if (!text || names.empty()) return;
  for (std::size_t at = text->find("{{"); at != text->npos; at = text->find("{{", at + 2)) {
    const std::size_t end = text->find("}}", at);
    if (end == text->npos) return;
    const std::string path(trim(std::string_view(*text).substr(at + 2, end - at - 2)));
    if (names.contains(path.substr(0, path.find('.')))) continue;
    report(lua.place(call.children[2]), "there is no '{}' in {}, so that nothing stands there",
           path, lua.text(call.children[2]))
        .help("a place says what stands in the table, as {}", "{{inputs.NAME}} does for m");
    return;
  }
}

// Behind the set that begins at `at`; npos where nothing closes it.
std::size_t behind_set(std::string_view pattern, std::size_t at) {
  ++at;
  if (at < pattern.size() && pattern[at] == '^') ++at;
  const std::size_t first = at;  // a ']' there stands for itself
  for (; at < pattern.size(); ++at) {
    if (pattern[at] == '%') {
      ++at;
    } else if (pattern[at] == ']' && at > first) {
      return at + 1;
    }
  }
  return pattern.npos;
}

// What is wrong with the pattern; empty: nothing.
std::string problem_with(std::string_view pattern) {
  int open = 0;
  for (std::size_t at = 0; at < pattern.size();) {
    const char c = pattern[at];
    if (c == '%') {
      if (at + 1 == pattern.size()) return "it ends with '%'";
      const bool balances = pattern[at + 1] == 'b';
      if (balances && at + 3 >= pattern.size()) return "%b wants two characters";
      at += balances ? 4 : 2;
    } else if (c == '[') {
      at = behind_set(pattern, at);
      if (at == pattern.npos) return "nothing closes the '['";
    } else {
      open += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (open < 0) return "nothing opens the ')'";
      ++at;
    }
  }
  return open > 0 ? "nothing closes the '('" : "";
}

void check_pattern(const Typed& lua, const Node& call, std::string_view function, std::size_t first,
                   const Reporter& report) {
  if (function != "find" && function != "match" && function != "gmatch" && function != "gsub") {
    return;
  }
  if (call.children.size() <= first) return;
  // find(text, pattern, 1, true) takes it as it is.
  if (function == "find" && call.children.size() > first + 2) return;
  const std::string* pattern = lua::literal_text(call.children[first]);
  const std::string problem = pattern ? problem_with(*pattern) : "";
  if (problem.empty()) return;
  report(lua.place(call.children[first]), "this is no pattern of Lua: {}", problem)
      .help("write % before a character that stands for itself, such as %[");
}

// Checks how many arguments a call gives to a function that the file itself defines.
void check_own(const Typed& lua, const Node& call, const Reporter& report) {
  if (!lua.piece() || call.children[0].kind != Node::Kind::global) return;
  const Machine& machine = *lua.piece()->machine;
  const auto own =
      std::ranges::find(machine.functions, call.children[0].text, &model::Binding::name);
  if (own == machine.functions.end()) return;
  const std::string& text = machine.code[own->value].text;
  const Node* function = lua.function(own->value);
  const bool takes_any = text.substr(0, text.find(')')).find("...") != std::string::npos;
  if (!function || takes_any) return;
  const Node& last = call.children.back();
  const bool gives_any = call.children.size() > 1 &&
                         (last.kind == Node::Kind::call || last.kind == Node::Kind::method);
  const std::size_t given = call.children.size() - 1;
  const std::size_t taken = function->declarations.size();
  if (given == taken || (gives_any && given <= taken)) return;
  report(lua.place(call), "'{}' takes {} argument{}, and is given {}", own->name, taken,
         taken == 1 ? "" : "s", given)
      .help(given < taken ? "those that are missing are nil" : "the others are lost")
      .related(own->span, "it is defined here");
}

}  // namespace

extern const LintRule wrong_argument = {
    {"W318", "wrong-argument", "an argument that the function does not take",
     R"(`ipairs` and `table.insert` want a list, `string.find` a text and a pattern, `agneto.bullets` and
`agneto.join` one list of parts, `agneto.section` its title first, `agneto.fence` its text. Otherwise the code fails, or an agent
is not told what it should be. A function of the file wants as many arguments as it has parameters: one that is
missing is nil.)"},
    [](const Typed& lua, const Reporter& report) {
      lua::walk(lua.tree(), [&](const Node& node) {
        if (node.kind == Node::Kind::method) {
          return check_pattern(lua, node, node.text, 1, report);
        }
        if (node.kind != Node::Kind::call) return;
        check_own(lua, node, report);
        const Function* function = called(lua, node);
        if (!function) return;
        if (const std::string* name = lua::field_of(node.children[0], "string")) {
          check_pattern(lua, node, *name, 2, report);
        }
        if (check_first(lua, node, *function, report)) return;
        check_count(lua, node, *function, report);
        check_section(lua, node, report);
        check_fence(lua, node, report);
        check_render(lua, node, report);
      });
    }};

}  // namespace agneto::lint
