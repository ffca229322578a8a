#include <algorithm>

#include "lint/rule.h"

namespace agneto::lint {

namespace {

// /home/NAME/… or /Users/NAME/… in the text; empty where there is none.
std::string home_in(std::string_view text) {
  for (const std::string_view folder : {"/home/", "/Users/"}) {
    for (std::size_t at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
      constexpr std::string_view before = "\"'=: \t\n(,";
      if (at > 0 && before.find(text[at - 1]) == before.npos) continue;
      const std::string_view path =
          text.substr(at, text.find_first_of("\"' \t\n;&|)<>:,", at) - at);
      const std::string_view name =
          path.substr(folder.size(), path.find('/', folder.size()) - folder.size());
      const bool is_written = !name.empty() && name.find_first_of("$*{") == name.npos;
      if (is_written && name.size() + folder.size() < path.size()) return std::string(path);
    }
  }
  return {};
}

// Is it about another machine, or a container, whose homes are the same for everybody?
bool is_elsewhere(std::string_view text) {
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"docker", "podman", "kubectl", "ssh", "scp", "rsync"},
      [&](std::string_view program) { return text.find(program) != text.npos; });
}

}  // namespace

extern const LintRule home_path = {
    {"W439", "home-path", "a path in somebody's home",
     R"(A workflow is the whole team's, and runs in CI. What lies in the home of one person is there for that
person alone. Write a path in the checkout, `"$HOME/…"` in `shell`, or an input that everybody sets.)"},
    [](const LintContext&, const Machine&, const State& state, const Reporter& report) {
      const auto* program = std::get_if<model::Program>(&state.activity);
      if (!program) return;
      std::string text = program->shell;
      for (const model::Template& argument : program->argv) {
        for (const model::Template::Part& part : argument.parts) text += " " + part.text;
      }
      const std::string path = is_elsewhere(text) ? std::string() : home_in(text);
      if (path.empty()) return;
      report(state.span, "the program of '{}' looks for '{}', in the home of one person",
             state.name, path)
          .help("write a path in the checkout, \"$HOME/...\" in `shell`, or an input");
    }};

}  // namespace agneto::lint
