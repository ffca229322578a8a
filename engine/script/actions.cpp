#include "script/actions.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/text.h"
#include "script/values.h"

namespace agneto::script {

namespace {

bool is_event_name(std::string_view name) {
  const auto is_inside = [](char c) { return is_word(c) || c == '.' || c == '-'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_inside) &&
         is_word(name.front()) && !std::isdigit(static_cast<unsigned char>(name.front())) &&
         name.back() != '.';
}

}  // namespace

// Lua's errors jump over destructors: the methods come back before the error is raised.
template <bool (Actions::*Method)(lua_State*), int results>
int Actions::function(lua_State* lua) {
  auto* self = static_cast<Actions*>(lua_touserdata(lua, lua_upvalueindex(1)));
  bool ok = false;
  try {
    ok = (self->*Method)(lua);
  } catch (const std::exception& error) {
    self->sandbox_.set_failure(error.what());
  }
  return ok ? results : self->sandbox_.fail(lua);
}

void Actions::add_to(lua_State* lua) {
  const auto add = [&](const char* name, lua_CFunction function) {
    lua_pushlightuserdata(lua, this);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
  };
  add("raise", function<&Actions::raise>);
  add("send", function<&Actions::send>);
  add("cancel", function<&Actions::cancel>);
  add("state_in", function<&Actions::state_in, 1>);
}

bool Actions::check_acting(const char* function) {
  if (acting_) return true;
  return refuse(std::string(function) + " belongs in actions (do, entry, exit), not in '" + *what_ +
                "'");
}

bool Actions::read_event(lua_State* lua, const char* function, std::string& name, Json& data) {
  if (lua_type(lua, 1) != LUA_TSTRING) {
    return refuse(std::string(function) + ": the event's name must be a string, not " +
                  type_name(lua, 1));
  }
  name = text_at(lua, 1);
  if (!is_event_name(name)) {
    return refuse(std::string(function) + ": '" + printable(name) + "' is no event name");
  }
  std::string why;
  if (!to_json(lua, 2, data, why)) return refuse(std::string(function) + ": the data" + why);
  return true;
}

bool Actions::raise(lua_State* lua) {
  std::string name;
  Json data;
  lua_settop(lua, 2);
  if (!check_acting("raise") || !read_event(lua, "raise", name, data)) return false;
  return check_sent("raise", name, scope_->raise(name, std::move(data)));
}

bool Actions::read_send_options(lua_State* lua, chart::Outgoing& sent) {
  if (lua_isnil(lua, 3)) return true;
  if (!lua_istable(lua, 3)) {
    return refuse("send: the options must be a table, {after = \"5s\", id = \"x\"}");
  }
  Json options;
  std::string why;
  if (!to_json(lua, 3, options, why)) return refuse("send: the options" + why);
  if (options.is_array() && !options.empty()) {
    return refuse("send: the options must be named, {after = \"5s\", id = \"x\"}");
  }
  for (const auto& [key, value] : options.items()) {
    if (!read_send_option(key, value, sent)) return false;
  }
  return check_recipient(sent);
}

bool Actions::read_send_option(const std::string& key, const Json& value, chart::Outgoing& sent) {
  if (key == "after") {
    const auto duration =
        value.is_string() ? parse_duration(value.get<std::string>())
        : value.is_number() && value.get<double>() >= 0 && value.get<double>() < 1e15
            ? std::optional(Millis(static_cast<std::int64_t>(value.get<double>())))
            : std::nullopt;
    if (!duration) {
      return refuse("send: 'after' must be a duration like \"5s\" or milliseconds, not " +
                    to_text(value));
    }
    sent.after = *duration;
  } else if (key == "id") {
    if (!value.is_string()) return refuse("send: 'id' must be a string, not " + to_text(value));
    sent.id = value.get<std::string>();
    if (sent.id.starts_with('#')) {
      return refuse("send: 'id' must not begin with '#', as " + sent.id);
    }
  } else if (key == "to") {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) {
      return refuse("send: 'to' must be a state's name or \"parent\", not " + to_text(value));
    }
    sent.to = value.get<std::string>();
  } else if (key == "item") {
    if (value.is_null()) return true;  // as `event.item` is, of a machine that is no item
    const bool whole = value.is_number() && value.get<double>() >= 1 &&
                       value.get<double>() <= UINT32_MAX &&
                       value.get<double>() == std::floor(value.get<double>());
    if (!whole) {
      return refuse("send: 'item' must be the number of an item, from 1, not " + to_text(value));
    }
    sent.item = static_cast<std::uint32_t>(value.get<double>());
  } else {
    return refuse("send: unknown option '" + key + "'; " +
                  suggestion(key, {"after", "id", "to", "item"}, "options"));
  }
  return true;
}

bool Actions::check_recipient(const chart::Outgoing& sent) {
  const auto delegates = [](const model::State& state) {
    return model::delegate_of(state.activity) != nullptr;
  };
  if (sent.to.empty() || sent.to == chart::to_parent) {
    return sent.item == 0 ||
           refuse("send: 'item' is of a state with a for_each: {to = \"STATE\", item = 1}");
  }
  const model::StateId id = machine_->find(sent.to);
  if (id == model::none) {
    std::vector<std::string> known = {std::string(chart::to_parent)};
    for (const model::State& state : machine_->states) {
      if (delegates(state)) known.push_back(state.name);
    }
    const std::string help = suggestion(sent.to, known, "recipients");
    return refuse("send: unknown state '" + sent.to + "'" + (help.empty() ? "" : "; " + help));
  }
  const model::State& state = machine_->state(id);
  if (!delegates(state)) {
    return refuse("send: '" + sent.to + "' does not delegate to a machine");
  }
  return sent.item == 0 || std::holds_alternative<model::ForEach>(state.activity) ||
         refuse("send: '" + sent.to + "' delegates to one machine, which is no item");
}

bool Actions::send(lua_State* lua) {
  chart::Outgoing sent;
  lua_settop(lua, 3);
  if (!check_acting("send") || !read_event(lua, "send", sent.event, sent.data) ||
      !read_send_options(lua, sent)) {
    return false;
  }
  const std::string name = sent.event;
  return check_sent("send", name, scope_->send(std::move(sent)));
}

bool Actions::check_sent(const char* function, const std::string& name, chart::Sent sent) {
  const std::string start = std::string(function) + ": ";
  switch (sent) {
    case chart::Sent::yes:
      return true;
    case chart::Sent::too_many:
      return refuse(start + "'" + name +
                    "' is one too many: 1000 events that were sent wait to be taken");
    case chart::Sent::reserved:
      return refuse(start + "'" + name +
                    "' is what an activity there or the engine ends in, and nobody else sends it; "
                    "call the event something else");
    case chart::Sent::too_much:
      break;
  }
  return refuse(start + "the data of '" + name + "' is too much: what a step " + function +
                "s may be 16 MB together; keep it in ctx or in a file, and " + function +
                " which part is meant");
}

bool Actions::cancel(lua_State* lua) {
  if (!check_acting("cancel")) return false;
  if (lua_type(lua, 1) != LUA_TSTRING) {
    return refuse(std::string("cancel: the id must be a string, not ") + type_name(lua, 1));
  }
  scope_->cancel(text_at(lua, 1));
  return true;
}

bool Actions::state_in(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TSTRING) {
    return refuse(std::string("state_in: the state's name must be a string, not ") +
                  type_name(lua, 1));
  }
  const std::string name = text_at(lua, 1);
  if (machine_->find(name) == model::none) {
    const std::string help = suggestion(name, names_of(machine_->states), "states");
    return refuse("state_in: unknown state '" + name + "'" + (help.empty() ? "" : "; " + help));
  }
  lua_pushboolean(lua, scope_->in(name));
  return true;
}

}  // namespace agneto::script
