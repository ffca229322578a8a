#include "yaml/tolerant.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "yaml/scanner.h"

namespace agneto::yaml {

namespace {

constexpr int most_nested = 200;

struct Line {
  std::size_t begin = 0;
  std::size_t first = 0;  // behind its indentation
  std::size_t end = 0;    // before its line end
  int indent = 0;
  bool blank = false;  // nothing, or a comment
};

// More than 25 names: YAML has so many constructs, and each has a function.
class Parser {
 public:
  explicit Parser(const Source& source) : source_(source), text_(source.text()) {
    for (int number = 1; number <= source.line_count(); ++number) {
      Line line;
      line.begin = source.line_start(number);
      line.end = line.begin + source.line(number).size();
      line.first = std::min(skip_blanks(text_, line.begin), line.end);
      line.indent = static_cast<int>(line.first - line.begin);
      line.blank = line.first == line.end || text_[line.first] == '#';
      const std::string_view rest = text_.substr(line.begin, line.end - line.begin);
      if (starts_with_word(rest, "---") || rest == "...") line.blank = true;
      lines_.push_back(line);
    }
  }

  Node parse() {
    Node node = block(-1);
    while (more() && node.kind == Kind::null) {  // something odd came first
      ++at_;
      node = block(-1);
    }
    return node;
  }

 private:
  bool more() {
    while (at_ < lines_.size() && lines_[at_].blank) ++at_;
    return at_ < lines_.size();
  }
  const Line& now() const { return lines_[at_]; }
  char byte(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\n'; }
  bool is_comment(std::size_t offset) const {
    return byte(offset) == '#' && (offset == 0 || is_space(text_[offset - 1]));
  }
  bool is_dash(const Line& line) const {
    return byte(line.first) == '-' &&
           (line.first + 1 >= line.end || is_space(text_[line.first + 1]));
  }

  Node made(Kind kind, std::size_t begin, std::size_t end) const {
    Node node;
    node.kind = kind;
    node.span = source_.span(begin, end);
    return node;
  }
  Node plain(std::size_t begin, std::size_t end) const {
    while (end > begin && is_space(text_[end - 1])) --end;
    Node node = made(Kind::scalar, begin, end);
    node.text = text_.substr(begin, end - begin);
    if (node.text.empty() || node.text == "~" || node.text == "null") node.kind = Kind::null;
    return node;
  }

  // Lines that are further in than `parent`.
  Node block(int parent) {
    if (!more() || now().indent <= parent || depth_ > most_nested) {
      return made(Kind::null, here(), here());
    }
    ++depth_;
    Node node = is_dash(now()) ? sequence(now().indent) : mapping(parent);
    --depth_;
    return node;
  }
  std::size_t here() const { return at_ < lines_.size() ? now().first : text_.size(); }

  Node sequence(int indent) {
    Node node = made(Kind::sequence, now().first, now().first);
    while (more() && now().indent == indent && is_dash(now())) {
      Line& line = lines_[at_];
      line.first = std::min(skip_blanks(text_, line.first + 1), line.end);
      line.indent = static_cast<int>(line.first - line.begin);
      if (line.first == line.end || is_comment(line.first)) ++at_;
      // The lines of a `- |` are further in than its dash, wherever the `|` is.
      const bool is_scalar = byte(line.first) == '|' || byte(line.first) == '>';
      node.items.push_back(is_scalar ? block_scalar(line.first, indent) : block(indent));
      node.span.end = std::max(node.span.end, node.items.back().span.end);
    }
    return node;
  }

  Node mapping(int parent) {
    Node node = made(Kind::map, now().first, now().first);
    while (more() && now().indent > parent) {
      const Line line = now();
      if (is_dash(line) && !node.entries.empty()) {
        Node items = sequence(line.indent);
        if (node.entries.back().value.kind == Kind::null) {
          node.entries.back().value = std::move(items);
        }
        continue;
      }
      std::size_t colon = 0;
      Node key = scan_key(line, colon);
      if (colon != 0) {
        Node inside = value(colon + 1, line.indent);
        node.entries.push_back({std::move(key), std::move(inside)});
        continue;
      }
      Node word = value(line.first, line.indent);
      const bool has_lines = word.kind == Kind::map && !key.text.empty();
      if (has_lines) {  // a key without its colon, with lines below it
        node.entries.push_back({std::move(key), std::move(word)});
      } else if (node.entries.empty() && !(more() && now().indent > parent)) {
        return word;
      } else {
        key = plain(word.span.begin, std::min<std::size_t>(word.span.end, line.end));
        node.entries.push_back({std::move(key), made(Kind::null, line.end, line.end)});
      }
    }
    for (const Entry& entry : node.entries) {
      node.span.end = std::max({node.span.end, entry.key.span.end, entry.value.span.end});
    }
    return node;
  }

  // `colon` is where its colon is, or 0 where there is none.
  Node scan_key(const Line& line, std::size_t& colon) const {
    const auto ends_key = [&](std::size_t at) {
      return byte(at) == ':' && (at + 1 >= line.end || is_space(text_[at + 1]));
    };
    const char first = byte(line.first);
    if (first == '"' || first == '\'') {
      std::size_t at = line.first;
      Node key = quoted(at, line.end);
      at = skip_blanks(text_, at);
      if (at < line.end && ends_key(at)) colon = at;
      return key;
    }
    if (first == '{' || first == '[') return plain(line.first, line.first);
    std::size_t at = line.first;
    while (at < line.end && !ends_key(at) && !is_comment(at)) ++at;
    if (at < line.end && ends_key(at)) colon = at;
    return plain(line.first, at);
  }

  // What stands from `from` on in the current line and those below that are further in.
  Node value(std::size_t from, int indent) {
    const Line line = now();
    const std::size_t begin = std::min(skip_blanks(text_, from), line.end);
    if (begin == line.end || is_comment(begin)) {
      ++at_;
      if (more() && now().indent == indent && is_dash(now())) return sequence(indent);
      Node node = block(indent);
      if (node.kind == Kind::null && node.text.empty()) {
        node.span = made(Kind::null, begin, begin).span;
      }
      return node;
    }
    switch (text_[begin]) {
      case '|':
      case '>':
        return block_scalar(begin, indent);
      case '{':
      case '[':
      case '"':
      case '\'': {
        const std::size_t limit = end_of_inside(indent);
        std::size_t at = begin;
        Node node = flow(at, limit);
        while (at_ < lines_.size() && now().begin < at) ++at_;
        return node;
      }
      default:
        return words(begin, indent);
    }
  }

  // Plain text, maybe of several lines; but lines below that have keys are what is meant.
  Node words(std::size_t begin, int indent) {
    std::size_t end = begin;
    while (end < now().end && !is_comment(end)) ++end;
    Node node = plain(begin, end);
    ++at_;
    while (more() && now().indent > indent) {
      std::size_t colon = 0;
      scan_key(now(), colon);
      if (colon != 0 || is_dash(now())) return block(indent);
      std::size_t last = now().first;
      while (last < now().end && !is_comment(last)) ++last;
      node = plain(begin, last);
      ++at_;
    }
    return node;
  }

  Node block_scalar(std::size_t begin, int indent) {
    Node node = made(Kind::scalar, begin, now().end);
    node.style = text_[begin] == '|' ? Style::literal : Style::folded;
    const std::size_t content = now().end;
    for (++at_; at_ < lines_.size(); ++at_) {
      const bool empty = now().first == now().end;
      if (!empty && now().indent <= indent) break;
      if (!empty) node.span.end = static_cast<std::uint32_t>(now().end);
    }
    node.text = text_.substr(content, node.span.end - content);
    return node;
  }

  // Where the lines below go back to the indent, or further out.
  std::size_t end_of_inside(int indent) const {
    for (std::size_t i = at_ + 1; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      if (line.first == line.end || line.indent > indent) continue;
      const bool closes = byte(line.first) == '}' || byte(line.first) == ']';
      return closes ? line.end : line.begin;
    }
    return text_.size();
  }

  Node quoted(std::size_t& at, std::size_t limit) const {
    const std::size_t begin = at;
    const std::size_t end = std::min(scalar_end(text_, begin, {}), text_.size());
    const bool closed = end <= limit && end > begin;
    at = closed ? end : std::min(line_end(text_, begin), limit);
    Node node = made(Kind::scalar, begin, at);
    node.style = text_[begin] == '"' ? Style::double_quoted : Style::single_quoted;
    node.text = text_.substr(begin + 1, at - begin - (closed ? 2 : 1));
    return node;
  }

  Node flow(std::size_t& at, std::size_t limit) {
    const char first = byte(at);
    if (first == '"' || first == '\'') return quoted(at, limit);
    if (first != '{' && first != '[') return flow_plain(at, limit);
    Node node = made(first == '{' ? Kind::map : Kind::sequence, at, at + 1);
    const char close = first == '{' ? '}' : ']';
    ++at;
    ++depth_;
    while (true) {
      at = std::min(skip_space(text_, at), limit);
      if (at >= limit || byte(at) == '}' || byte(at) == ']') break;
      if (byte(at) == ',') {
        ++at;
        continue;
      }
      const std::size_t before = at;
      member(node, at, limit);
      if (at == before) ++at;
    }
    --depth_;
    if (at < limit && byte(at) == close) ++at;
    node.span.end = static_cast<std::uint32_t>(at);
    return node;
  }

  void member(Node& node, std::size_t& at, std::size_t limit) {
    if (depth_ > most_nested) return;
    Node key = flow(at, limit);
    const std::size_t after = skip_space(text_, at);
    const bool has_value = after < limit && byte(after) == ':';
    Node inside = made(Kind::null, at, at);
    if (has_value) {
      at = std::min(skip_space(text_, after + 1), limit);
      inside = made(Kind::null, at, at);
      const bool is_empty =
          at >= limit || std::string_view(",}]").find(byte(at)) != std::string_view::npos;
      if (!is_empty) inside = flow(at, limit);
    }
    if (node.kind == Kind::sequence) {
      node.items.push_back(has_value ? std::move(inside) : std::move(key));
    } else if (key.kind == Kind::scalar || key.kind == Kind::null) {
      node.entries.push_back({std::move(key), std::move(inside)});
    }
  }

  Node flow_plain(std::size_t& at, std::size_t limit) const {
    const std::size_t begin = at;
    while (at < limit) {
      const char c = text_[at];
      if (std::string_view(",[]{}").find(c) != std::string_view::npos || is_comment(at)) break;
      const bool colon =
          c == ':' && (at + 1 >= limit || is_space(text_[at + 1]) ||
                       std::string_view(",[]{}").find(text_[at + 1]) != std::string_view::npos);
      if (colon) break;
      ++at;
    }
    return plain(begin, at);
  }

  const Source& source_;
  std::string_view text_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

Node read_tolerantly(const Source& source) {
  return Parser(source).parse();
}

}  // namespace agneto::yaml
