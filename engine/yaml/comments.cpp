#include "yaml/comments.h"

#include <algorithm>

#include "yaml/scanner.h"
#include "yaml/tree.h"

namespace agneto::yaml {

namespace {

// Where texts stand, in which a '#' is no comment.
void collect_scalars(const Node& node, std::vector<Span>& scalars) {
  if (node.kind == Kind::scalar) {
    Span span = node.span;
    // Behind '|' and '>' a comment may stand.
    if (node.style == Style::literal || node.style == Style::folded) {
      span.begin = static_cast<std::uint32_t>(line_end(span.source->text(), span.begin));
    }
    scalars.push_back(span);
  }
  for (const Node& item : node.items) collect_scalars(item, scalars);
  for (const auto& [key, value] : node.entries) {
    scalars.push_back(key.span);
    collect_scalars(value, scalars);
  }
}

}  // namespace

std::vector<Span> comments(const SourcePtr& source) {
  std::vector<Span> result;
  Diagnostics reported_elsewhere;
  const std::unique_ptr<Node> root = parse(source, reported_elsewhere);
  if (!root) return result;
  std::vector<Span> scalars;
  collect_scalars(*root, scalars);
  std::sort(scalars.begin(), scalars.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });

  const std::string_view text = source->text();
  auto scalar = scalars.begin();
  for (std::size_t at = text.find('#'); at < text.size(); at = text.find('#', at)) {
    while (scalar != scalars.end() && scalar->end <= at) ++scalar;
    const bool begins = at == 0 || std::string_view(" \t\n").find(text[at - 1]) != text.npos;
    if (scalar != scalars.end() && scalar->begin <= at) {
      at = scalar->end;
    } else if (!begins) {
      ++at;
    } else {
      const std::size_t end = line_end(text, at);
      result.push_back(
          {source.get(), static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)});
      at = end;
    }
  }
  return result;
}

}  // namespace agneto::yaml
