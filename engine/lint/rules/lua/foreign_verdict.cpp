#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "lint/hook_functions.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

// Shorter words are as likely a word of the prose.
constexpr Parameter word_length = {"word",
                                   "the fewest letters of a word that may be a misspelt verdict",
                                   Parameter::Kind::number, 5, 1};
constexpr Parameter line_length = {
    "line", "the fewest letters of a word that a line about a verdict begins with",
    Parameter::Kind::number, 4, 1};
constexpr const Parameter* fewest_letters[] = {&word_length, &line_length};

// The verdicts of agents, and what else has a name, of machines.
struct KnownWords {
  std::vector<std::string> verdicts;  // those that are nothing else
  std::set<std::string, std::less<>> declared;
  std::set<std::string, std::less<>> all;
};

KnownWords names_of(const Users& users) {
  KnownWords names;
  for (const Machine* machine : users) {
    for (const State& state : machine->states) {
      names.all.insert({state.name, state.outcome});
      if (const auto* ask = std::get_if<model::Ask>(&state.activity)) {
        for (const model::Option& option : ask->options) names.all.insert(option.name);
      }
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (!call) continue;
      for (const model::Verdict& verdict : call->verdicts) {
        names.declared.insert(verdict.name);
        if (names.all.insert(verdict.name).second) names.verdicts.push_back(verdict.name);
      }
    }
  }
  return names;
}

// Words of capitals, as verdicts are written.
std::vector<std::string_view> words_of(std::string_view text, double least) {
  const auto is_letter = [](char c) { return (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_other = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const bool whole =
        (end == text.size() || !is_other(text[end])) && (i == 0 || !is_other(text[i - 1]));
    if (whole && static_cast<double>(end - i) >= least) words.push_back(text.substr(i, end - i));
    i = std::max(end, i + 1);
  }
  return words;
}

void complain(const Module& module, const Node& node, std::string_view word,
              const std::vector<std::string>& verdicts, const Reporter& report) {
  report(place(module, node), "no state that uses this hook has the verdict '{}'", word)
      .help(suggestion(word, verdicts, "verdicts"));
}

// UNRESOLVED and QUESTIONS are words of their own beside RESOLVED and QUESTION.
bool is_derived(std::string_view word, std::string_view verdict) {
  constexpr std::string_view before[] = {"UN", "IN", "IM", "DIS", "NON", "RE", "NOT_"};
  constexpr std::string_view behind[] = {"S", "LY"};
  const std::size_t at = word.find(verdict);
  if (at == word.npos) return false;
  const std::string_view prefix = word.substr(0, at);
  const std::string_view suffix = word.substr(at + verdict.size());
  const auto has = [](const auto& list, std::string_view part) {
    return part.empty() || std::ranges::find(list, part) != std::end(list);
  };
  return has(before, prefix) && has(behind, suffix);
}

bool is_near(std::string_view word, const KnownWords& names) {
  const std::string near = names.all.contains(word) ? "" : closest(word, names.verdicts);
  return !near.empty() && !is_derived(word, near);
}

// Words that are nearly a verdict, in any text.
void check_words(const Module& module, const KnownWords& names, const Reporter& report) {
  lua::walk(*module.tree, [&](const Node& node) {
    if (node.kind != Node::Kind::string) return;
    for (const std::string_view word : words_of(node.text, report.value(word_length))) {
      const bool is_part = node.text.ends_with(word) && word.ends_with('_');  // "A_" .. name
      if (!is_part && is_near(word, names)) complain(module, node, word, names.verdicts, report);
    }
  });
}

// "DONE where the code is changed.": the word that a line about one verdict begins with.
std::string_view described(std::string_view text, double least) {
  const auto words = words_of(text.substr(0, text.find_first_of(" ,:\n")), least);
  const bool is_line =
      words.size() == 1 && text.starts_with(words[0]) && text.find(' ') != text.npos;
  return is_line ? words[0] : std::string_view();
}

// Lines that describe verdicts, as two or more lines of a prompt do, where none of those that are
// declared is spoken of at all.
void check_lines(const Module& module, const KnownWords& names, const Reporter& report) {
  std::vector<std::pair<const Node*, std::string_view>> lines;
  bool speaks = names.declared.size() < 2;
  lua::walk(*module.tree, [&](const Node& node) {
    if (node.kind != Node::Kind::string) return;
    for (const std::string& verdict : names.declared) {
      speaks |= node.text.find(verdict) != node.text.npos;
    }
    const std::string_view word = described(node.text, report.value(line_length));
    if (!word.empty() && !names.all.contains(word)) lines.emplace_back(&node, word);
  });
  if (speaks || lines.size() < 2) return;
  for (const auto& [node, word] : lines) complain(module, *node, word, names.verdicts, report);
}

// What a `parse` returns is a verdict, whatever it looks like.
void check_returned(const Module& module, const KnownWords& names, const Reporter& report) {
  if (names.declared.empty()) return;
  const std::vector<std::string> declared(names.declared.begin(), names.declared.end());
  for (const Node* parser : hook_functions(*module.tree, "parse")) {
    each_return(*parser, [&](const Node& node) {
      const std::string* name =
          node.children.empty() ? nullptr : lua::literal_text(node.children[0]);
      if (!name || names.declared.contains(*name)) return;
      // A text that is one word was looked at as such.
      const bool is_word =
          words_of(*name, report.value(word_length)) == std::vector<std::string_view>{*name};
      if (is_word && is_near(*name, names)) return;
      complain(module, node.children[0], *name, declared, report);
    });
  }
}

}  // namespace

extern const LintRule foreign_verdict = {
    {"W513", "foreign-verdict", "a hook that speaks of a verdict which no state declares",
     R"(What a prompt calls a verdict is what the agent answers. A name that is nearly a declared verdict, and
is not, gives a reply that cannot be used: the agent is asked again, and in the end the call fails.
This looks at words of capitals in the texts of hook modules, at lines that begin with one where no
declared verdict is named at all, and at what a `parse` returns. Where
several workflows are linted together, the states of all that use the hook count.)",
     false, fewest_letters},
    [](const Module& module, const Users& users, const Reporter& report) {
      const KnownWords names = names_of(users);
      check_words(module, names, report);
      check_lines(module, names, report);
      check_returned(module, names, report);
    }};

}  // namespace agneto::lint
