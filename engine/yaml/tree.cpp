#include "yaml/tree.h"

#include <algorithm>
#include <numeric>

#include "yaml/scanner.h"

namespace agneto::yaml {

namespace {

// The lines below the scalar's first on which those of a flow scalar stand: a run of line ends
// becomes one less in the text (a single one becomes a space), and `\n` in double quotes is one
// that the source does not have.
std::vector<int> flow_lines(std::string_view source, Style style) {
  std::vector<int> lines = {0};
  int line = 0;
  int run = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    const char c = source[i];
    if (c == '\n') {
      ++line;
      ++run;
      if (run > 1) lines.push_back(line);
    } else if (!is_space(c)) {
      run = 0;
      if (style == Style::double_quoted && c == '\\' && i + 1 < source.size()) {
        ++i;
        if (source[i] == 'n') {
          lines.push_back(line);
        } else if (source[i] == '\n') {
          ++line;
          run = 1;
        }
      }
    }
  }
  return lines;
}

// The same for a folded block, whose words appear in the source one for one.
std::vector<int> folded_lines(std::string_view source, std::string_view text) {
  std::vector<int> lines;
  std::size_t at = std::min(source.find('\n'), source.size());
  int line = 0;
  int blank = 0;        // ends of lines since the last word
  bool pending = true;  // the text's line has no word yet
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') {
      if (pending) lines.push_back(line);
      ++blank;
      pending = i + 1 < text.size() && text[i + 1] != '\n';
      if (!pending) lines.push_back(line + blank);
    }
    if (is_space(text[i])) continue;
    blank = 0;
    while (at < source.size() && is_space(source[at])) {
      line += source[at] == '\n' ? 1 : 0;
      ++at;
    }
    ++at;
    if (pending) {
      lines.push_back(line);
      pending = false;
    }
  }
  if (pending) lines.push_back(line);
  return lines;
}

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

std::vector<int> Node::lines() const {
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  std::vector<int> lines(count);
  if (style == Style::literal) {
    std::iota(lines.begin(), lines.end(), 1);
  } else {
    lines =
        style == Style::folded ? folded_lines(span.text(), text) : flow_lines(span.text(), style);
    lines.resize(count, lines.back());  // "\x0a" is a line end, too
  }
  const int first = span.line();
  for (int& line : lines) line += first;
  return lines;
}

bool Node::is_folded() const {
  if (kind != Kind::scalar || style == Style::literal) return false;
  const std::string_view source = span.text();
  return std::count(source.begin(), source.end(), '\n') > (style == Style::folded ? 1 : 0);
}

std::span<const Node> Node::one_or_all() const {
  return kind == Kind::sequence ? std::span<const Node>(items) : std::span<const Node>(this, 1);
}

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries) {
    if (entry.key.text == key) return &entry.value;
  }
  return nullptr;
}

Entry* Node::find_entry(std::string_view key) {
  const auto found =
      std::ranges::find_if(entries, [&](const Entry& entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &*found;
}

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
      result.push_back(source->span(at, end));
      at = end;
    }
  }
  return result;
}

}  // namespace agneto::yaml
