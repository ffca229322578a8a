#include "lint/shell/shell_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/shell/rules.h"
#include "yaml/tree.h"

namespace agneto::lint {

namespace {

// The `shell` of a program, and its `env`, in a machine's file.
struct ShellText {
  const Machine* machine;
  const yaml::Node* shell;
  const yaml::Node* env;  // null: none
};

bool has_shell(const State& state) {
  const auto* program = std::get_if<model::Program>(&state.activity);
  return program && program->kind == model::Program::Kind::shell;
}

void add_texts(const Machine& machine, const yaml::Node& node, std::vector<ShellText>& found) {
  for (const auto& [key, value] : node.entries) {
    const yaml::Node* shell = key.text == "run" ? value.find("shell") : nullptr;
    if (shell) found.push_back({&machine, shell, value.find("env")});
    add_texts(machine, value, found);
  }
}

// Where a character of the script stands in it.
std::size_t offset_of(std::string_view script, int line, int column) {
  std::size_t at = 0;
  for (int k = 1; k < line && at < script.size(); ++k) {
    at = std::min(script.find('\n', at), script.size() - 1) + 1;
  }
  const auto is_inside = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  for (int k = 1; k < column && at < script.size() && script[at] != '\n'; ++k) {
    ++at;
    while (at < script.size() && is_inside(script[at])) ++at;
  }
  return at;
}

// The name in $NAME and ${NAME}.
std::string_view variable_in(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of("\"${"), text.size()));
  return text.substr(0, text.find_first_of("\"}"));
}

// Is it about a variable of `env`, of which the checker knows nothing?
bool is_of_env(const ShellRemark& remark, std::string_view words, const ShellText& text) {
  constexpr int unassigned = 2154;
  constexpr int unquoted = 2086;
  const yaml::Node* value = text.env ? text.env->find(variable_in(words)) : nullptr;
  return value && (remark.code == unassigned ||
                   (remark.code == unquoted && names_word(*text.machine, value->text)));
}

void report(const ShellRemark& remark, const ShellText& text, Diagnostics& diagnostics) {
  const yaml::Node& shell = *text.shell;
  const model::Code code{model::Code::Kind::statements, "shell", shell.text, shell.span,
                         shell.lines()};
  const std::size_t begin = offset_of(code.text, remark.line, remark.column);
  const std::size_t end = std::max(begin, offset_of(code.text, remark.end_line, remark.end_column));
  if (is_of_env(remark, std::string_view(code.text).substr(begin, end - begin), text)) return;
  Node place_of;
  place_of.begin = static_cast<std::uint32_t>(begin);
  place_of.end = static_cast<std::uint32_t>(end);
  std::string_view message = trim(remark.message);
  if (message.ends_with('.')) message.remove_suffix(1);
  diagnostics.report(
      rules::shellcheck, place({text.machine, &code, std::nullopt}, place_of),
      fmt::format("shellcheck says: {} (SC{})", message, remark.code),
      fmt::format("https://www.shellcheck.net/wiki/SC{} says what to do", remark.code));
}

}  // namespace

void check_shell_text(std::span<Findings> linted, const ShellChecker& check) {
  struct Found {
    Findings* findings;
    ShellText text;
  };
  std::vector<std::string> scripts;
  std::map<std::string, std::vector<Found>> places;  // by script
  for (Findings& findings : linted) {
    if (!findings.system || findings.diagnostics.has_errors()) continue;
    for (const Machine& machine : findings.system->machines) {
      if (std::ranges::none_of(machine.states, has_shell)) continue;
      const auto& tree = findings.trees[machine.id];
      const yaml::Node* states = tree ? tree->find("states") : nullptr;
      std::vector<ShellText> texts;
      if (states) add_texts(machine, *states, texts);
      for (const ShellText& text : texts) {
        std::vector<Found>& all = places[text.shell->text];
        if (all.empty()) scripts.push_back(text.shell->text);
        all.push_back({&findings, text});
      }
    }
  }
  const auto remarks = scripts.empty() ? std::nullopt : check(scripts);
  if (!remarks) return;
  for (Findings& findings : linted) findings.shell_checked = true;
  for (const ShellRemark& remark : *remarks) {
    if (remark.script >= scripts.size()) continue;
    for (const Found& one : places[scripts[remark.script]]) {
      report(remark, one.text, one.findings->diagnostics);
    }
  }
}

}  // namespace agneto::lint
