// What a Lua expression comes to where that is known of the names in it, and what the statements of
// an action do as far as they can be followed.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lint/explore/abstract_names.h"
#include "lint/explore/abstract_values.h"
#include "lint/explore/choice_points.h"

namespace agneto::lint {

using InputValues = std::unordered_map<std::string, Value>;

// How the comparisons of counters with their bounds have come out so far.
struct Compared {
  bool was_true = false;
  bool was_false = false;
  bool was_unknown = false;
};
using Comparisons = std::unordered_map<const Node*, Compared>;

class AbstractReader {
 public:
  AbstractReader(const AbstractNames& names, Texts& texts, const AbstractData& data,
                 const InputValues& inputs, const chart::Scope& scope,
                 Comparisons* comparisons = nullptr)
      : names_(names),
        texts_(texts),
        data_(data),
        inputs_(inputs),
        scope_(scope),
        comparisons_(comparisons) {}

  // null and nil are unknown: they differ, and neither is a boolean.
  Value value(const Node& node) const;
  std::optional<bool> truth(const Node& node) const;

 private:
  Value number(const std::string& text) const;
  Value named(const Node& node) const;
  Value of_event(const std::string& field) const;
  Value arithmetic(const Node& node) const;
  std::optional<bool> operation(const Node& node) const;
  std::optional<bool> comparison(const Node& node) const;
  void note(const Node& node, const std::optional<bool>& result) const;

  const AbstractNames& names_;
  Texts& texts_;
  const AbstractData& data_;
  const InputValues& inputs_;
  const chart::Scope& scope_;
  Comparisons* const comparisons_;
};

// What the actions of a step did besides assigning.
struct Followed {
  struct Raised {
    std::string event;
    const Node* call;
  };
  std::vector<Raised> raised;  // in order
  // Was something done that cannot be followed, such as to raise an event whose name is not written
  // out? Then what is explored is not all there is.
  bool lost = false;
};

class AbstractRunner {
 public:
  AbstractRunner(const AbstractNames& names, AbstractData& data, const AbstractReader& reader,
                 chart::Scope& scope, ChoicePoints& choices, Followed& followed)
      : names_(names),
        data_(data),
        reader_(reader),
        scope_(scope),
        choices_(choices),
        followed_(followed) {}

  // False: a `return` ended it.
  bool block(const Node& node);

 private:
  bool run(const Node& node);
  void assign(const Node& node);
  void call(const Node& node);
  void send(const std::string& event, const Node& options);
  bool choose(const Node& node);
  void set(const std::string& name, Value value);
  void forget(const Node& node);
  void forget_calls(const Node& value);

  const AbstractNames& names_;
  AbstractData& data_;
  const AbstractReader& reader_;
  chart::Scope& scope_;
  ChoicePoints& choices_;
  Followed& followed_;
};

}  // namespace agneto::lint
