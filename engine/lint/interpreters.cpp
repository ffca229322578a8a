#include "lint/interpreters.h"

#include <algorithm>
#include <filesystem>

namespace agneto::lint {

namespace {

// An interpreter, with the letters of its options.
struct Interpreter {
  std::vector<std::string_view> names;
  std::string_view with_text;   // behind it stands TEXT; empty: TEXT is the first that is no option
  std::string_view with_value;  // behind it stands something else
};

const Interpreter& shell() {
  static const Interpreter one = {{"sh", "bash", "dash", "zsh", "ksh", "fish"}, "c", "oO"};
  return one;
}

const Interpreter* interpreter(std::string_view name) {
  static const std::vector<Interpreter> others = {
      {{"python", "python3"}, "c", "WX"},
      {{"perl", "ruby"}, "eE", "I"},
      {{"node"}, "ep", "r"},
      {{"php"}, "r", "dc"},
      {{"lua"}, "e", "l"},
      {{"awk", "gawk", "mawk"}, "", "vF"},
  };
  const auto is_it = [&](const Interpreter& one) {
    return std::ranges::find(one.names, name) != one.names.end();
  };
  if (is_it(shell())) return &shell();
  const auto found = std::ranges::find_if(others, is_it);
  return found == others.end() ? nullptr : &*found;
}

bool is_option(std::string_view word) {
  return word.size() > 1 && (word.starts_with('-') || word.starts_with('+'));
}

// Is it an option of one of the letters, which may stand behind others as in `-ec`?
bool ends_with_one_of(std::string_view word, std::string_view letters) {
  return is_option(word) && !word.starts_with("--") && letters.find(word.back()) != letters.npos;
}

std::optional<ProgramText> text_behind(const std::vector<std::string>& words, std::size_t at,
                                       const Interpreter& one, const std::string& name) {
  const bool is_shells = &one == &shell();
  const std::string what = (is_shells ? "the shell" : name) + "'s program";
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (ends_with_one_of(word, one.with_text) || word == "--eval" || word == "--print") {
      return ProgramText{i + 1, std::min(i + 2, words.size()), what, is_shells};
    }
    if (one.with_text.empty() && !is_option(word)) return ProgramText{i, i + 1, what};
    if (!is_option(word) || (one.with_text.empty() && word == "-f")) break;
    if (ends_with_one_of(word, one.with_value)) ++i;
  }
  return std::nullopt;
}

// Behind the host all words are joined, for a shell there.
std::optional<ProgramText> text_behind_ssh(const std::vector<std::string>& words, std::size_t at) {
  std::size_t host = at + 1;
  while (host < words.size() && is_option(words[host])) {
    host += ends_with_one_of(words[host], "BbcDEeFIiJLlmOopQRSWw") ? 2 : 1;
  }
  if (host + 1 >= words.size()) return std::nullopt;
  return ProgramText{host + 1, words.size(), "a program for the other host's shell", false};
}

// Does git run what that setting is, as in -c core.pager=COMMAND?
bool is_run(std::string_view setting) {
  if (setting.starts_with("alias.")) return setting.find("=!") != setting.npos;
  static const std::vector<std::string_view> run = {
      "core.sshCommand=", "core.pager=",    "core.editor=",
      "sequence.editor=", "diff.external=", "credential.helper=!"};
  return std::ranges::any_of(run, [&](std::string_view name) { return setting.starts_with(name); });
}

std::optional<ProgramText> text_behind_git(const std::vector<std::string>& words, std::size_t at) {
  bool rebases = false;
  for (std::size_t i = at + 1; i + 1 < words.size() && words[i] != "--"; ++i) {
    rebases = rebases || words[i] == "rebase";
    const bool sets = words[i] == "-c" && is_run(words[i + 1]);
    const bool runs = rebases && (words[i] == "-x" || words[i] == "--exec");
    if (sets || runs) {
      return ProgramText{i + 1, i + 2, "a command that git gives to a shell", false};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ProgramText> text_as_program(const std::vector<std::string>& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string name = std::filesystem::path(words[at]).filename().string();
    if (name == "ssh") return text_behind_ssh(words, at);
    const auto gits = name == "git" ? text_behind_git(words, at) : std::nullopt;
    if (gits) return gits;
    if (const Interpreter* one = interpreter(name)) return text_behind(words, at, *one, name);
  }
  return std::nullopt;
}

}  // namespace agneto::lint
