// The `table` library and the traversals: raw, charged by size, in the order of the keys.
//
// Functions that write want a plain table; those that read see through read-only views. None calls
// a metamethod, so a length or an index cannot lie.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "script/library.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

// Replaces argument `index` by the table that holds its contents.
lua_Integer check_readable(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  push_contents(lua, index);
  lua_replace(lua, index);
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

lua_Integer check_writable(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  if (is_protected(lua, index)) {
    luaL_argerror(lua, index, "this table is read-only; make a copy to change");
  }
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

void charge(lua_State* lua, lua_Integer work) {
  if (work > 0) Sandbox::of(lua).charge(lua, static_cast<std::uint64_t>(work));
}

int insert(lua_State* lua) {
  const auto size = check_writable(lua, 1);
  if (lua_gettop(lua) == 2) {
    lua_rawseti(lua, 1, size + 1);
    return 0;
  }
  if (lua_gettop(lua) != 3) return luaL_error(lua, "wrong number of arguments to 'insert'");
  const auto position = luaL_checkinteger(lua, 2);
  luaL_argcheck(lua, position >= 1 && position <= size + 1, 2, "position out of bounds");
  charge(lua, size - position);
  for (auto i = size + 1; i > position; --i) {
    lua_rawgeti(lua, 1, i - 1);
    lua_rawseti(lua, 1, i);
  }
  lua_rawseti(lua, 1, position);
  return 0;
}

int remove(lua_State* lua) {
  const auto size = check_writable(lua, 1);
  auto position = luaL_optinteger(lua, 2, size);
  if (lua_gettop(lua) > 1) {
    luaL_argcheck(
        lua,
        size + 1 == position || (size == 0 && position == 0) || (position >= 1 && position <= size),
        2, "position out of bounds");
  }
  charge(lua, size - position);
  lua_rawgeti(lua, 1, position);
  for (; position < size; ++position) {
    lua_rawgeti(lua, 1, position + 1);
    lua_rawseti(lua, 1, position);
  }
  lua_pushnil(lua);
  lua_rawseti(lua, 1, position);
  return 1;
}

int concat(lua_State* lua) {
  const auto size = check_readable(lua, 1);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 2, "", &separator_size);
  const auto first = luaL_optinteger(lua, 3, 1);
  const auto last = luaL_optinteger(lua, 4, size);
  luaL_Buffer out;
  luaL_buffinit(lua, &out);
  for (auto i = first; i <= last; ++i) {
    charge(lua, 1 + static_cast<lua_Integer>(separator_size / 16));
    lua_rawgeti(lua, 1, i);
    if (!lua_isstring(lua, -1)) {
      return luaL_error(lua, "invalid value (%s) at index %I in table for 'concat'",
                        type_name(lua, -1), static_cast<LUAI_UACINT>(i));
    }
    luaL_addvalue(&out);
    if (i == last) break;
    luaL_addlstring(&out, separator, separator_size);
  }
  luaL_pushresult(&out);
  return 1;
}

int pack(lua_State* lua) {
  const int count = lua_gettop(lua);
  lua_createtable(lua, count, 1);
  lua_insert(lua, 1);
  for (int i = count; i >= 1; --i) lua_rawseti(lua, 1, i);
  lua_pushinteger(lua, count);
  lua_setfield(lua, 1, "n");
  return 1;
}

int unpack(lua_State* lua) {
  const auto size = check_readable(lua, 1);
  const auto first = luaL_optinteger(lua, 2, 1);
  const auto last = luaL_optinteger(lua, 3, size);
  if (first > last) return 0;
  const auto count = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first);
  if (count >= 100'000 || !lua_checkstack(lua, static_cast<int>(count) + 1)) {
    return luaL_error(lua, "too many results to unpack");
  }
  charge(lua, static_cast<lua_Integer>(count));
  for (lua_Unsigned i = 0; i <= count; ++i) {
    lua_rawgeti(lua, 1, static_cast<lua_Integer>(static_cast<lua_Unsigned>(first) + i));
  }
  return static_cast<int>(count) + 1;
}

int move(lua_State* lua) {
  check_readable(lua, 1);
  const auto first = luaL_checkinteger(lua, 2);
  const auto last = luaL_checkinteger(lua, 3);
  const auto target = luaL_checkinteger(lua, 4);
  const int into = lua_isnoneornil(lua, 5) ? 1 : 5;
  check_writable(lua, into);
  lua_settop(lua, 5);
  if (last >= first) {
    constexpr lua_Integer largest = 1 << 30;
    luaL_argcheck(lua, first >= -largest && last <= largest, 3, "too many elements to move");
    luaL_argcheck(lua, target >= -largest && target <= largest, 4, "destination out of bounds");
    charge(lua, last - first);
    const bool backwards = target > first && target <= last && lua_rawequal(lua, 1, into);
    for (lua_Integer k = 0; k <= last - first; ++k) {
      const auto i = backwards ? last - first - k : k;
      lua_rawgeti(lua, 1, first + i);
      lua_rawseti(lua, into, target + i);
    }
  }
  lua_pushvalue(lua, into);
  return 1;
}

// In bytes, of all texts in the list together.
std::size_t size_of_texts(lua_State* lua, int index, lua_Integer size) {
  std::size_t bytes = 0;
  for (lua_Integer i = 1; i <= size; ++i) {
    if (lua_rawgeti(lua, index, i) == LUA_TSTRING) bytes += lua_rawlen(lua, -1);
    lua_pop(lua, 1);
  }
  return bytes;
}

int less_than(lua_State* lua) {
  if (lua_type(lua, 1) == LUA_TSTRING && lua_type(lua, 2) == LUA_TSTRING) {
    Sandbox::of(lua).charge(lua, std::min(lua_rawlen(lua, 1), lua_rawlen(lua, 2)) / bytes_a_unit);
  }
  lua_pushboolean(lua, lua_compare(lua, 1, 2, LUA_OPLT));
  return 1;
}

// Upvalue 1: Lua's own sort, which asks metamethods for the length and the items.
int sort(lua_State* lua) {
  const auto size = check_writable(lua, 1);
  lua_settop(lua, 2);
  for (const char* name : {"__len", "__index", "__newindex"}) {
    if (luaL_getmetafield(lua, 1, name) != LUA_TNIL) {
      luaL_argerror(lua, 1, lua_pushfstring(lua, "a table with '%s' cannot be sorted", name));
    }
  }
  charge(lua, size * (1 + static_cast<lua_Integer>(std::log2(size + 1))));
  // No instruction passes as it compares, so that nobody would look at the time.
  if (lua_isnil(lua, 2) && size_of_texts(lua, 1, size) >= huge) {
    lua_pushcfunction(lua, less_than);
    lua_replace(lua, 2);
  }
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

// A key in the order of traversal: false, true, numbers, texts.
struct Key {
  int rank = 0;
  bool integer = false;
  lua_Integer whole = 0;
  double number = 0;
  const char* text = nullptr;
  std::size_t size = 0;

  bool operator<(const Key& other) const {
    if (rank != other.rank) return rank < other.rank;
    if (text) {
      const int order = std::memcmp(text, other.text, std::min(size, other.size));
      return order != 0 ? order < 0 : size < other.size;
    }
    return integer && other.integer ? whole < other.whole : number < other.number;
  }
};

// The key at `index`, which must stay alive as long as the result is used.
Key read_key(lua_State* lua, int index) {
  Key key;
  switch (lua_type(lua, index)) {
    case LUA_TBOOLEAN:
      key.rank = lua_toboolean(lua, index);
      break;
    case LUA_TNUMBER:
      key.rank = 2;
      key.integer = lua_isinteger(lua, index) != 0;
      key.whole = lua_tointeger(lua, index);
      key.number = lua_tonumber(lua, index);
      break;
    case LUA_TSTRING:
      key.rank = 3;
      key.text = lua_tolstring(lua, index, &key.size);
      break;
    default:
      luaL_error(lua, "a key that is a %s has no order; use text or numbers as keys",
                 type_name(lua, index));
  }
  return key;
}

void push_key(lua_State* lua, const Key& key) {
  if (key.text) {
    lua_pushlstring(lua, key.text, key.size);
  } else if (key.rank < 2) {
    lua_pushboolean(lua, key.rank);
  } else if (key.integer) {
    lua_pushinteger(lua, key.whole);
  } else {
    lua_pushnumber(lua, key.number);
  }
}

// Upvalues: the table, its keys in order, how many of them were visited.
int next_of_pairs(lua_State* lua) {
  auto visited = lua_tointeger(lua, lua_upvalueindex(3));
  while (lua_rawgeti(lua, lua_upvalueindex(2), ++visited) != LUA_TNIL) {
    lua_pushvalue(lua, -1);
    if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
      lua_pushinteger(lua, visited);
      lua_replace(lua, lua_upvalueindex(3));
      return 2;
    }
    lua_pop(lua, 2);  // taken away since
  }
  return 1;
}

}  // namespace

int sorted_pairs(lua_State* lua) {
  check_readable(lua, 1);
  lua_settop(lua, 1);
  std::size_t count = 0;
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) ++count;
  charge(lua, static_cast<lua_Integer>(count));
  auto* keys = static_cast<Key*>(lua_newuserdatauv(lua, (count + 1) * sizeof(Key), 0));
  std::size_t filled = 0;
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) keys[filled++] = read_key(lua, -2);
  std::sort(keys, keys + filled);
  lua_pushvalue(lua, 1);
  lua_createtable(lua, static_cast<int>(filled), 0);
  for (std::size_t i = 0; i < filled; ++i) {
    push_key(lua, keys[i]);
    lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
  }
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_of_pairs, 3);
  return 1;
}

int sorted_next(lua_State* lua) {
  check_readable(lua, 1);
  lua_settop(lua, 2);
  const bool from_start = lua_isnil(lua, 2);
  const Key after = from_start ? Key{} : read_key(lua, 2);
  Key best;
  bool found = false;
  lua_Integer seen = 0;
  for (lua_pushnil(lua); lua_next(lua, 1) != 0; lua_pop(lua, 1)) {
    ++seen;
    const Key key = read_key(lua, -2);
    if ((from_start || after < key) && (!found || key < best)) {
      best = key;
      found = true;
    }
  }
  charge(lua, seen);
  if (!found) {
    lua_pushnil(lua);
    return 1;
  }
  push_key(lua, best);
  lua_pushvalue(lua, -1);
  lua_rawget(lua, 1);
  return 2;
}

void push_table_library(lua_State* lua) {
  const luaL_Reg functions[] = {{"concat", concat}, {"insert", insert}, {"move", move},
                                {"pack", pack},     {"remove", remove}, {"unpack", unpack},
                                {nullptr, nullptr}};
  luaL_newlib(lua, functions);
  keep(lua, LUA_TABLIBNAME, luaopen_table, {"sort"}, sort);
}

}  // namespace agneto::script
