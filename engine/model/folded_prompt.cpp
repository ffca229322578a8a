#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "model/rules.h"
#include "model/traps.h"
#include "model/written_lines.h"

namespace agneto::model {

namespace {

constexpr std::string_view heading = "heading";

// "1. Look at it"
bool is_numbered(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view rest = line.substr(digits);
  return digits >= 1 && digits <= 2 && (rest.starts_with(". ") || rest.starts_with(") "));
}

// What such a line is in Markdown; empty: a part of a paragraph.
std::string_view block_of(std::string_view line) {
  const std::size_t signs = std::min(line.find_first_not_of('#'), line.size());
  if (signs >= 1 && signs <= 6 && line.substr(signs).starts_with(' ')) return heading;
  for (const std::string_view sign : {"- ", "* ", "+ "}) {
    if (line.starts_with(sign)) return "item of a list";
  }
  if (is_numbered(line)) return "item of a list";
  if (line.starts_with("> ")) return "quotation";
  if (line.starts_with('|')) return "row of a table";
  if (line.starts_with("```") || line.starts_with("~~~")) return "block of code";
  return {};
}

}  // namespace

void check_prompt(const yaml::Node& node, Diagnostics& diagnostics) {
  if (!node.is_folded()) return;
  const Source* source = node.span.source;
  const char* start = source->text().data();
  std::string_view before;
  for (const auto& [line, begin, whole, is_joined] : written_lines(node)) {
    const std::string_view block = block_of(line);
    const bool is_swallowed = block_of(before) == heading;
    before = line;
    if (!is_joined || (block.empty() && !is_swallowed)) continue;
    const auto at = static_cast<std::uint32_t>(line.data() - start);
    const Span place{source, at, at + static_cast<std::uint32_t>(line.size())};
    Diagnostic& problem = diagnostics.report(
        rules::folded_prompt, place,
        is_swallowed
            ? "YAML joins this line to the heading before it"
            : fmt::format("YAML joins this line to the one before it, so that it is no {}", block),
        "write the prompt behind '|', which keeps its lines");
    problem.related.push_back({{source, node.span.begin, node.span.begin + 1}, "it begins here"});
    if (node.style == yaml::Style::folded) {
      problem.fix = Edit{{source, node.span.begin, node.span.begin + 1}, "|"};
    }
    return;
  }
}

}  // namespace agneto::model
