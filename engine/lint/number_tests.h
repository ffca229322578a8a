// What guards say of one number, as `ctx.errors > 10` does.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "lint/context.h"

namespace agneto::lint {

// 3, or -3; none where the node is something else.
std::optional<double> number_of(const Node& node);

// A comparison of an entry of `ctx`, `inputs` or `event` with a number that is written out.
struct NumberTest {
  std::string_view table;
  std::string_view name;
  std::string_view sign;  // "<", "<=", ">", ">=", "==" or "~="
  double bound = 0;
  bool whole = false;  // is the entry declared as an integer?
  // What it is not below: an input's minimum; 0 where a context entry does not begin below it.
  std::optional<double> least;

  bool holds(double value) const;
  bool same_entry(const NumberTest& other) const {
    return table == other.table && name == other.name;
  }
};

std::optional<NumberTest> number_test(const Machine& machine, const Node& node);

// Is the one true wherever the other is? Both are of the same entry.
bool follows(const NumberTest& one, const NumberTest& from);
// A value for which none of them is true, where all are of the same entry; none where there is
// none.
std::optional<double> left_out(const std::vector<NumberTest>& tests);

}  // namespace agneto::lint
