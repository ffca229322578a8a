// Follows the statements of an action as far as they can be followed.
#pragma once

#include <string>
#include <vector>

#include "lint/explore/finite_reader.h"
#include "lint/explore/oracle.h"

namespace agneto::lint {

// What the actions of a step did besides assigning.
struct Followed {
  struct Raised {
    std::string event;
    const lua::Node* call;
  };
  std::vector<Raised> raised;  // in order
  // Was something done that cannot be followed, such as to raise an event whose name is not written
  // out? Then what is explored is not all there is.
  bool lost = false;
};

class FiniteRunner {
 public:
  FiniteRunner(const FiniteNames& names, FiniteData& data, const FiniteReader& reader,
               chart::Scope& scope, Oracle& oracle, Followed& followed)
      : names_(names),
        data_(data),
        reader_(reader),
        scope_(scope),
        oracle_(oracle),
        followed_(followed) {}

  // False: a `return` ended it.
  bool block(const lua::Node& node);

 private:
  bool run(const lua::Node& node);
  void assign(const lua::Node& node);
  void call(const lua::Node& node);
  void send(const std::string& event, const lua::Node& options);
  bool choose(const lua::Node& node);
  void set(const std::string& name, Value value);
  void forget(const lua::Node& node);
  void forget_calls(const lua::Node& value);

  const FiniteNames& names_;
  FiniteData& data_;
  const FiniteReader& reader_;
  chart::Scope& scope_;
  Oracle& oracle_;
  Followed& followed_;
};

}  // namespace agneto::lint
