#include "yaml/tolerant.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <functional>

#include "base/files.h"
#include "base/text.h"
#include "support/paths.h"

namespace agneto::yaml {
namespace {

// Keys and values, with where they stand: {initial@3:1: A@3:10}.
std::string brief(const Node& node, bool places = false) {
  const auto at = [&](const Node& of) {
    const Position place = of.span.position();
    return places ? "@" + std::to_string(place.line) + ":" + std::to_string(place.column) : "";
  };
  std::vector<std::string> parts;
  switch (node.kind) {
    case Kind::map:
      for (const auto& [key, value] : node.entries) {
        parts.push_back(key.text + at(key) + ": " + brief(value, places));
      }
      return "{" + join(parts, ", ") + "}";
    case Kind::sequence:
      for (const Node& item : node.items) parts.push_back(brief(item, places));
      return "[" + join(parts, ", ") + "]";
    case Kind::null:
      return "null";
    default:
      return node.style == Style::literal || node.style == Style::folded ? "|" + at(node)
                                                                         : node.text + at(node);
  }
}

std::string tolerantly(const std::string& text, bool places = false) {
  const Source source("a.yaml", text);
  return brief(read_tolerantly(source), places);
}

TEST(Tolerant, HalfALineIsAKeyWithoutAValue) {
  EXPECT_EQ(tolerantly("a: 1\nstates:\n  A:\n    ru\n    on: {ok: B}\n  B\n"),
            "{a: 1, states: {A: {ru: null, on: {ok: B}}, B: null}}");
  EXPECT_EQ(tolerantly("states:\n  A\n    run: x\n"), "{states: {A: {run: x}}}");
  EXPECT_EQ(tolerantly("initial: A\n: B\n- C\nD"), "{initial: A, : B, D: null}");
  EXPECT_EQ(tolerantly("wor"), "wor");
  EXPECT_EQ(tolerantly(""), "null");
}

TEST(Tolerant, WhatIsNotClosedEndsWithItsLines) {
  EXPECT_EQ(tolerantly("on: {ok: {target: A\nb: 1\n"), "{on: {ok: {target: A}}, b: 1}");
  EXPECT_EQ(tolerantly("a:\n  - {guard: x, ta\n  - B\nc: [x,\n  y\nd: 1"),
            "{a: [{guard: x, ta: null}, B], c: [x, y], d: 1}");
  EXPECT_EQ(tolerantly("q: \"half\nb: 'a\nc: 1"), "{q: half, b: a, c: 1}");
  EXPECT_EQ(tolerantly("a: {b: 1]\nc: }{\nd: [}, e]\n"), "{a: {b: 1}, c: }{, d: []}");
}

TEST(Tolerant, LinesFurtherInAreMeant) {
  EXPECT_EQ(tolerantly("a: word\n  b: 1\nc: two\n  words\n"), "{a: {b: 1}, c: two\n  words}");
  EXPECT_EQ(tolerantly("do: |\n  x: 1\n\n   y\nb: >-\n  z\n"), "{do: |, b: |}");
  EXPECT_EQ(tolerantly("do:\n  - |\n    x: 1\n  - >\n   y\n  - z\n"), "{do: [|, |, z]}");
  EXPECT_EQ(tolerantly("on:\n- event: a\n  target: B\n-\n  event: c\n- C\nd: 1"),
            "{on: [{event: a, target: B}, {event: c}, C], d: 1}");
}

// What it reads where there is nothing wrong is what the real parser reads.
TEST(Tolerant, IsTheTreeOfWhatIsRight) {
  int files = 0;
  for (const char* folder : {"workflows", "tests/lint"}) {
    for (const auto& file :
         fs::recursive_directory_iterator(fs::path(AGNETO_SOURCE_DIR) / folder)) {
      if (file.path().extension() != ".yaml") continue;
      const auto source = std::make_shared<const Source>(file.path().string(),
                                                         Disk().read(file.path()).value_or(""));
      Diagnostics diagnostics;
      const auto tree = parse(source, diagnostics);
      if (!tree || !diagnostics.empty()) continue;
      std::function<void(const Node&, const Node&)> same = [&](const Node& a, const Node& b) {
        const std::string where = file.path().string() + ":" + std::to_string(b.span.line());
        ASSERT_EQ(a.kind, b.kind) << where << "\n" << brief(a) << "\n" << brief(b);
        if (b.kind == Kind::scalar) {
          EXPECT_EQ(a.span.begin, b.span.begin) << where << " " << b.text;
          EXPECT_EQ(a.span.end, b.span.end) << where << " " << b.text;
          if (b.is_plain() && b.text.find('\n') == std::string::npos && !b.is_folded()) {
            EXPECT_EQ(a.text, b.text) << where;
          }
        }
        ASSERT_EQ(a.items.size(), b.items.size()) << where;
        ASSERT_EQ(a.entries.size(), b.entries.size()) << where << "\n"
                                                      << brief(a) << "\n"
                                                      << brief(b);
        for (std::size_t i = 0; i < a.items.size(); ++i) same(a.items[i], b.items[i]);
        for (std::size_t i = 0; i < a.entries.size(); ++i) {
          EXPECT_EQ(a.entries[i].key.text, b.entries[i].key.text) << where;
          EXPECT_EQ(a.entries[i].key.span.begin, b.entries[i].key.span.begin) << where;
          EXPECT_EQ(a.entries[i].key.span.end, b.entries[i].key.span.end) << where;
          same(a.entries[i].value, b.entries[i].value);
        }
      };
      same(read_tolerantly(*source), *tree);
      ++files;
    }
  }
  EXPECT_GT(files, 100);
}

TEST(Tolerant, ReadsAnyText) {
  const fs::path file = fs::path(AGNETO_SOURCE_DIR) / "workflows/execution.yaml";
  const std::string text = Disk().read(file).value_or("");
  for (std::size_t end = text.find("name:"); end < text.size(); end += 7) {
    const Source source("a.yaml", text.substr(0, end));
    EXPECT_EQ(read_tolerantly(source).kind, Kind::map) << end;
  }
  const Source deep("a.yaml", "a: " + std::string(5000, '['));
  EXPECT_EQ(read_tolerantly(deep).kind, Kind::map);
}

}  // namespace
}  // namespace agneto::yaml
