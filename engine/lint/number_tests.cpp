#include "lint/number_tests.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "lint/expressions.h"

namespace agneto::lint {

namespace {

// One of each kind of values that the tests tell apart: what is at, beside and between their
// bounds.
std::vector<double> samples(const std::vector<NumberTest>& tests) {
  std::vector<double> values;
  for (const NumberTest& test : tests) {
    for (const double beside : {-1.0, 0.0, 1.0}) values.push_back(test.bound + beside);
    if (test.whole) continue;
    for (const NumberTest& other : tests) values.push_back((test.bound + other.bound) / 2);
  }
  std::erase_if(values, [&](double value) {
    return std::ranges::any_of(tests, [&](const NumberTest& test) {
      return (test.whole && value != std::floor(value)) || (test.least && value < *test.least);
    });
  });
  return values;
}

std::optional<double> least_of(const model::Variable* variable) {
  if (!variable) return std::nullopt;
  if (variable->minimum) return variable->minimum;
  const auto& initial = variable->initial;
  const bool counts = initial && initial->is_number() && initial->get<double>() >= 0;
  return counts ? std::optional(0.0) : std::nullopt;
}

std::string_view turned(std::string_view sign) {
  if (sign == "<") return ">";
  if (sign == "<=") return ">=";
  if (sign == ">") return "<";
  if (sign == ">=") return "<=";
  return sign;
}

bool is_sign(std::string_view text) {
  constexpr std::string_view signs[] = {"<", "<=", ">", ">=", "==", "~="};
  return std::ranges::find(signs, text) != std::end(signs);
}

}  // namespace

std::optional<double> number_of(const Node& node) {
  const bool negative = node.is(Node::Kind::unary, "-");
  const Node& digits = negative ? node.children[0] : node;
  if (digits.kind != Node::Kind::number) return std::nullopt;
  const auto number = parse_number<double>(digits.text);
  return number && negative ? -*number : number;
}

bool NumberTest::holds(double value) const {
  if (sign == "<") return value < bound;
  if (sign == "<=") return value <= bound;
  if (sign == ">") return value > bound;
  if (sign == ">=") return value >= bound;
  return (value == bound) == (sign == "==");
}

std::optional<NumberTest> number_test(const Machine& machine, const Node& node) {
  if (node.kind != Node::Kind::binary || !is_sign(node.text)) return std::nullopt;
  for (const bool swapped : {false, true}) {
    const Node& entry = node.children[swapped ? 1 : 0];
    const auto bound = number_of(node.children[swapped ? 0 : 1]);
    if (!bound) continue;
    for (const std::string_view table : {"ctx", "inputs", "event"}) {
      const std::string* name = lua::field_of(entry, table);
      if (!name) continue;
      const model::Variable* variable = variable_of(machine, entry);
      const std::string_view sign = swapped ? turned(node.text) : std::string_view(node.text);
      const bool whole = variable && variable->type.kind == model::Type::Kind::integer;
      const bool is_set = table == "inputs" && variable && !variable->minimum;  // by the caller
      return NumberTest{table,  *name, sign,
                        *bound, whole, is_set ? std::nullopt : least_of(variable)};
    }
  }
  return std::nullopt;
}

bool follows(const NumberTest& one, const NumberTest& from) {
  return std::ranges::all_of(samples({one, from}),
                             [&](double value) { return one.holds(value) || !from.holds(value); });
}

std::optional<double> left_out(const std::vector<NumberTest>& tests) {
  for (const double value : samples(tests)) {
    const auto is_true = [&](const NumberTest& test) { return test.holds(value); };
    if (std::ranges::none_of(tests, is_true)) return value;
  }
  return std::nullopt;
}

}  // namespace agneto::lint
