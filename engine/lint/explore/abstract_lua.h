// What Lua comes to where that is known of the names in it, and what the statements of an action do
// as far as they can be followed.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lint/explore/abstract_names.h"
#include "lint/explore/abstract_values.h"
#include "lint/explore/faults.h"

namespace agneto::lint {

// The questions of one step that cannot be worked out. Each way of answering them is tried in turn.
class ChoicePoints {
 public:
  bool ask() {
    if (at_ == answers_.size()) answers_.push_back(false);
    return answers_[at_++];
  }
  // On to the next way; false: all were tried.
  bool next() {
    answers_.resize(at_);
    while (!answers_.empty() && answers_.back()) answers_.pop_back();
    at_ = 0;
    if (answers_.empty()) return false;
    answers_.back() = true;
    return true;
  }
  // To the first way.
  void reset() { answers_.clear(), at_ = 0; }
  bool was_asked() const { return at_ > 0; }

 private:
  std::vector<bool> answers_;
  std::size_t at_ = 0;
};

// How the comparisons of counters with their bounds have come out so far.
struct Compared {
  bool was_true = false;
  bool was_false = false;
  bool was_unknown = false;
};
using Comparisons = std::unordered_map<const Node*, Compared>;

using InputValues = std::unordered_map<std::string, Value>;

// What the code of one exploration shares.
struct Following {
  const AbstractNames names;
  Texts texts = {};
  std::vector<InputValues> beginnings = {};  // by AbstractData::beginning
  ChoicePoints choices = {};
  Comparisons comparisons = {};

  // What the actions of a step raised, in order; who makes the next step clears it.
  struct Raised {
    std::string event;
    const Node* call;
  };
  std::vector<Raised> raised = {};
  // Was something done that cannot be followed, such as to raise an event whose name is not written
  // out? Then what is explored is not all there is.
  bool lost = !names.can_follow();

  // Which Lua can fail, where that is followed too; else null.
  const Faults* faults = nullptr;
  bool failed = false;  // did the piece of code that runs?

  bool fails(bool can_fail) { return faults && can_fail && choices.ask(); }
};

// The value of a number that is written out; unknown where it is no whole one, or a large one.
Value whole_number(const std::string& text);

class AbstractLua {
 public:
  // All must outlive it.
  AbstractLua(Following& all, AbstractData& data, chart::Scope& scope)
      : all_(all), data_(data), scope_(scope) {}

  // null and nil are unknown: they differ, and neither is a boolean.
  Value value(const Node& node);
  std::optional<bool> truth(const Node& node);
  // Runs the statements; false: a `return` or an error ended them.
  bool block(const Node& node);

 private:
  Value named(const Node& node);
  Value of_event(const std::string& field);
  Value arithmetic(const Node& node);
  std::optional<bool> operation(const Node& node);
  std::optional<bool> comparison(const Node& node);

  bool run(const Node& node);
  void assign(const Node& node);
  void call(const Node& node);
  void send(const std::string& event, const Node& options);
  bool choose(const Node& node);
  void set(const std::string& name, Value value);
  void forget(const Node& node);
  void forget_called(const Node& node);
  void forget_failed(const Node& node);

  Following& all_;
  AbstractData& data_;
  chart::Scope& scope_;
};

}  // namespace agneto::lint
