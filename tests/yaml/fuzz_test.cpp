// Generated documents: where every scalar begins and ends is known from writing it, and the tree
// must agree.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/text.h"
#include "parsing.h"

namespace agneto::yaml {
namespace {

struct Written {
  std::size_t begin = 0;
  std::size_t end = 0;
  Style style = Style::plain;
};

// Writes one document of every construct that the language allows. Words are unique, so that a
// line of text can be found again.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed), end_(one_in(4) ? "\r\n" : "\n") {}

  void write() {
    if (one_in(8)) {
      text = "\xEF\xBB\xBF";
    }
    blank_lines(0);
    if (one_in(2)) {
      map(0, 0);
    } else {
      list(0, 0);
    }
  }

  std::string text;
  std::vector<Written> scalars;  // in document order, without nulls

 private:
  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }

  std::string word() {
    static const char* const kShapes[] = {"w",   "ü",    "日本", "a-b",  "x:y", "c#d",
                                          "e'f", "g\"h", "-m",   "it's", "\\n"};
    return fmt::format("{}{}", kShapes[below(std::size(kShapes))], ++words_);
  }
  // Plain text may not begin with every shape.
  std::string words(bool flow) {
    std::string line = fmt::format("w{}", ++words_);
    for (std::size_t n = below(4); n > 0; --n) {
      line += one_in(5) ? "   " : one_in(8) ? "\t" : " ";
      line += word();
    }
    if (!flow && one_in(4)) {
      line += ", [x] {y} ?z";
    }
    return line;
  }

  void newline() { text += end_; }
  void indent(std::size_t n) { text.append(n, ' '); }

  // Directly behind a block of text, what is indented as far as the block would belong to it.
  void blank_lines(std::size_t column) {
    while (one_in(4)) {
      if (one_in(2)) {
        indent(one_in(2) ? 0 : behind_block_ ? column : column + 2);
        text += "# a comment: 'with' [everything] \"in\" it | >";
        behind_block_ = false;
      } else if (!behind_block_ && one_in(2)) {
        indent(below(4));
      }
      newline();
    }
    behind_block_ = false;
  }

  void end_of_line() {
    if (one_in(4)) {
      text += "  # comment, {x: 'y";
    }
    newline();
  }

  void scalar(Style style, std::size_t begin) { scalars.push_back({begin, text.size(), style}); }

  void key(bool flow) {
    const std::size_t begin = text.size();
    const std::string name = fmt::format("k{}", ++words_);
    const Style style = one_in(3)   ? Style::double_quoted
                        : one_in(3) ? Style::single_quoted
                                    : Style::plain;
    text += style == Style::plain           ? name
            : style == Style::single_quoted ? "'" + name + "'"
                                            : '"' + name + '"';
    scalar(style, begin);
    text += one_in(6) && !flow ? " :" : ":";
  }

  void quoted(char quote, std::size_t column, bool lines) {
    const std::size_t begin = text.size();
    text += quote;
    for (std::size_t n = below(5); n > 0; --n) {
      std::string next = fmt::format("w{}", ++words_);
      next += one_in(4) ? (quote == '"' ? "\\\"" : "''") : "";
      next += one_in(4) ? " # : , [ ] { } |" : "";
      next += one_in(4) ? (quote == '"' ? "\\\\" : "\\") : "";
      next += one_in(4) ? (quote == '"' ? "\\n'" : "\"") : "";
      text += next;
      if (lines && one_in(3)) {
        newline();
        while (one_in(3)) {
          indent(below(3));
          newline();
        }
        indent(column + 1 + below(3));
      } else {
        text += ' ';
      }
    }
    text += quote;
    scalar(quote == '"' ? Style::double_quoted : Style::single_quoted, begin);
  }

  void plain(std::size_t column, bool flow, bool lines) {
    const std::size_t begin = text.size();
    text += words(flow);
    while (lines && one_in(4)) {
      indent(below(2));
      newline();
      while (one_in(3)) {
        indent(below(3));
        newline();
      }
      indent(column + 1 + below(3));
      text += words(flow);
    }
    scalar(Style::plain, begin);
  }

  // `column`: of the collection that it is in; its text is further in.
  void block(std::size_t column) {
    const std::size_t begin = text.size();
    const Style style = one_in(2) ? Style::literal : Style::folded;
    text += style == Style::literal ? '|' : '>';
    const std::size_t in = 1 + below(3);
    const bool explicit_indent = one_in(3);
    std::string indicators = one_in(3) ? "-" : one_in(2) ? "+" : "";
    if (explicit_indent) {
      indicators.insert(below(indicators.size() + 1), std::to_string(in));
    }
    text += indicators;
    std::size_t end = text.size();
    if (one_in(4)) {
      text += "  # comment";
    }
    newline();
    for (std::size_t n = below(5), i = 0; i < n; ++i) {
      while (one_in(4)) {
        indent(below(column + in + 1));
        newline();
      }
      indent(column + in);
      if ((i > 0 || explicit_indent) && one_in(3)) {
        text += one_in(3) ? "\t" : "   ";
      }
      text += words(false) + (one_in(4) ? " # no comment: x" : "");
      end = text.size();
      newline();
    }
    while (one_in(3)) {
      newline();
    }
    scalars.push_back({begin, end, style});
    behind_block_ = true;
  }

  void flow(std::size_t column, std::size_t depth) {
    switch (below(depth > 4 ? 3 : 5)) {
      case 0:
        return plain(column, true, one_in(3));
      case 1:
        return quoted('"', column, true);
      case 2:
        return quoted('\'', column, true);
      case 3: {
        text += "[";
        for (std::size_t n = below(4); n > 0; --n) {
          space(column);
          flow(column, depth + 1);
          space(column);
          text += n > 1 || one_in(4) ? "," : "";
        }
        text += "]";
        return;
      }
      default: {
        text += "{";
        for (std::size_t n = below(4); n > 0; --n) {
          space(column);
          key(true);
          text += " ";
          if (!one_in(6)) {
            flow(column, depth + 1);
            space(column);
          }
          text += n > 1 || one_in(4) ? "," : "";
        }
        text += "}";
      }
    }
  }

  // White space inside brackets.
  void space(std::size_t column) {
    if (one_in(4)) {
      text += one_in(2) ? " # ] } comment" : "";
      newline();
      indent(column + 1 + below(3));
    } else if (one_in(2)) {
      text += ' ';
    }
  }

  // Behind `key:` or `-`.
  void value(std::size_t column, std::size_t depth, bool in_list) {
    switch (below(depth > 4 ? 6 : 8)) {
      case 0:
        return end_of_line();  // null
      case 1:
        text += ' ';
        plain(column, false, true);
        return end_of_line();
      case 2:
        text += ' ';
        quoted('"', column, true);
        return end_of_line();
      case 3:
        text += "  ";
        quoted('\'', column, true);
        return end_of_line();
      case 4:
        text += ' ';
        return block(column);
      case 5:
        text += ' ';
        text += one_in(2) ? "[" : "[ ";
        flow(column, depth);
        text += "]";
        return end_of_line();
      case 6: {
        const std::size_t inner = column + 1 + below(3);
        if (in_list && one_in(2)) {
          text.append(inner - column - 1 + 1, ' ');
          return map(inner + 1, depth + 1, true);
        }
        end_of_line();
        return map(inner, depth + 1);
      }
      default:
        end_of_line();
        return list(in_list ? column + 1 + below(2) : column + below(2), depth + 1);
    }
  }

  void map(std::size_t column, std::size_t depth, bool on_the_line = false) {
    for (std::size_t n = 2 + below(4); n > 0; --n) {
      if (!on_the_line) {
        blank_lines(column);
        indent(column);
      }
      on_the_line = false;
      key(false);
      value(column, depth, false);
    }
  }

  void list(std::size_t column, std::size_t depth) {
    for (std::size_t n = 2 + below(4); n > 0; --n) {
      blank_lines(column);
      indent(column);
      text += '-';
      value(column, depth, true);
    }
  }

  std::mt19937 random_;
  std::string end_;
  int words_ = 0;
  bool behind_block_ = false;
};

void collect(const Node& node, std::vector<const Node*>& scalars) {
  if (node.kind == Kind::scalar) {
    scalars.push_back(&node);
  }
  for (const Node& item : node.items) {
    collect(item, scalars);
  }
  for (const Entry& entry : node.entries) {
    collect(entry.key, scalars);
    collect(entry.value, scalars);
  }
}

// Each line of the text is found, by its first word, in the source line that it is said to be from.
void expect_lines(const Node& node, const Source& source) {
  const std::vector<std::string_view> lines = split_lines(node.text);
  const std::vector<int> numbers = node.lines();
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::string_view line = trim(lines[n]);
    const std::string_view word = line.substr(0, line.find_first_of(" \t\"'\\"));
    const int number = numbers[n];
    EXPECT_NE(source.line(number).find(word), std::string_view::npos)
        << "line " << n << " of " << node.text << "\nis not in line " << number;
  }
}

TEST(FuzzTest, FindsEveryScalarWhereItWasWritten) {
  std::size_t total = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    Writer writer(seed);
    writer.write();
    const Parsed file(writer.text);
    ASSERT_TRUE(file.root) << "seed " << seed << "\n" << file.errors() << "\n" << writer.text;
    std::vector<const Node*> scalars;
    collect(*file.root, scalars);
    ASSERT_EQ(scalars.size(), writer.scalars.size()) << "seed " << seed << "\n" << writer.text;
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      const Written& written = writer.scalars[i];
      ASSERT_EQ(file.bytes(scalars[i]->span),
                writer.text.substr(written.begin, written.end - written.begin))
          << "seed " << seed << "\n"
          << writer.text;
      ASSERT_EQ(scalars[i]->span.begin, written.begin) << "seed " << seed << "\n" << writer.text;
      ASSERT_EQ(scalars[i]->style, written.style) << "seed " << seed << "\n" << writer.text;
      expect_lines(*scalars[i], *file.source);
    }
    ASSERT_EQ(file.errors(), "") << "seed " << seed << "\n" << writer.text;
    ASSERT_FALSE(HasFailure()) << "seed " << seed << "\n" << writer.text;
    total += scalars.size();
  }
  EXPECT_GT(total, 15'000U) << "the writer has become too shy";
}

// Whatever is cut out of a document, the parser ends with a tree or with an error, and every span
// is inside the source.
TEST(FuzzTest, SurvivesBrokenDocuments) {
  std::mt19937 random(7);
  for (unsigned seed = 1; seed <= 1000; ++seed) {
    Writer writer(seed);
    writer.write();
    std::string text = writer.text;
    for (int n = 0; n < 3 && !text.empty(); ++n) {
      const std::size_t at = random() % text.size();
      if (n % 2 == 0) {
        text.erase(at, 1 + random() % 3);
      } else {
        text.insert(at, 1, "'\"[]{}:,#&*!|>-\t\n"[random() % 17]);
      }
    }
    const Parsed file(text);
    if (!file.root) {
      EXPECT_TRUE(file.diagnostics.has_errors()) << text;
      continue;
    }
    std::vector<const Node*> scalars;
    collect(*file.root, scalars);
    for (const Node* node : scalars) {
      ASSERT_LE(node->span.begin, node->span.end) << text;
      ASSERT_LE(node->span.end, text.size()) << text;
    }
    EXPECT_FALSE(file.diagnostics.has_errors() && file.errors().empty());
  }
}

}  // namespace
}  // namespace agneto::yaml
