// What a Lua expression comes to, where that is known of the names in it.
#pragma once

#include <optional>
#include <unordered_map>

#include "lint/explore/finite_names.h"
#include "lint/explore/finite_values.h"

namespace agneto::lint {

using Inputs = std::unordered_map<std::string, Value>;

// How the comparisons of counters with their bounds have come out so far.
struct Compared {
  bool was_true = false;
  bool was_false = false;
  bool was_unknown = false;
};
using Comparisons = std::unordered_map<const lua::Node*, Compared>;

class FiniteReader {
 public:
  FiniteReader(const FiniteNames& names, Texts& texts, const FiniteData& data, const Inputs& inputs,
               const chart::Scope& scope, Comparisons* comparisons = nullptr)
      : names_(names),
        texts_(texts),
        data_(data),
        inputs_(inputs),
        scope_(scope),
        comparisons_(comparisons) {}

  // null and nil are unknown: they differ, and neither is a boolean.
  Value value(const lua::Node& node) const;
  std::optional<bool> truth(const lua::Node& node) const;

 private:
  Value number(const std::string& text) const;
  Value named(const lua::Node& node) const;
  Value of_event(const std::string& field) const;
  Value arithmetic(const lua::Node& node) const;
  std::optional<bool> operation(const lua::Node& node) const;
  std::optional<bool> comparison(const lua::Node& node) const;
  void note(const lua::Node& node, const std::optional<bool>& result) const;

  const FiniteNames& names_;
  Texts& texts_;
  const FiniteData& data_;
  const Inputs& inputs_;
  const chart::Scope& scope_;
  Comparisons* const comparisons_;
};

}  // namespace agneto::lint
