#include "lint/counters.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Kind = Node::Kind;

// K of `ctx.NAME + K`, and -K of `ctx.NAME - K`.
std::optional<double> step_of(const Node& value, const std::string& name) {
  const bool adds = value.is(Kind::binary, "+");
  if (!adds && !value.is(Kind::binary, "-")) return std::nullopt;
  const auto is_it = [&](const Node& node) {
    const std::string* field = lua::field_of(node, "ctx");
    return field && *field == name;
  };
  const bool behind = adds && is_it(value.children[1]);
  if (!behind && !is_it(value.children[0])) return std::nullopt;
  const auto by = number_of(value.children[behind ? 0 : 1]);
  return by && !adds ? -*by : by;
}

// The least that an initial expression can be, where that is an input's.
std::optional<double> least_of(const LintContext& context, const Machine& machine,
                               const model::Variable& entry) {
  if (entry.init == none || !context.piece(machine, entry.init).tree) return std::nullopt;
  const model::Variable* from =
      variable_of(machine, expression(context.piece(machine, entry.init)));
  return from ? from->minimum : std::nullopt;
}

bool is_whole(double number) {
  return number == std::floor(number) && std::abs(number) < 1e9;
}

// Can a number be reached by whole steps from a setting?
bool is_on_the_way(const Counter& counter, double number) {
  if (!counter.is_listed || !is_whole(number)) return true;
  std::int64_t step = 0;
  for (const double by : counter.steps) {
    if (!is_whole(by)) return true;
    step = std::gcd(step, static_cast<std::int64_t>(by));
  }
  return std::ranges::any_of(counter.settings, [&](double setting) {
    return !is_whole(setting) ||
           static_cast<std::int64_t>(number - setting) % std::max<std::int64_t>(step, 1) == 0;
  });
}

}  // namespace

bool Counter::only_grows() const {
  return std::ranges::all_of(steps, [](double step) { return step > 0; });
}

bool Counter::only_shrinks() const {
  return std::ranges::all_of(steps, [](double step) { return step < 0; });
}

std::map<std::string, Counter, std::less<>> counters_of(const LintContext& context,
                                                        const Machine& machine) {
  std::map<std::string, Counter, std::less<>> counters;
  for (const model::Variable& entry : machine.context) {
    Counter counter;
    const bool is_number = entry.initial && entry.initial->is_number();
    if (is_number) counter.settings.push_back(entry.initial->get<double>());
    counter.is_listed = is_number;
    counter.least = least_of(context, machine, entry);
    if (!entry.type.optional && (is_number || counter.least)) counters[entry.name] = counter;
  }
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree || uses_whole_context(*piece.tree)) return {};
    each_assignment(*piece.tree, [&](const Assignment& one) {
      const auto counter = counters.find(one.name);
      if (counter == counters.end()) return;
      const auto setting = one.value ? number_of(*one.value) : std::nullopt;
      const auto step = one.value ? step_of(*one.value, one.name) : std::nullopt;
      if (setting) counter->second.settings.push_back(*setting);
      if (step) counter->second.steps.push_back(*step);
      if (!setting && (!step || *step == 0)) counters.erase(counter);
    });
  }
  std::erase_if(counters, [](const auto& one) { return one.second.steps.empty(); });
  for (auto& [name, counter] : counters) {
    for (const double setting : counter.settings) {
      counter.least = std::min(setting, counter.least.value_or(setting));
      if (counter.is_listed) counter.most = std::max(setting, counter.most.value_or(setting));
    }
  }
  return counters;
}

std::optional<bool> settled(const Counter& counter, const NumberTest& test) {
  const std::optional<double> least = counter.only_grows() ? counter.least : std::nullopt;
  const std::optional<double> most = counter.only_shrinks() ? counter.most : std::nullopt;
  const bool is_above = least && *least > test.bound;
  const bool is_below = most && *most < test.bound;
  if (test.sign == "==" || test.sign == "~=") {
    const bool is_never = is_above || is_below || !is_on_the_way(counter, test.bound);
    return is_never ? std::optional(test.sign == "~=") : std::nullopt;
  }
  const bool at_bound = (least && *least == test.bound) || (most && *most == test.bound);
  if (is_above || is_below) return test.holds(is_above ? test.bound + 1 : test.bound - 1);
  // At the bound it may be either, unless that is so beside it, too.
  const double beside = test.bound + (least ? 1 : -1);
  if (at_bound && test.holds(test.bound) == test.holds(beside)) return test.holds(beside);
  return std::nullopt;
}

}  // namespace agneto::lint
