#include <fmt/format.h>

#include <algorithm>

#include "lua/lexer.h"
#include "model/binder.h"
#include "model/values.h"

namespace agneto::model {

namespace {

// What Lua in `with` knows already, and what it keeps for itself.
bool is_taken(std::string_view name) {
  constexpr std::string_view known[] = {"ctx",   "inputs", "event",  "run",      "index", "null",
                                        "raise", "send",   "cancel", "state_in", "_ENV"};
  return lua::is_keyword(name) ||
         std::find(std::begin(known), std::end(known), name) != std::end(known);
}

bool is_lua_name(std::string_view text) {
  return is_name(text, false) && text.find('-') == std::string_view::npos;
}

}  // namespace

ForEach Binder::for_each(const Node& node) {
  ForEach loop;
  if (const Node* as = node.find("as"); as && check_item_name(*as)) loop.as = as->text;
  const Node* machine = nullptr;
  const Node* with = nullptr;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "items") {
      loop.items = expression(value, "items");
    } else if (key.text == "machine") {
      machine = &value;
    } else if (key.text == "with") {
      with = &value;
    } else if (key.text == "max_parallel") {
      loop.max_parallel = as_integer(value).value_or(0);
    } else if (key.text == "join") {
      bind_join(loop, value);
    } else if (key.text == "workspace") {
      loop.own_workspace = as_text(value) == "own";
    }
  }
  if (machine) loop.each = delegate(*machine, with, loop.as);
  const Node* failure = node.find("on_item_failure");
  loop.stops = failure ? as_text(*failure) == "stop" : loop.needed == 0;
  return loop;
}

void Binder::bind_join(ForEach& loop, const Node& node) {
  if (as_text(node) == "any") loop.needed = 1;
  const Node* quorum = node.find("quorum");
  const auto number = quorum ? as_integer(*quorum) : std::nullopt;
  if (!number) return;
  loop.needed = *number;
  if (*number > 0) return;
  diagnostics_.error("bad-quorum", quorum->span, "a quorum of 0 items waits for nothing").help =
      "say how many items must complete, from 1, or write `join: all`";
}

bool Binder::check_item_name(const Node& name) {
  if (name.kind != yaml::Kind::scalar || !is_name(name.text, true)) return false;
  if (!is_lua_name(name.text)) {
    diagnostics_.error("bad-name", name.span, fmt::format("'{}' cannot name the item", name.text))
        .help = "it is a name in Lua: letters, digits and '_'";
    return false;
  }
  if (!is_taken(name.text)) return true;
  diagnostics_
      .error("reserved-name", name.span,
             fmt::format("'{}' means something else in Lua, and cannot name the item", name.text))
      .help = "choose another name";
  return false;
}

}  // namespace agneto::model
