#include <algorithm>
#include <cctype>
#include <filesystem>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

using model::Program;
using model::Template;

// Such as $HOME and ${HOME}, and nothing else.
bool is_variable(std::string_view text) {
  if (!text.starts_with('$')) return false;
  text.remove_prefix(1);
  if (text.starts_with('{') && text.ends_with('}')) text = text.substr(1, text.size() - 2);
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

// A path that a shell would expand.
bool is_path(std::string_view text) {
  return text.starts_with("~/") || text.starts_with("$HOME/") || text.starts_with("${HOME}/");
}

bool is_syntax(std::string_view text) {
  return is_variable(text) || is_path(text) || (text.starts_with("$(") && text.ends_with(')')) ||
         is_one_of(text, {"&&", "||", "|", ";", "&", ">", ">>", "<", "<<", "2>", "2>&1", "&>"});
}

// Programs whose arguments are names of files, so that a `*` is meant for the shell.
bool takes_files(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  return is_one_of(name, {"rm", "cp", "mv", "ls", "cat", "chmod", "wc", "tar", "zip", "gzip"});
}

// Programs that are given such words for their own use.
bool takes_syntax(const std::string& program) {
  const std::string name = std::filesystem::path(program).filename().string();
  return is_one_of(
      name, {"[", "test", "expr", "find", "fd", "sh", "bash", "dash", "zsh", "ksh", "fish", "awk",
             "bc", "parallel", "xargs", "ssh", "docker", "podman", "env"});
}

// NAME where the text begins with `NAME=`, as before a command in a shell; else empty.
std::string_view assigned_variable(std::string_view text) {
  const std::string_view name = text.substr(0, std::min(text.find('='), text.size()));
  const bool is_name =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  const bool begins = !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front()));
  return begins && is_name && name.size() < text.size() ? name : std::string_view();
}

// Is it an option whose value may be any character, as in `cut -d "|"`?
bool takes_delimiter(const std::string& option) {
  return is_one_of(option, {"-d", "-F", "-t", "-s", "--delimiter", "--field-separator"});
}

}  // namespace

extern const LintRule shell_syntax = {
    {"W426", "shell-syntax", "a word of the shell among the arguments of a program",
     R"(`argv` starts a program without a shell: `&&`, `|`, `>` and `$NAME` are arguments like any other, which
the program is given as they are, and `CI=1` in front of all is what the program is called. Write the line as `shell`, with its values in `env`.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      const auto* program = std::get_if<Program>(&state.activity);
      if (!program || program->argv.empty()) return;
      const auto& first = program->argv.front();
      const std::string begins = first.parts.empty() ? "" : first.parts.front().text;
      if (const auto variable = assigned_variable(begins); !variable.empty()) {
        report(first.span, "no shell reads '{}=', which begins the name of a program here",
               variable)
            .help("give it as env: {{{}: …}}, in Lua, and begin `argv` with the program", variable);
        return;
      }
      const auto name = literal(first);
      if (!name || takes_syntax(*name)) return;
      if (program->argv.size() == 1 && name->find(' ') != name->npos &&
          name->find('/') == name->npos) {
        report(program->argv.front().span,
               "there is no program called '{}': nothing splits an argument", *name)
            .help("write each argument by itself, as in [{}]", replaced(*name, " ", ", "));
        return;
      }
      std::optional<std::string> before;
      for (const Template& argument : program->argv) {
        const auto text = literal(argument);
        const bool is_value = before && takes_delimiter(*before);
        before = text;
        if (is_value) continue;
        const bool is_glob = text && takes_files(*name) && text->find('*') != text->npos;
        if (!text || (!is_syntax(*text) && !is_glob)) continue;
        report(argument.span, "no shell reads the argument '{}', which '{}' is given as it is",
               *text, *name)
            .help("write the line as `shell: …`, with its values in `env`");
        return;
      }
    }};

}  // namespace agneto::lint
