#include "yaml/parse_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "base/utf8.h"
#include "yaml/scanner.h"

namespace agneto::yaml {

namespace {

struct Wording {
  std::string_view yaml_cpp;  // how its message begins
  std::string_view message;
  std::string_view help;
};

constexpr Wording kWordings[] = {
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

Span span(const Source& source, std::size_t begin, std::size_t end) {
  return {&source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

// The first tab in the white space that the line of `at` begins with, or npos.
std::size_t tab_in_indentation(const Source& source, std::size_t at) {
  const std::string_view text = source.text();
  const std::size_t begin = source.line_start(source.position(at).line);
  const std::size_t tab = text.find_first_not_of(' ', begin);
  return tab < text.size() && text[tab] == '\t' ? tab : std::string_view::npos;
}

// Of a quote at or behind `from` that nothing closes, or npos.
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
    if (end == std::string_view::npos) {
      return at;
    }
    at = end;
  }
  return std::string_view::npos;
}

// A comment between two places that looks like code, or npos.
std::size_t swallowing_comment(std::string_view text, std::size_t from, std::size_t to) {
  for (std::size_t at = text.find('#', from); at < to; at = text.find('#', at + 1)) {
    if ((text[at - 1] == ' ' || text[at - 1] == '\t') && looks_like_length_operator(text, at)) {
      return at;
    }
  }
  return std::string_view::npos;
}

// Of a line behind one that opens a map or a list: one step further in.
std::optional<std::size_t> depth_behind_opening(const Source& source, int line) {
  std::string_view before;
  while (--line > 0) {
    before = source.line(line);
    const std::string_view text = trim(before);
    if (!text.empty() && !text.starts_with('#')) break;
  }
  const std::size_t depth = before.find_first_not_of(' ');
  if (line == 0 || before[depth] == '\t' || !trim(before).ends_with(':')) return std::nullopt;
  return depth + 2;
}

bool report_tab(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  const std::size_t tab =
      error.in_flow ? std::string_view::npos : tab_in_indentation(source, error.offset);
  if (tab == std::string_view::npos) {
    return false;
  }
  const std::size_t end = source.text().find_first_not_of(" \t", tab);
  Diagnostic& problem =
      diagnostics.error("yaml-tab", span(source, tab, std::min(end, source.text().size())),
                        "a tab cannot indent YAML");
  problem.help = "indent with spaces";
  const int line = source.position(tab).line;
  if (const auto depth = depth_behind_opening(source, line)) {
    const std::size_t start = source.line_start(line);
    problem.fix = {span(source, start, std::min(end, source.text().size())),
                   std::string(*depth, ' ')};
  }
  return true;
}

// "illegal map value": a key without its colon, a key inside a value, or a line indented wrongly.
bool report_colon(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  if (error.message != "illegal map value") {
    return false;
  }
  const int number = source.position(error.offset).line;
  const std::string_view line = source.line(number);
  const std::size_t start = source.line_start(number);
  if (line.substr(0, error.offset - start).find(": ") != std::string_view::npos) {
    diagnostics
        .error("yaml", span(source, error.offset, error.offset),
               "a value without quotes cannot hold ': '")
        .help = "quote it, or write it behind '|' on a line of its own";
    return true;
  }
  for (int above = number - 1; above > 0; --above) {
    const std::string_view other = source.line(above);
    if (trim(other).empty() || trim(other).front() == '#') {
      continue;
    }
    const std::size_t indent = other.find_first_not_of(' ');
    const bool key = indent == line.find_first_not_of(' ') && !trim(other).starts_with("- ") &&
                     !trim(other).ends_with(':') && other.find(": ") == std::string_view::npos;
    if (key) {
      const std::size_t begin = source.line_start(above) + indent;
      diagnostics
          .error("yaml", span(source, begin, begin + trim(other).size()),
                 "expected ':' behind this key")
          .help = "write 'KEY: VALUE', or indent a text that goes on from the line above";
    }
    return key;
  }
  return false;
}

// Text behind a quoted value, on its line.
bool report_text_behind_quote(const YamlError& error, const Source& source,
                              Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  const bool quoted =
      error.parsed > 0 && (text[error.parsed - 1] == '"' || text[error.parsed - 1] == '\'');
  const std::size_t end = line_end(text, error.offset);
  if (!quoted || skip_blanks(text, error.parsed) != error.offset || error.offset == end) {
    return false;
  }
  diagnostics.error("yaml", span(source, error.offset, end), "text behind a closing quote").help =
      "put the whole value into quotes of the other kind";
  return true;
}

// yaml-cpp ends a plain value inside brackets at a question mark.
bool report_question_mark(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  if (!error.in_flow || error.offset >= source.text().size() ||
      source.text()[error.offset] != '?') {
    return false;
  }
  diagnostics
      .error("yaml", span(source, error.offset, error.offset + 1),
             "a text with '?' must be quoted inside brackets")
      .help = "put the whole text into quotes";
  return true;
}

bool report_quote(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  if (error.message != "illegal EOF in scalar" &&
      error.message != "illegal document indicator in scalar") {
    return false;
  }
  const std::size_t quote = unclosed_quote(source.text(), error.parsed);
  if (quote == std::string_view::npos) {
    return false;
  }
  report_unclosed_quote(span(source, quote, quote + 1), diagnostics);
  return true;
}

// A bracket whose other one is missing, or in a comment that was meant to be code.
bool report_bracket(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  if (!error.in_flow || !error.message.ends_with("flow not found")) {
    return false;
  }
  if (error.comment > error.open_flow) {
    return true;  // reported
  }
  const char bracket = text[error.open_flow];
  const char closing = bracket == '{' ? '}' : ']';
  const std::size_t comment = swallowing_comment(text, error.open_flow, error.offset);
  if (comment != std::string_view::npos) {
    diagnostics
        .error("comment-cuts-value", span(source, comment, line_end(text, comment)),
               fmt::format("'#' begins a comment here, which hides the '{}'", closing))
        .help = kCommentHelp;
    return true;
  }
  if (skip_space(text, error.offset) < text.size()) {
    return false;
  }
  diagnostics
      .error("yaml", span(source, error.open_flow, error.open_flow + 1),
             fmt::format("this '{}' is never closed", bracket))
      .help = fmt::format("close it with '{}'", closing);
  return true;
}

}  // namespace

void report_unclosed_quote(const Span& quote, Diagnostics& diagnostics) {
  diagnostics.error("yaml", quote, "this quote is never closed").help =
      "close it; put a text that holds such a quote in the other kind of quotes";
}

void report(const YamlError& error, const Source& source, Diagnostics& diagnostics) {
  if (report_quote(error, source, diagnostics) || report_bracket(error, source, diagnostics) ||
      report_tab(error, source, diagnostics) || report_colon(error, source, diagnostics) ||
      report_text_behind_quote(error, source, diagnostics) ||
      report_question_mark(error, source, diagnostics)) {
    return;
  }
  const Span place = span(source, error.offset, error.offset);
  const auto* wording =
      std::find_if(std::begin(kWordings), std::end(kWordings),
                   [&](const Wording& w) { return error.message.starts_with(w.yaml_cpp); });
  if (wording == std::end(kWordings)) {
    diagnostics.error("yaml", place, fmt::format("not valid YAML: {}", error.message));
    return;
  }
  Diagnostic& found = diagnostics.error("yaml", place, std::string(wording->message));
  found.help = wording->help;
  if (error.in_flow) {
    found.related.push_back(
        {span(source, error.open_flow, error.open_flow + 1),
         fmt::format("in the '{}' that begins here", source.text()[error.open_flow])});
  }
}

bool check_characters(const Source& source, Diagnostics& diagnostics) {
  const std::string_view text = source.text();
  for (std::size_t i = source.line_start(1); i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool usual = (byte >= 0x20 && byte < 0x7F) || byte == '\n' || byte == '\t' ||
                       (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n');
    if (usual) {
      ++i;
      continue;
    }
    const Character c = character_at(text, i);
    if (!c.valid) {
      diagnostics
          .error("yaml-encoding", span(source, i, i + c.size),
                 fmt::format("the byte 0x{:02X} is not UTF-8 text", byte))
          .help = "save the file as UTF-8";
      return false;
    }
    if (byte == '\r') {
      diagnostics
          .error("yaml-encoding", span(source, i, i + 1), "a carriage return alone ends no line")
          .help = "end lines in LF or CRLF";
      return false;
    }
    if (c.code < 0xA0 && c.code != 0x85) {
      diagnostics
          .error("yaml-encoding", span(source, i, i + c.size),
                 fmt::format("the control character U+{:04X} cannot stand in YAML",
                             static_cast<unsigned>(c.code)))
          .help =
          fmt::format("write \"\\x{:02x}\" in double quotes", static_cast<unsigned>(c.code));
      return false;
    }
    i += c.size;
  }
  return true;
}

}  // namespace agneto::yaml
