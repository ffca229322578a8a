// Which events a machine's actions make.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lua/tree.h"

namespace agneto::lint {

struct Piece;

// `raise`, `send` or `cancel` in a piece of Lua.
struct Raised {
  const Piece* piece = nullptr;
  const lua::Node* call = nullptr;  // null where the function is named and not called
  std::string function;
  const std::string* name = nullptr;  // the first argument; null where it is not written out
};

class RaisedEvents {
 public:
  explicit RaisedEvents(const std::vector<Piece>& pieces);

  const std::vector<Raised>& all() const { return all_; }
  // Could the machine itself make an event of that name? (Yes where that cannot be said.)
  bool may_be(const std::string& event) const { return unknown_ || names_.contains(event); }

 private:
  std::vector<Raised> all_;
  std::set<std::string> names_;
  bool unknown_ = false;
};

}  // namespace agneto::lint
