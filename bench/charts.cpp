#include "charts.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace agneto::bench {

namespace {

constexpr std::string_view header = "agneto: 1\nname: chart\n";

std::string two_states(std::string_view context, std::string_view way) {
  return fmt::format("{}{}initial: A\nstates:\n  A: {{on: {{go: {}}}}}\n  B: {{on: {{go: {}}}}}\n",
                     header, context, fmt::format(fmt::runtime(way), "B"),
                     fmt::format(fmt::runtime(way), "A"));
}

// Numbers the leaves in document order.
void add_tree(std::string& text, int width, int depth, int leaves, int& leaf, int& inner,
              int indent) {
  const std::string space(static_cast<std::size_t>(indent), ' ');
  for (int i = 0; i < width; ++i) {
    if (depth == 1) {
      text += fmt::format("{}S{}: {{on: {{go: S{}}}}}\n", space, leaf, (leaf + 1) % leaves);
      ++leaf;
      continue;
    }
    text += fmt::format("{0}C{1}:\n{0}  initial: S{2}\n{0}  states:\n", space, inner++, leaf);
    add_tree(text, width, depth - 1, leaves, leaf, inner, indent + 4);
  }
}

}  // namespace

std::string ping_pong() {
  return two_states("", "{}");
}

std::string counter() {
  return two_states("context: {n: 0}\n",
                    "{{guard: ctx.n < 1000000000, target: {}, do: ctx.n = ctx.n + 1}}");
}

std::string adder() {
  return two_states("context: {n: 0}\n", "{{target: {}, do: ctx.n = ctx.n + event.by}}");
}

std::string nested() {
  const auto side = [](std::string_view from, std::string_view to) {
    return fmt::format(
        "  {0}:\n    initial: {0}1\n    states:\n      {0}1:\n        initial: {0}11\n"
        "        states:\n          {0}11: {{on: {{go: {1}}}}}\n",
        from, to);
  };
  return fmt::format("{}initial: A\nstates:\n{}{}", header, side("A", "B"), side("B", "A"));
}

std::string ring(int states) {
  return tree(states, 1);
}

std::string tree(int width, int depth) {
  std::string text = fmt::format("{}initial: S0\nstates:\n", header);
  int leaf = 0;
  int inner = 0;
  add_tree(text, width, depth, static_cast<int>(std::lround(std::pow(width, depth))), leaf, inner,
           2);
  return text;
}

std::string many_events(int events) {
  std::string text = fmt::format("{}initial: A\nstates:\n", header);
  for (const auto& [from, to] : {std::pair("A", "B"), std::pair("B", "A")}) {
    text += fmt::format("  {}:\n    on:\n", from);
    for (int i = 0; i < events; ++i) text += fmt::format("      e{}: {}\n", i, to);
  }
  return text;
}

std::string regions(int number) {
  std::string text =
      fmt::format("{}initial: P\nstates:\n  P:\n    parallel: true\n    states:\n", header);
  for (int i = 0; i < number; ++i) {
    text += fmt::format(
        "      R{0}:\n        initial: A{0}\n        states:\n"
        "          A{0}: {{on: {{go: B{0}}}}}\n          B{0}: {{on: {{go: A{0}}}}}\n",
        i);
  }
  return text;
}

}  // namespace agneto::bench
