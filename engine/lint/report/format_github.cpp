#include <fmt/format.h>

#include "base/text.h"
#include "lint/report/format.h"

namespace agneto::lint {

namespace {

std::string escaped(std::string_view text, std::string_view specials) {
  std::string result;
  for (const char c : printable(valid_utf8(text))) {
    if (specials.find(c) != std::string_view::npos) {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      result += c;
    }
  }
  return result;
}

std::string property(std::string_view text) {
  return escaped(text, "%\n:,");
}

std::string properties(const Diagnostic& diagnostic) {
  const std::string title = "title=" + property(rule_of(diagnostic).id());
  if (!diagnostic.span) return title;
  const Region where = region(diagnostic.span);
  // GitHub takes columns on one line alone.
  const std::string columns =
      where.line == where.end_line
          ? fmt::format("col={},endColumn={},", where.column, where.end_column)
          : "";
  return fmt::format("file={},line={},endLine={},{}{}", property(where.path), where.line,
                     where.end_line, columns, title);
}

// An annotation has one place; the others are told.
std::string text_of(const Diagnostic& diagnostic) {
  std::string text = whole_message(diagnostic);
  for (const Diagnostic::Related& one : diagnostic.related) {
    const Region where = region(one.span);
    text += one.span ? fmt::format("\n{}:{}:{}: ", where.path, where.line, where.column) : "\n";
    text += "note: " + one.message;
  }
  return text;
}

}  // namespace

std::string write_github(const Report& report, const Tool&) {
  std::string text;
  for (const auto& [diagnostic, suppressed] : report.findings) {
    if (suppressed) continue;
    text += fmt::format("::{} {}::{}\n", to_text(diagnostic.severity), properties(diagnostic),
                        escaped(text_of(diagnostic), "%\n"));
  }
  return text;
}

}  // namespace agneto::lint
