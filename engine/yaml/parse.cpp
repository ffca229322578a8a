#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <unordered_map>

#include "yaml/parse_error.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"
#include "yaml/scanner.h"
#include "yaml/tree.h"

namespace agneto::yaml {

namespace {

// Thrown through yaml-cpp to end its work.
struct Stop {};

bool is_null_word(std::string_view text) {
  return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

// Builds the tree from yaml-cpp's events, which come with the place where a value begins. `cursor_`
// follows in the source to where the last one ended.
//
// More than 25 names: each event of yaml-cpp's has a function, and so has what none of them tells.
class Builder : public YAML::EventHandler {
 public:
  Builder(const SourcePtr& source, std::size_t offset, Diagnostics& diagnostics)
      : source_(*source), text_(source->text()), offset_(offset), diagnostics_(diagnostics) {}

  std::unique_ptr<Node> take_root() { return std::move(root_); }

  // What yaml-cpp found wrong, and how far the tree had come.
  YamlError described(const YAML::ParserException& error) const {
    YamlError result{error.msg, at(error.mark), cursor_, comment_, torn_, std::nullopt};
    if (!frames_.empty() && frames_.back().flow) result.open_flow = frames_.back().node.span.begin;
    return result;
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (started_) {
      report_second(at(mark));
      throw Stop{};
    }
    started_ = true;
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    Node node;
    std::size_t begin = at(mark);
    if (anchor != 0) begin = skip_properties(begin);
    // The mark of a value that is not there is the next token's, which may be a key named `null`.
    if (begin >= cursor_) {
      const std::size_t word = std::min(text_.find_first_of(" \t\r\n,[]{}:#", begin), text_.size());
      const bool written =
          is_null_word(text_.substr(begin, word - begin)) &&
          (expects_key() || !text_.substr(skip_blanks(text_, word)).starts_with(':'));
      if (written) {
        node.text = text_.substr(begin, word - begin);
        node.span = source_.span(begin, word);
        cursor_ = word;
        check_comment(node);
        add(std::move(node));
        return;
      }
    }
    if (!expects_key() && !frames_.empty()) {
      const Frame& frame = frames_.back();
      const bool is_map = frame.node.kind == Kind::map;
      const char before = is_map ? ':' : frame.flow ? '\0' : '-';
      const std::size_t behind = skip_to(text_, cursor_, before);
      if (is_map && frame.flow && behind == cursor_) report_missing_value(frame);
      cursor_ = behind;
    }
    node.span = source_.span(cursor_, cursor_);
    check_comment(node);
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    Node node;
    cursor_ = skip_property(text_, at(mark));
    node.span = source_.span(at(mark), cursor_);
    refuse_anchor(node.span);
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    Node node;
    node.kind = Kind::scalar;
    const bool negates = is_negation(tag, at(mark));
    const std::size_t begin = negates ? at(mark) : value_begin(mark, tag, anchor);
    node.style = style_at(text_, begin);
    node.text = value;
    std::size_t end = scalar_end(text_, begin, value);
    if (negates) {
      const std::size_t behind = skip_property(text_, begin);
      end = value.empty() ? behind : scalar_end(text_, skip_space(text_, behind), value);
      if (end != std::string_view::npos) node.text = text_.substr(begin, end - begin);
    }
    if (end == std::string_view::npos) {
      report_unclosed_quote(source_.span(begin, begin + 1), diagnostics_);
      throw Stop{};
    }
    cursor_ = end;
    node.span = source_.span(begin, end);
    check_comment(node);
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override {
    open(Kind::sequence, mark, tag, anchor, style == YAML::EmitterStyle::Flow);
  }
  void OnSequenceEnd() override { close(']'); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override {
    open(Kind::map, mark, tag, anchor, style == YAML::EmitterStyle::Flow);
  }
  void OnMapEnd() override { close('}'); }

 private:
  // A collection that is open, with its children so far.
  struct Frame {
    Node node;
    bool flow = false;                           // in brackets
    bool has_key = false;                        // maps: the last entry's value is to come
    bool drop = false;                           // maps: the value to come has no usable key
    std::unordered_map<std::string, Span> keys;  // maps: where each key is
  };

  std::size_t at(const YAML::Mark& mark) const {
    return std::min(offset_ + static_cast<std::size_t>(std::max(mark.pos, 0)), text_.size());
  }

  bool expects_key() const {
    return !frames_.empty() && frames_.back().node.kind == Kind::map && !frames_.back().has_key;
  }

  std::size_t value_begin(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const std::size_t begin = at(mark);
    // yaml-cpp tags plain values and collections "?" and quoted ones "!", as `!` alone does.
    const bool bare =
        anchor == 0 && (tag == "?" || tag.empty() || (tag == "!" && text_[begin] != '!'));
    return bare ? begin : skip_properties(begin);
  }

  // Code such as `!ctx.done`, which YAML takes for a tag: what is wrong with it is said by Lua.
  bool is_negation(std::string_view tag, std::size_t begin) const {
    if (expects_key() || !tag.starts_with('!') || text_[begin] != '!') return false;
    const std::size_t dot = tag.find('.');
    return dot != std::string_view::npos && dot > 1 &&
           std::ranges::all_of(tag.substr(1, dot - 1),
                               [](unsigned char c) { return std::isalpha(c) != 0; });
  }

  std::size_t skip_properties(std::size_t begin) {
    while (begin < text_.size() && (text_[begin] == '&' || text_[begin] == '!')) {
      const std::size_t end = skip_property(text_, begin);
      if (text_[begin] == '&') {
        refuse_anchor(source_.span(begin, end));
      } else {
        diagnostics_.report(
            rules::yaml_tag, source_.span(begin, end),
            fmt::format("tags ('{}') are not supported", text_.substr(begin, end - begin)),
            "leave the tag out; quote a text that begins with '!'");
      }
      begin = skip_space(text_, end);
    }
    return begin;
  }

  void refuse_anchor(const Span& place) {
    const char sign = text_[place.begin];
    diagnostics_.report(
        rules::yaml_alias, place,
        fmt::format("{} ('{}') are not supported", sign == '&' ? "anchors" : "aliases",
                    place.text()),
        fmt::format("write the value out; quote a text that begins with '{}'", sign));
  }

  // A value that a comment right behind it has swallowed or cut.
  void check_comment(const Node& node) {
    if (!node.is_plain() || expects_key()) return;
    const std::size_t comment = skip_blanks(text_, node.span.end);
    if (!looks_like_value(text_, comment)) return;
    comment_ = comment;
    diagnostics_.report(
        rules::comment_cuts_value, source_.span(comment, line_end(text_, comment)),
        node.text.empty()
            ? "'#' begins a comment here, so that the value is empty"
            : fmt::format("'#' begins a comment here, so that the value is only '{}'", node.text),
        comment_help);
  }

  void report_missing_value(const Frame& map) {
    const std::size_t begin = map.node.span.begin;
    const bool in_template = begin > 0 && text_[begin - 1] == '{';
    if (map.drop || in_template) {
      return;  // what is wrong with the key is reported
    }
    const std::vector<Entry>& entries = map.node.entries;
    const Node& key = entries.back().key;
    if (key.span.begin < torn_) return;
    if (const auto place = no_break_space_between(text_, key.span.begin, key.span.end)) {
      return report_no_break_space(source_.span(place->first, place->second), diagnostics_);
    }
    Diagnostic& found = diagnostics_.report(rules::flow_key_without_value, key.span,
                                            fmt::format("'{}' is a key without a value", key.text));
    const Entry* before = entries.size() > 1 ? &entries[entries.size() - 2] : nullptr;
    if (before && before->value.kind == Kind::scalar && before->value.is_plain()) {
      torn_ = unquoted_end(text_, before->value.span.begin, key.span.end);
      found.help =
          fmt::format("a comma ends a value inside {{ }}; quote it: {}: {}", before->key.text,
                      quoted(source_.span(before->value.span.begin, torn_).text()));
    } else {
      found.help = fmt::format("write '{}: VALUE'", key.text);
    }
  }

  void report_second(std::size_t begin) {
    const bool marked = text_.substr(begin).starts_with("---");
    if (marked) {
      diagnostics_.report(rules::yaml_documents, source_.span(begin, begin + 3),
                          "a second document begins here",
                          "a file holds one document; move this one to a file of its own");
    } else {
      diagnostics_.report(rules::yaml, source_.span(begin, line_end(text_, begin)),
                          "this does not belong to the value above it",
                          "check its indentation and the quotes before it");
    }
  }

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            bool flow) {
    const std::size_t begin = value_begin(mark, tag, anchor);
    if (frames_.size() == max_depth) {
      diagnostics_.report(rules::yaml_depth, source_.span(begin, begin + 1),
                          fmt::format("nested more than {} levels deep", max_depth),
                          "move the inner part to a machine of its own");
      throw Stop{};
    }
    Frame& frame = frames_.emplace_back();
    frame.node.kind = kind;
    frame.node.span = source_.span(begin, begin);
    frame.flow = flow && begin < text_.size() && text_[begin] == (kind == Kind::map ? '{' : '[');
    cursor_ = begin + (frame.flow ? 1 : 0);
  }

  void close(char bracket) {
    if (frames_.back().flow) cursor_ = skip_to(text_, cursor_, bracket);
    Node node = std::move(frames_.back().node);
    node.span.end = static_cast<std::uint32_t>(cursor_);
    frames_.pop_back();
    add(std::move(node));
  }

  void add(Node&& node) {
    if (frames_.empty()) {
      root_ = std::make_unique<Node>(std::move(node));
      return;
    }
    Frame& frame = frames_.back();
    if (frame.node.kind == Kind::sequence) {
      frame.node.items.push_back(std::move(node));
    } else if (!frame.has_key) {
      frame.has_key = true;
      frame.drop = !add_key(frame, node);
    } else {
      frame.has_key = false;
      if (!frame.drop) frame.node.entries.back().value = std::move(node);
    }
  }

  // Has the key no value? That is said of it when its value is read.
  bool is_alone(const Frame& frame, const Node& key) const {
    const std::size_t behind = skip_space(text_, key.span.end);
    return frame.flow && behind < text_.size() && (text_[behind] == ',' || text_[behind] == '}');
  }

  // Returns whether the key is usable; else it says why not.
  bool add_key(Frame& frame, Node& key) {
    if (key.kind == Kind::map && text_[key.span.begin] == '{' && frame.flow) {
      diagnostics_.report(rules::yaml_key, frame.node.span, "a text with '{{' must be quoted",
                          "without quotes, '{' begins a map");
      return false;
    }
    if (key.kind == Kind::map || key.kind == Kind::sequence) {
      diagnostics_.report(
          rules::yaml_key, key.span,
          fmt::format("a {} cannot be a key", key.kind == Kind::map ? "map" : "list"));
      return false;
    }
    if (key.kind == Kind::null && key.text.empty()) {
      diagnostics_.report(rules::yaml_key, key.span, "a key is missing here");
      return false;
    }
    key.kind = Kind::scalar;  // `null:` names a key like any other
    if (key.is_plain() && key.text == "<<") {
      diagnostics_.report(rules::yaml_alias, key.span, "merge keys ('<<') are not supported",
                          "write the keys out");
      return false;
    }
    const auto [known, added] = frame.keys.try_emplace(key.text, key.span);
    if (!added && !is_alone(frame, key)) {
      diagnostics_
          .report(rules::duplicate_key, key.span, fmt::format("duplicate key '{}'", key.text),
                  "remove one of the two, or rename it")
          .related.push_back({known->second, "first defined here"});
      return false;
    }
    frame.node.entries.emplace_back().key = std::move(key);
    return true;
  }

  const Source& source_;
  std::string_view text_;
  std::size_t offset_;
  Diagnostics& diagnostics_;
  bool started_ = false;
  std::size_t comment_ = 0;
  std::size_t torn_ = 0;
  std::size_t cursor_ = 0;
  std::vector<Frame> frames_;
  std::unique_ptr<Node> root_;
};

}  // namespace

std::unique_ptr<Node> parse(const SourcePtr& source, Diagnostics& diagnostics) {
  if (!check_characters(*source, diagnostics)) return nullptr;
  const std::size_t offset = source->line_start(1);
  std::istringstream stream(source->text().substr(offset));
  Builder builder(source, offset, diagnostics);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) {
      diagnostics.report(rules::yaml_empty, {source.get(), 0, 0}, "the file is empty");
      return nullptr;
    }
    parser.HandleNextDocument(builder);  // reports a second one
  } catch (const Stop&) {
  } catch (const YAML::ParserException& error) {
    report(builder.described(error), *source, diagnostics);
    return nullptr;
  }
  return builder.take_root();
}

}  // namespace agneto::yaml
