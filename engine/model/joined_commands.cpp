#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "model/rules.h"
#include "model/traps.h"
#include "model/written_lines.h"

namespace agneto::model {

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
  Words words;
  for (std::size_t at = text.find_first_not_of(' '); at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = text.find_first_not_of(' ', end);
  }
  return words;
}

// Beginnings of commands that are no argument of another one. `*` is any word or none, `-` any
// option.
struct CommandStart {
  std::string_view program;
  std::array<std::string_view, 9> next;
};

constexpr CommandStart starts[] = {
    {"npm", {"ci", "test", "install", "run", "audit", "publish", "pack"}},
    {"yarn", {"install", "test", "build", "run", "lint"}},
    {"pnpm", {"install", "test", "build", "run", "lint"}},
    {"cargo", {"build", "test", "clippy", "fmt", "run", "check", "publish"}},
    {"go", {"build", "test", "vet", "generate", "mod"}},
    {"git", {"add", "commit", "push", "pull", "checkout", "fetch", "diff", "status", "tag"}},
    {"mvn", {"test", "verify", "package", "clean", "install", "-"}},
    {"pip", {"install"}},
    {"pip3", {"install"}},
    {"cmake", {"-"}},
    {"ctest", {"-"}},
    {"make", {"test", "check", "all", "install", "build", "lint", "-"}},
    {"python", {"-"}},
    {"python3", {"-"}},
    {"pytest", {"-"}},
    {"./gradlew", {"*"}},
    {"./mvnw", {"*"}},
    {"./configure", {"*"}},
};

bool begins_command(const Words& words) {
  return std::ranges::any_of(starts, [&](const CommandStart& command) {
    if (words.front() != command.program) return false;
    return std::ranges::any_of(command.next, [&](std::string_view next) {
      if (next.empty()) return false;
      if (next == "*") return true;
      if (words.size() < 2) return false;
      return next == "-" ? words[1].starts_with('-') : words[1] == next;
    });
  });
}

// Is it `set -e` or `cd FOLDER`, behind which there can be nothing more?
bool is_complete(const Words& words) {
  if (words.front() == "cd") return words.size() == 2;
  return words.front() == "set" && words.size() > 1 &&
         std::ranges::all_of(words.begin() + 1, words.end(), [](std::string_view word) {
           const bool is_option = word.starts_with('-') && word != "-" && word != "--";
           return is_option || word == "pipefail";
         });
}

// A command of a program that is given no other command, as `docker run` is.
bool takes_no_command(const Words& words) {
  const bool known = std::ranges::any_of(
      starts, [&](const CommandStart& command) { return words.front() == command.program; });
  const std::string_view last = words.back();
  return known && std::ranges::count(words, "--") == 0 && !last.starts_with('-') && last != "run" &&
         last != "exec" && last != "foreach" && last != "dlx";
}

// What stands behind the last operator, where the text is no part of a quoted one.
std::string_view last_command(std::string_view text) {
  if (std::ranges::count(text, '"') % 2 != 0 || std::ranges::count(text, '\'') % 2 != 0) return {};
  const std::size_t at = text.find_last_of(";&|(){}");
  return text.substr(at == text.npos ? 0 : at + 1);
}

bool is_torn(std::string_view before, std::string_view line) {
  const Words words = words_of(last_command(before));
  const Words next = words_of(line);
  if (words.empty() || next.empty()) return false;
  // What begins an option, an operator, a redirection or a comment.
  constexpr std::string_view goes_on = "-+&|;<>)}\\012#";
  if (is_complete(words)) return goes_on.find(line.front()) == goes_on.npos;
  return takes_no_command(words) && begins_command(next);
}

}  // namespace

void check_shell(const yaml::Node& node, Diagnostics& diagnostics) {
  if (!node.is_folded()) return;
  const std::string_view text = node.text;
  std::string_view before;
  for (const auto& [line, begin, whole, is_joined] : written_lines(node)) {
    if (is_joined && is_torn(text.substr(whole, begin - whole), line)) {
      diagnostics.report(
          rules::joined_commands, node.span,
          fmt::format("YAML joins these lines into one, so that '{}' is an argument of '{}'",
                      printable(line), printable(before)),
          "write the script behind '|', or end each command but the last with '&&'");
      return;
    }
    before = line;
  }
}

}  // namespace agneto::model
