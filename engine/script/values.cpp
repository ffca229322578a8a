#include "script/values.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace agneto::script {

namespace {

// Keys of a read-only view's metatable that no Lua code can make.
const char contents_key = 0;
const char label_key = 0;
const char object_key = 0;  // set for an empty object, which else would be taken for a list

int refuse_change(lua_State* lua) {
  lua_getmetatable(lua, 1);
  lua_rawgetp(lua, -1, &label_key);
  const char* label = lua_tostring(lua, -1);
  if (lua_type(lua, 2) == LUA_TSTRING) {
    return luaL_error(lua, "%s is read-only: '%s' cannot be set", label, lua_tostring(lua, 2));
  }
  return luaL_error(lua, "%s is read-only", label);
}

int length(lua_State* lua) {
  push_contents(lua, 1);
  lua_pushinteger(lua, static_cast<lua_Integer>(lua_rawlen(lua, -1)));
  return 1;
}

// Notes in the metatable of the table on top of the stack that it was an object, not a list.
void mark_empty_object(lua_State* lua, bool view) {
  if (view) {
    lua_getmetatable(lua, -1);
  } else if (lua_rawgetp(lua, LUA_REGISTRYINDEX, &object_key) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_createtable(lua, 0, 2);
    lua_pushboolean(lua, false);
    lua_setfield(lua, -2, "__metatable");
    lua_pushvalue(lua, -1);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &object_key);
  }
  lua_pushboolean(lua, true);
  lua_rawsetp(lua, -2, &object_key);
  if (view) {
    lua_pop(lua, 1);
  } else {
    lua_setmetatable(lua, -2);
  }
}

void push_any(lua_State* lua, const Json& value, const char* label, int depth) {
  if (depth > max_depth) luaL_error(lua, "a value is nested too deeply");
  luaL_checkstack(lua, 6, "a value is nested too deeply");
  switch (value.type()) {
    case Json::value_t::boolean:
      lua_pushboolean(lua, value.get<bool>());
      return;
    case Json::value_t::number_integer:
      lua_pushinteger(lua, value.get<std::int64_t>());
      return;
    case Json::value_t::number_unsigned:
      if (value.get<std::uint64_t>() <= static_cast<std::uint64_t>(LUA_MAXINTEGER)) {
        lua_pushinteger(lua, value.get<std::int64_t>());
      } else {
        lua_pushnumber(lua, value.get<double>());
      }
      return;
    case Json::value_t::number_float:
      lua_pushnumber(lua, value.get<double>());
      return;
    case Json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      lua_pushlstring(lua, text.data(), text.size());
      return;
    }
    case Json::value_t::array:
      lua_createtable(lua, static_cast<int>(value.size()), 0);
      for (std::size_t i = 0; i < value.size(); ++i) {
        push_any(lua, value[i], label, depth + 1);
        lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
      }
      break;
    case Json::value_t::object: {
      const auto& object = value.get_ref<const Json::object_t&>();
      lua_createtable(lua, 0, static_cast<int>(object.size()));
      for (const auto& [key, item] : object) {
        lua_pushlstring(lua, key.data(), key.size());
        push_any(lua, item, label, depth + 1);
        lua_rawset(lua, -3);
      }
      break;
    }
    default:
      push_null(lua);
      return;
  }
  if (label) make_read_only(lua, label);
  if (value.is_object() && value.empty()) mark_empty_object(lua, label != nullptr);
}

// Reads a value without ever raising a Lua error, so that it may hold C++ objects meanwhile.
class Reader {
 public:
  explicit Reader(lua_State* lua) : lua_(lua) {}

  bool read(int index, Json& out, int depth) {
    switch (lua_type(lua_, index)) {
      case LUA_TNIL:
      case LUA_TNONE:
        out = nullptr;
        return true;
      case LUA_TBOOLEAN:
        out = lua_toboolean(lua_, index) != 0;
        return true;
      case LUA_TNUMBER:
        return read_number(index, out);
      case LUA_TSTRING:
        return read_string(index, out);
      case LUA_TTABLE:
        return read_table(index, out, depth);
      default:
        if (is_null(lua_, index)) {
          out = nullptr;
          return true;
        }
        return refuse(std::string("is a ") + type_name(lua_, index));
    }
  }

  // "[2].run is a function": the path within the value, then what is wrong.
  std::string why() const { return path_ + " " + problem_; }

 private:
  bool refuse(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool spend(std::size_t bytes) {
    spent_ += bytes;
    return spent_ <= most || refuse("is too large");
  }

  bool read_number(int index, Json& out) {
    if (lua_isinteger(lua_, index)) {
      out = static_cast<std::int64_t>(lua_tointeger(lua_, index));
      return true;
    }
    const double number = lua_tonumber(lua_, index);
    if (!std::isfinite(number)) return refuse("is not a finite number");
    out = number;
    return true;
  }

  bool read_string(int index, Json& out) {
    std::size_t size = 0;
    const char* text = lua_tolstring(lua_, index, &size);
    if (!spend(size)) return false;
    out = valid_utf8({text, size});
    return true;
  }

  bool read_table(int index, Json& out, int depth) {
    if (depth >= max_depth) return refuse("is nested too deeply, or contains itself");
    if (!lua_checkstack(lua_, 8)) return refuse("is nested too deeply");
    if (!spend(64)) return false;
    push_contents(lua_, index);
    const int table = lua_gettop(lua_);
    const auto size = lua_rawlen(lua_, table);
    lua_pushnil(lua_);
    bool ok = true;
    if (lua_next(lua_, table) == 0) {
      out = is_empty_object(index) ? Json::object() : Json::array();
    } else {
      const bool list = lua_isinteger(lua_, -2);
      lua_pop(lua_, 2);
      ok = list ? read_list(table, size, out, depth) : read_object(table, out, depth);
    }
    lua_settop(lua_, table - 1);
    return ok;
  }

  bool is_empty_object(int index) {
    if (lua_getmetatable(lua_, index) == 0) return false;
    const bool object = lua_rawgetp(lua_, -1, &object_key) == LUA_TBOOLEAN;
    lua_pop(lua_, 2);
    return object;
  }

  bool read_list(int table, std::size_t size, Json& out, int depth) {
    std::size_t count = 0;
    for (lua_pushnil(lua_); lua_next(lua_, table) != 0; lua_pop(lua_, 1)) {
      if (lua_type(lua_, -2) == LUA_TSTRING) return refuse("has both list items and named fields");
      if (!lua_isinteger(lua_, -2)) return refuse("has a key that is neither text nor an index");
      const auto key = lua_tointeger(lua_, -2);
      if (key < 1 || static_cast<std::size_t>(key) > size) return refuse("is a list with a hole");
      ++count;
    }
    if (count != size) return refuse("is a list with a hole");
    if (!spend(size * sizeof(Json))) return false;
    out = Json::array();
    out.get_ref<Json::array_t&>().resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      lua_rawgeti(lua_, table, static_cast<lua_Integer>(i) + 1);
      if (!read(lua_gettop(lua_), out[i], depth + 1)) {
        path_ = "[" + std::to_string(i + 1) + "]" + path_;
        return false;
      }
      lua_pop(lua_, 1);
    }
    return true;
  }

  bool read_object(int table, Json& out, int depth) {
    out = Json::object();
    auto& object = out.get_ref<Json::object_t&>();
    for (lua_pushnil(lua_); lua_next(lua_, table) != 0; lua_pop(lua_, 1)) {
      if (lua_isinteger(lua_, -2)) return refuse("has both list items and named fields");
      if (lua_type(lua_, -2) != LUA_TSTRING) {
        return refuse("has a key that is neither text nor an index");
      }
      std::size_t size = 0;
      const char* text = lua_tolstring(lua_, -2, &size);
      if (!spend(size + 64)) return false;
      std::string key = valid_utf8({text, size});
      if (!read(lua_gettop(lua_), object[key], depth + 1)) {
        path_ = "." + key + path_;
        return false;
      }
    }
    return true;
  }

  static constexpr std::size_t most = 256u << 20;  // bytes; tables that share a part count it twice

  lua_State* lua_;
  std::size_t spent_ = 0;
  std::string path_;
  std::string problem_;
};

}  // namespace

void push(lua_State* lua, const Json& value) {
  push_any(lua, value, nullptr, 0);
}

void push_read_only(lua_State* lua, const Json& value, const char* label) {
  push_any(lua, value, label, 0);
}

void make_read_only(lua_State* lua, const char* label) {
  luaL_checkstack(lua, 4, nullptr);
  lua_createtable(lua, 0, 0);  // contents view
  lua_createtable(lua, 0, 6);  // contents view meta
  lua_pushvalue(lua, -3);
  lua_rawsetp(lua, -2, &contents_key);
  lua_pushstring(lua, label);
  lua_rawsetp(lua, -2, &label_key);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_change);
  lua_setfield(lua, -2, "__newindex");
  lua_pushcfunction(lua, length);
  lua_setfield(lua, -2, "__len");
  lua_pushboolean(lua, false);
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

bool is_protected(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &object_key);
  const bool once_empty_object = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 1);
  lua_pushliteral(lua, "__metatable");
  const bool hidden = lua_rawget(lua, -2) != LUA_TNIL;
  lua_pop(lua, 2);
  return hidden && !once_empty_object;
}

void push_contents(lua_State* lua, int index) {
  index = lua_absindex(lua, index);
  if (lua_getmetatable(lua, index) != 0) {
    if (lua_rawgetp(lua, -1, &contents_key) == LUA_TTABLE) {
      lua_remove(lua, -2);
      return;
    }
    lua_pop(lua, 2);
  }
  lua_pushvalue(lua, index);
}

bool to_json(lua_State* lua, int index, Json& out, std::string& why) {
  const int top = lua_gettop(lua);
  Reader reader(lua);
  const bool ok = reader.read(lua_absindex(lua, index), out, 0);
  if (!ok) why = reader.why();
  lua_settop(lua, top);
  return ok;
}

std::string text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, index, &size);
  return {text, size};
}

int push_field(lua_State* lua, const char* name) {
  lua_pushstring(lua, name);
  return lua_rawget(lua, -2);
}

int field_type(lua_State* lua, const char* name) {
  const int type = push_field(lua, name);
  lua_pop(lua, 1);
  return type;
}

std::vector<std::string> text_keys(lua_State* lua, int index) {
  std::vector<std::string> keys;
  for (lua_pushnil(lua); lua_next(lua, index) != 0; lua_pop(lua, 1)) {
    if (lua_type(lua, -2) == LUA_TSTRING) keys.push_back(text_at(lua, -2));
  }
  std::sort(keys.begin(), keys.end());
  return keys;
}

bool is_same_scalar(lua_State* lua, int index, const Json& value) {
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      return value.is_boolean() && value.get<bool>() == (lua_toboolean(lua, index) != 0);
    case LUA_TNUMBER:
      if (lua_isinteger(lua, index)) {
        return value.is_number_integer() &&
               value.get<std::int64_t>() == lua_tointeger(lua, index) &&
               !(value.is_number_unsigned() && lua_tointeger(lua, index) < 0);
      }
      return value.is_number_float() && value.get<double>() == lua_tonumber(lua, index);
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, index, &size);
      return value.is_string() &&
             value.get_ref<const std::string&>() == std::string_view(text, size);
    }
    default:
      return is_null(lua, index) && value.is_null();
  }
}

const char* type_name(lua_State* lua, int index) {
  return is_null(lua, index) ? "null" : luaL_typename(lua, index);
}

void describe_error_value(lua_State* lua, int index, std::string& out) {
  Json value;
  std::string why;
  if (lua_type(lua, index) == LUA_TTABLE && to_json(lua, index, value, why)) {
    out = "error " + shortened(to_text(value), 500);
  } else if (lua_isnumber(lua, index) || lua_isboolean(lua, index)) {
    to_json(lua, index, value, why);
    out = "error " + to_text(value);
  } else {
    out = std::string("an error that is a ") + type_name(lua, index) + " value";
  }
}

}  // namespace agneto::script
