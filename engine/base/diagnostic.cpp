#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace agneto {

namespace {

constexpr std::size_t widest = 120;  // bytes of a line that are shown
constexpr int most_lines = 4;        // of a span

// Goes back to the start of the character that `at` is in.
std::size_t back_to_character(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

std::string shown(std::string_view text) {
  return printable(valid_utf8(text));
}

// One line with what is in [begin, end) of it underlined: `^~~~` where a span begins, `~~~~` where
// it goes on. A line that is too long is cut around that.
std::string underlined(std::string_view line, std::size_t begin, std::size_t end, char first) {
  std::size_t from = 0;
  std::size_t to = line.size();
  if (line.size() > widest) {
    from = begin > widest / 3 ? back_to_character(line, begin - widest / 3) : 0;
    to = back_to_character(line, std::min(from + widest, line.size()));
  }
  const std::string before = (from > 0 ? "…" : "") + shown(line.substr(from, begin - from));
  const std::string under = shown(line.substr(begin, std::min(end, to) - begin));
  const std::string after = shown(line.substr(std::min(end, to), to - std::min(end, to)));

  std::string padding;
  std::size_t plain = 0;  // where the stretch without tabs began
  for (std::size_t i = 0; i <= before.size(); ++i) {
    if (i == before.size() || before[i] == '\t') {
      padding.append(display_width(std::string_view(before).substr(plain, i - plain)), ' ');
      padding.append(i == before.size() ? "" : "\t");
      plain = i + 1;
    }
  }
  const std::size_t columns = std::max<std::size_t>(display_width(under), 1);
  return fmt::format("{}{}{}{}\n{}{}{}\n", before, under, after, to < line.size() ? "…" : "",
                     padding, first, std::string(columns - 1, '~'));
}

// The lines of the span, underlined. Blank ones are not shown.
std::string excerpt(const Span& span) {
  const Source& source = *span.source;
  const Position place = span.position();
  const std::string_view line = source.line(place.line);
  if (trim(line).empty()) return {};
  const auto clamped = [&](int number, std::size_t offset) {
    const std::size_t start = source.line_start(number);
    return std::min(offset - std::min(start, offset), source.line(number).size());
  };
  const std::size_t begin = clamped(place.line, span.begin);
  std::string text = underlined(line, begin, std::max(begin, clamped(place.line, span.end)), '^');
  const int last = source.position(span.end > span.begin ? span.end - 1 : span.begin).line;
  int shown_lines = 1;
  for (int number = place.line + 1; number <= last; ++number) {
    const std::string_view more = source.line(number);
    const std::size_t indent = more.find_first_not_of(" \t");
    const std::size_t end = clamped(number, span.end);
    if (indent == std::string_view::npos || indent >= end) continue;
    if (shown_lines++ == most_lines) return text + std::string(indent, ' ') + "…\n";
    text += underlined(more, indent, end, '~');
  }
  return text;
}

// `[E203/undefined-target]` behind what is wrong; nothing behind a note.
std::string heading(const Span& span, std::string_view what, std::string_view message,
                    const Rule* rule) {
  const std::string id = rule ? fmt::format(" [{}]", rule->id()) : "";
  if (!span) return fmt::format("{}: {}{}\n", what, shown(message), id);
  const Position place = span.position();
  return fmt::format("{}:{}:{}: {}: {}{}\n", span.source->path(), place.line, place.column, what,
                     shown(message), id);
}

}  // namespace

Diagnostic& Diagnostics::report(const Rule& rule, Span span, std::string message,
                                std::string_view help) {
  return add({&rule, rule.severity(), std::move(message), span, std::string(help), {}, {}});
}

Diagnostic& Diagnostics::add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::error) ++errors_;
  return all_.emplace_back(std::move(diagnostic));
}

bool comes_before(const Diagnostic& a, const Diagnostic& b) {
  if (!a.span || !b.span) return !a.span && b.span;
  const int order =
      a.span.source == b.span.source ? 0 : a.span.source->path().compare(b.span.source->path());
  return order != 0 ? order < 0 : a.span.begin < b.span.begin;
}

bool same_file(const Diagnostic& a, const Diagnostic& b) {
  if (!a.span || !b.span) return !a.span && !b.span;
  return a.span.source->path() == b.span.source->path();
}

void note_rest(Diagnostic& last, const Span& next, std::size_t rest) {
  last.related.push_back(
      {next, fmt::format("{} more in this file are not told; correct those above first", rest)});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::ranges::stable_sort(result, comes_before);
  return result;
}

namespace {

// The word without what it begins and ends with as the other one does.
std::string_view without_ends(std::string_view word, std::string_view other) {
  while (!word.empty() && !other.empty() && word.front() == other.front()) {
    word.remove_prefix(1);
    other.remove_prefix(1);
  }
  while (!word.empty() && !other.empty() && word.back() == other.back()) {
    word.remove_suffix(1);
    other.remove_suffix(1);
  }
  return word;
}

// Do the names differ in one short word, or in most of it, as DEPLOY_EU and DEPLOY_US do, or
// NOTIFY_ON and NOTIFY_OFF? A slip of the hand leaves most of a word as it was.
bool differ_in_a_word(std::string_view one, std::string_view other) {
  const auto end_of_word = [](std::string_view text, std::size_t at) {
    return std::min(text.find_first_of("_-.", at), text.size());
  };
  const auto same = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  const auto at = static_cast<std::size_t>(same.first - one.begin());
  std::size_t begin = at == 0 ? one.npos : one.find_last_of("_-.", at - 1);
  begin = begin == one.npos ? 0 : begin + 1;
  const std::string_view word = one.substr(begin, end_of_word(one, at) - begin);
  const std::string_view other_word = other.substr(begin, end_of_word(other, at) - begin);
  if (one.substr(begin + word.size()) != other.substr(begin + other_word.size())) return false;
  const std::string_view changed = without_ends(word, other_word);
  const std::string_view other_changed = without_ends(other_word, word);
  const bool swapped = changed.size() == 2 && other_changed.size() == 2 &&
                       changed[0] == other_changed[1] && changed[1] == other_changed[0];
  const std::size_t edits = swapped ? 1 : std::max(changed.size(), other_changed.size());
  const std::size_t shorter = std::min(word.size(), other_word.size());
  return shorter <= 3 || 2 * edits >= shorter;
}

// May the one name be meant though it is near the other: `STEP_2`, `UNDONE`, `plans`, `NO`?
bool may_be_meant(std::string_view name, std::string_view near) {
  const auto without_digits = [](std::string_view text) {
    std::string rest(text);
    std::erase_if(rest, [](unsigned char c) { return std::isdigit(c) != 0; });
    return rest;
  };
  const bool one_more = name.starts_with(near) || name.ends_with(near) || near.starts_with(name) ||
                        near.ends_with(name);
  return one_more || std::min(name.size(), near.size()) < 3 || differ_in_a_word(name, near) ||
         without_digits(name) == without_digits(near);
}

}  // namespace

void offer(Diagnostic& finding, std::string_view name, const std::vector<std::string>& candidates) {
  const std::string near = only_near(name, candidates);
  if (near.empty() || name.empty() || !finding.span || may_be_meant(name, near)) return;
  const auto is_part = [](char c) { return is_word(c) || c == '-'; };
  const std::string_view text = finding.span.text();
  std::size_t found = text.npos;
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_part(text[at - 1])) || (end < text.size() && is_part(text[end]))) continue;
    if (found != text.npos) return;  // which of them?
    found = at;
  }
  if (found == text.npos) return;
  const std::size_t begin = finding.span.begin + found;
  finding.fix = {finding.span.source->span(begin, begin + name.size()), near};
}

void suggest(Diagnostic& finding, std::string_view name, const std::vector<std::string>& candidates,
             std::string_view kind) {
  finding.help = suggestion(name, candidates, kind);
  offer(finding, name, candidates);
}

std::string render(const Diagnostic& diagnostic) {
  std::string text =
      heading(diagnostic.span, to_text(diagnostic.severity), diagnostic.message, diagnostic.rule);
  if (diagnostic.span) text += excerpt(diagnostic.span);
  if (!diagnostic.help.empty()) text += fmt::format("  help: {}\n", shown(diagnostic.help));
  for (std::size_t i = 0; i < diagnostic.trace.size(); ++i) {
    text += fmt::format("{}{}\n", i == 0 ? "  trace: " : "    ", shown(diagnostic.trace[i]));
  }
  for (const Diagnostic::Related& related : diagnostic.related) {
    text += heading(related.span, "note", related.message, nullptr);
    if (related.span) text += excerpt(related.span);
  }
  return text;
}

std::string render(const Diagnostics& diagnostics) {
  std::vector<Diagnostic> all = diagnostics.sorted();
  keep_told(all, [](Diagnostic& one) -> Diagnostic& { return one; });
  std::string text;
  for (const Diagnostic& diagnostic : all) text += render(diagnostic);
  return text;
}

}  // namespace agneto
