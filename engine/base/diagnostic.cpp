#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto {

namespace {

constexpr std::size_t kWidest = 120;  // bytes of a line that are shown

// To the start of a character.
std::size_t back_to_character(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
    --at;
  }
  return at;
}

std::string shown(std::string_view text) {
  return printable(valid_utf8(text));
}

// The line that the span begins in, and carets under it. A line that is too long is cut around the
// span; a blank one is not shown.
std::string excerpt(const Span& span) {
  const Position place = span.position();
  const std::string_view line = span.source->line(place.line);
  if (trim(line).empty()) {
    return {};
  }
  const std::size_t line_start = span.source->line_start(place.line);
  const std::size_t begin = std::min(static_cast<std::size_t>(place.column) - 1, line.size());
  const std::size_t end = std::clamp(
      std::size_t{span.end} - std::min<std::size_t>(line_start, span.end), begin, line.size());

  std::size_t from = 0;
  std::size_t to = line.size();
  if (line.size() > kWidest) {
    from = begin > kWidest / 3 ? back_to_character(line, begin - kWidest / 3) : 0;
    to = back_to_character(line, std::min(from + kWidest, line.size()));
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
  return fmt::format("{}{}{}{}\n{}^{}\n", before, under, after, to < line.size() ? "…" : "",
                     padding, std::string(columns - 1, '~'));
}

std::string heading(const Span& span, std::string_view what, std::string_view message) {
  if (!span) {
    return fmt::format("{}: {}\n", what, shown(message));
  }
  const Position place = span.position();
  return fmt::format("{}:{}:{}: {}: {}\n", span.source->path(), place.line, place.column, what,
                     shown(message));
}

}  // namespace

Diagnostic& Diagnostics::error(std::string_view rule, Span span, std::string message) {
  ++errors_;
  return all_.emplace_back(
      Diagnostic{Severity::error, std::string(rule), std::move(message), span, {}, {}});
}

Diagnostic& Diagnostics::warning(std::string_view rule, Span span, std::string message) {
  return all_.emplace_back(
      Diagnostic{Severity::warning, std::string(rule), std::move(message), span, {}, {}});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = all_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    if (!a.span || !b.span) {
      return !a.span && b.span;
    }
    const int order =
        a.span.source == b.span.source ? 0 : a.span.source->path().compare(b.span.source->path());
    return order != 0 ? order < 0 : a.span.begin < b.span.begin;
  });
  return result;
}

std::string render(const Diagnostic& diagnostic) {
  std::string text =
      heading(diagnostic.span, diagnostic.severity == Severity::error ? "error" : "warning",
              diagnostic.message);
  if (diagnostic.span) {
    text += excerpt(diagnostic.span);
  }
  if (!diagnostic.help.empty()) {
    text += fmt::format("  help: {}\n", shown(diagnostic.help));
  }
  for (const Diagnostic::Related& related : diagnostic.related) {
    text += heading(related.span, "note", related.message);
  }
  return text;
}

std::string render(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    text += render(diagnostic);
  }
  return text;
}

}  // namespace agneto
