#include "yaml/parse_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "yaml/indentation.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"
#include "yaml/scanner.h"

namespace agneto::yaml {

namespace {

struct Wording {
  std::string_view yaml_cpp;  // how its message begins
  std::string_view message;
  std::string_view help;
};

constexpr Wording wordings[] = {
    {"illegal map value", "a key cannot stand here", "check the indentation of this line"},
    {"illegal map key", "a key cannot stand here", "check the indentation"},
    {"illegal block entry", "'-' cannot begin a list item here",
     "begin the list on a line of its own, or write it as [a, b]"},
    {"illegal flow end", "nothing is open that this could close",
     "quote a text that holds brackets"},
    {"end of map not found", "this does not belong to the map above it",
     "check its indentation, and that its key ends in ':'"},
    {"end of sequence not found", "this does not belong to the list above it",
     "check its indentation, and that it begins with '- '"},
    {"end of map flow not found", "expected ',' or '}' here",
     "close the map with '}'; quote a text that holds brackets"},
    {"end of sequence flow not found", "expected ',' or ']' here",
     "close the list with ']'; quote a text that holds brackets"},
    {"unknown token", "a value cannot begin like this", "quote it"},
    {"alias not found after *", "'*' begins an alias, and aliases are not supported",
     "write 'any' for every event; quote '*' where it is text"},
    {"illegal character found while scanning alias",
     "'*' begins an alias, and aliases are not supported", "quote a text that begins with '*'"},
    {"the referenced anchor is not defined", "'*' begins an alias, and aliases are not supported",
     "write 'any' for every event; quote a text that begins with '*'"},
    {"anchor not found after &", "'&' begins an anchor, and anchors are not supported",
     "quote a text that begins with '&'"},
    {"illegal character found while scanning anchor",
     "'&' begins an anchor, and anchors are not supported", "quote a text that begins with '&'"},
    {"unknown escape character", "this is no escape sequence",
     "write '\\\\' for a backslash, or use single quotes, which have no escapes"},
    {"bad character found while scanning hex", "this is no hexadecimal number",
     "'\\x' takes two digits, '\\u' four, '\\U' eight"},
    {"invalid unicode", "this escape sequence names no character", "write the character itself"},
    {"unexpected character in block scalar", "only a line end may stand behind '|' or '>'",
     "begin the text on the next line, indented"},
    {"cannot set zero indentation", "a block of text cannot have an indentation of 0",
     "leave the number out"},
    {"illegal document indicator in scalar", "a quoted text cannot hold this line",
     "close the quote before it"},
};

// The place of a quote at or behind `from` that nothing closes, or npos.
std::size_t unclosed_quote(std::string_view text, std::size_t from) {
  std::size_t at = from;
  while ((at = skip_space(text, at)) < text.size()) {
    const bool opens =
        (text[at] == '"' || text[at] == '\'') &&
        (at == 0 || std::string_view(" \t\r\n[{,:").find(text[at - 1]) != std::string_view::npos);
    if (!opens) {
      ++at;
      continue;
    }
    const std::size_t end = scalar_end(text, at, {});
    if (end == std::string_view::npos) return at;
    at = end;
  }
  return std::string_view::npos;
}

// The place of a comment between two others that looks like code, or npos.
std::size_t swallowing_comment(std::string_view text, std::size_t from, std::size_t to) {
  for (std::size_t at = text.find('#', from); at < to; at = text.find('#', at + 1)) {
    if ((text[at - 1] == ' ' || text[at - 1] == '\t') && looks_like_value(text, at)) {
      return at;
    }
  }
  return std::string_view::npos;
}

// Tries one explanation after the other; each says whether it fits, and then has reported it.
class Explainer {
 public:
  Explainer(const YamlError& error, const Source& source, Diagnostics& diagnostics)
      : error_(error), source_(source), text_(source.text()), diagnostics_(diagnostics) {}

  void run() {
    if (error_.offset < error_.torn) return;  // the text has been reported
    if (!no_break_space() && !quote() && !dedented_line() && !bracket() && !tab() && !colon() &&
        !text_behind_quote() && !question_mark() && !block() && !colon_in_brackets()) {
      wording();
    }
  }

 private:
  Diagnostic& report(std::size_t begin, std::size_t end, std::string message,
                     const Rule& rule = rules::yaml) {
    return diagnostics_.report(rule, source_.span(begin, end), std::move(message));
  }

  bool quote() {
    if (error_.message != "illegal EOF in scalar" &&
        error_.message != "illegal document indicator in scalar") {
      return false;
    }
    const std::size_t quote = unclosed_quote(text_, error_.parsed);
    if (quote == std::string_view::npos) return false;
    report_unclosed_quote(source_.span(quote, quote + 1), diagnostics_);
    return true;
  }

  // A bracket whose other one is missing, or in a comment that was meant to be code.
  bool bracket() {
    if (!error_.open_flow || !error_.message.ends_with("flow not found")) return false;
    const std::size_t open = *error_.open_flow;
    if (error_.comment > open) return true;  // it was reported when the value was read
    const char closing = text_[open] == '{' ? '}' : ']';
    const std::size_t comment = swallowing_comment(text_, open, error_.offset);
    if (comment != std::string_view::npos) {
      report(comment, line_end(text_, comment),
             fmt::format("'#' begins a comment here, which hides the '{}'", closing),
             rules::comment_cuts_value)
          .help = comment_help;
      return true;
    }
    if (skip_space(text_, error_.offset) < text_.size()) return false;
    report(open, open + 1, fmt::format("this '{}' is never closed", text_[open])).help =
        fmt::format("close it with '{}'", closing);
    return true;
  }

  // What is copied from a page may have them in the place of blanks.
  bool no_break_space() {
    // They are in the last value that was read, or behind it.
    const int line = std::max(source_.position(error_.parsed).line - 1, 1);
    const std::size_t from = source_.line_start(line);
    const auto place = no_break_space_between(text_, from, line_end(text_, error_.offset));
    if (!place) return false;
    report_no_break_space(source_.span(place->first, place->second), diagnostics_);
    return true;
  }

  // A line that was to go on with the block above it.
  bool dedented_line() {
    if (error_.open_flow) return false;
    for (int line = source_.position(error_.offset).line, tried = 0; line > 1 && tried < 2;
         --line, ++tried) {
      const auto block = block_that_ended(source_, line);
      if (!block) continue;
      Diagnostic& found =
          diagnostics_.report(rules::yaml, source_.words_of_line(line),
                              "this line is indented less than the block above it, and ends that");
      found.help = "indent it as the lines above";
      found.related.push_back({source_.words_of_line(*block), "the block begins here"});
      return true;
    }
    return false;
  }

  bool tab() {
    const int line = source_.position(error_.offset).line;
    const std::size_t start = source_.line_start(line);
    const std::size_t tab = text_.find_first_not_of(' ', start);
    if (error_.open_flow || tab >= text_.size() || text_[tab] != '\t') return false;
    const std::size_t end = std::min(text_.find_first_not_of(" \t", tab), text_.size());
    Diagnostic& problem = report(tab, end, "a tab cannot indent YAML", rules::yaml_tab);
    problem.help = "indent with spaces";
    if (const auto depth = depth_behind_opening(source_, line)) {
      problem.fix = indented_with_blanks(source_, line, *depth);
    }
    return true;
  }

  // "illegal map value": a key without its colon, a key inside a value, or a line indented wrongly.
  bool colon() {
    if (error_.message != "illegal map value") return false;
    const int number = source_.position(error_.offset).line;
    const std::string_view line = source_.line(number);
    const std::string_view before = line.substr(0, error_.offset - source_.line_start(number));
    if (before.find(": ") != std::string_view::npos) {
      report(error_.offset, error_.offset, "a value without quotes cannot hold ': '").help =
          "quote it, or write it behind '|' on a line of its own";
      return true;
    }
    int above = number - 1;
    while (above > 0 && is_blank_or_comment(source_.line(above))) --above;
    if (above == 0) return false;
    const std::string_view other = source_.line(above);
    const std::string_view words = trim(other);
    const std::size_t indent = other.find_first_not_of(' ');
    const bool is_key = indent == line.find_first_not_of(' ') && !words.starts_with("- ") &&
                        !words.ends_with(':') && words.find(": ") == std::string_view::npos;
    if (!is_key) return false;
    const std::size_t begin = source_.line_start(above) + indent;
    report(begin, begin + words.size(), "expected ':' behind this key").help =
        "write 'KEY: VALUE', or indent a text that goes on from the line above";
    return true;
  }

  // Text behind a quoted value, on its line.
  bool text_behind_quote() {
    const bool is_quoted =
        error_.parsed > 0 && (text_[error_.parsed - 1] == '"' || text_[error_.parsed - 1] == '\'');
    const std::size_t end = line_end(text_, error_.offset);
    if (!is_quoted || skip_blanks(text_, error_.parsed) != error_.offset || error_.offset == end) {
      return false;
    }
    Diagnostic& found = report(error_.offset, end, "text behind a closing quote");
    found.help = "put the whole value into quotes of the other kind";
    const std::size_t begin = last_quoted();
    if (begin == std::string_view::npos) return true;
    const std::size_t whole = error_.open_flow ? unquoted_end(text_, begin, error_.offset + 1)
                                               : comment_or_end(error_.offset);
    const std::string_view value = text_.substr(begin, whole - begin);
    found.span.end = static_cast<std::uint32_t>(whole);
    if (value.find(": ") == std::string_view::npos && !value.ends_with(':')) {
      // Right behind the quote the text goes on: the quotes around it are of the kind within.
      const bool is_around = error_.parsed == error_.offset && value.ends_with(value.front());
      found.help =
          "quote the whole of it: " + quoted(is_around ? value.substr(1, value.size() - 2) : value);
    }
    return true;
  }

  // Where the quoted text begins that is the last value read; npos: not on that line.
  std::size_t last_quoted() const {
    const char quote = text_[error_.parsed - 1];
    std::size_t at = source_.line_start(source_.position(error_.parsed - 1).line);
    while ((at = text_.find(quote, at)) < error_.parsed) {
      if (scalar_end(text_, at, {}) == error_.parsed) return at;
      ++at;
    }
    return std::string_view::npos;
  }

  // The end of the words from `at` on, on its line.
  std::size_t comment_or_end(std::size_t at) const {
    std::size_t end = std::min(text_.find(" #", at), line_end(text_, at));
    while (end > at + 1 && is_blank(text_[end - 1])) --end;
    return end;
  }

  // yaml-cpp ends a plain value inside brackets at a question mark.
  bool question_mark() {
    if (!error_.open_flow || !text_.substr(error_.offset).starts_with('?')) return false;
    report(error_.offset, error_.offset + 1, "a text with '?' must be quoted inside brackets")
        .help = "put the whole text into quotes";
    return true;
  }

  // A value in braces with ': ' in it, often since entries are separated by something else.
  bool colon_in_brackets() {
    if (!error_.open_flow || !error_.message.ends_with("flow not found")) return false;
    const std::size_t colon = error_.offset;
    if (colon >= text_.size() || text_[colon] != ':') return false;
    std::size_t begin = text_.find_last_of("[]{},:\n\"'", colon - 1);
    if (begin == std::string_view::npos || text_[begin] != ':') return false;
    begin = skip_blanks(text_, begin + 1);
    const std::size_t semicolon = text_.substr(0, colon).find(';', begin);
    if (semicolon != std::string_view::npos) {
      report(semicolon, semicolon + 1, "';' separates nothing inside brackets").help = "write ','";
      return true;
    }
    const std::size_t end = unquoted_end(text_, begin, colon + 1);
    report(begin, end, "a value without quotes cannot hold ': '").help =
        "quote the whole of it: " + quoted(text_.substr(begin, end - begin));
    return true;
  }

  // A block of lines where YAML has none.
  bool block() {
    const std::string_view rest = text_.substr(error_.offset);
    if (!error_.open_flow || !(rest.starts_with('|') || rest.starts_with('>'))) return false;
    report(error_.offset, error_.offset + 1,
           fmt::format("no block of lines ('{}') can stand inside brackets", rest.front()))
        .help = "write what is around it without braces, a key a line; or quote the text";
    return true;
  }

  void wording() {
    const auto* known = std::find_if(
        std::begin(wordings), std::end(wordings),
        [&](const Wording& each) { return error_.message.starts_with(each.yaml_cpp); });
    if (known == std::end(wordings)) {
      report(error_.offset, error_.offset, fmt::format("not valid YAML: {}", error_.message));
      return;
    }
    Diagnostic& found = report(error_.offset, error_.offset, std::string(known->message));
    found.help = known->help;
    if (!error_.open_flow) return;
    found.related.push_back(
        {source_.span(*error_.open_flow, *error_.open_flow + 1),
         fmt::format("in the '{}' that begins here", text_[*error_.open_flow])});
  }

  const YamlError& error_;
  const Source& source_;
  const std::string_view text_;
  Diagnostics& diagnostics_;
};

}  // namespace

std::optional<std::pair<std::size_t, std::size_t>> no_break_space_between(std::string_view text,
                                                                          std::size_t from,
                                                                          std::size_t to) {
  constexpr std::string_view sign = "\xC2\xA0";
  for (std::size_t at = text.find(sign, from); at < to; at = text.find(sign, at + 1)) {
    std::size_t before = at;
    while (before > from && is_blank(text[before - 1])) --before;
    if (before > from &&
        std::string_view("\n:,-{[").find(text[before - 1]) == std::string_view::npos) {
      continue;
    }
    std::size_t end = at;
    while (text.substr(end).starts_with(sign)) end += sign.size();
    return std::pair(at, end);
  }
  return std::nullopt;
}

void report_no_break_space(const Span& place, Diagnostics& diagnostics) {
  Diagnostic& found = diagnostics.report(
      rules::yaml, place, "a no-break space, which YAML takes for a letter", "write a blank");
  found.fix = {place, std::string((place.end - place.begin) / 2, ' ')};
}

void report_unclosed_quote(const Span& quote, Diagnostics& diagnostics) {
  diagnostics.report(rules::yaml, quote, "this quote is never closed",
                     "close it; put a text that holds such a quote in the other kind of quotes");
}

void report(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  Explainer(error, source, diagnostics).run();
}

bool check_characters(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  std::size_t i = source.line_start(1);
  const auto refuse = [&](std::size_t size, std::string message, std::string help) {
    diagnostics.report(rules::yaml_encoding, source.span(i, i + size), std::move(message),
                       std::move(help));
    return false;
  };
  while (i < text.size()) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool usual = (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t' ||
                       (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    if (usual) {
      ++i;
      continue;
    }
    const Character c = character_at(text, i);
    const auto code = static_cast<unsigned>(c.code);
    if (!c.valid) {
      return refuse(c.size, fmt::format("the byte 0x{:02X} is not UTF-8 text", byte),
                    "save the file as UTF-8");
    }
    if (byte == '\r') {
      return refuse(1, "a carriage return alone ends no line", "end lines in LF or CRLF");
    }
    if (code < 0xA0 && code != 0x85) {
      return refuse(c.size,
                    fmt::format("the control character U+{:04X} cannot stand in YAML", code),
                    fmt::format("write \"\\x{:02x}\" in double quotes", code));
    }
    i += c.size;
  }
  return true;
}

}  // namespace agneto::yaml
