// The `string` library: Lua's own where it is harmless, bounded versions of the rest.
#include <algorithm>
#include <cstring>

#include "script/library.h"
#include "script/pattern.h"
#include "script/sandbox.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr std::int64_t max_pattern_steps = 20'000'000;
constexpr std::int64_t steps_a_unit = 4;

std::string_view check_text(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return {text, size};
}

// A start position as Lua counts it, negative from the end -> an offset; may be past the end.
std::size_t start_offset(lua_Integer position, std::size_t size) {
  if (position > 0) return static_cast<std::size_t>(position) - 1;
  if (position == 0 || position < -static_cast<lua_Integer>(size)) return 0;
  return size + static_cast<std::size_t>(position);
}

// One match, paid for; raises what is wrong with the pattern.
const PatternMatch& match_at(lua_State* lua, PatternMatcher& matcher, const char* at) {
  const PatternMatch& match = matcher.match(at, max_pattern_steps);
  const auto steps = max_pattern_steps - matcher.steps_left();
  Sandbox::of(lua).charge(lua, static_cast<std::uint64_t>(steps / steps_a_unit + 1));
  if (matcher.error()) luaL_error(lua, "%s", matcher.error());
  return match;
}

void push_capture(lua_State* lua, std::string_view text, const PatternMatch& match,
                  const char* start, int index) {
  if (index >= match.count) {
    if (index != 0) luaL_error(lua, "invalid capture index %%%d", index + 1);
    lua_pushlstring(lua, start, static_cast<std::size_t>(match.end - start));
    return;
  }
  const auto& capture = match.captures[index];
  if (capture.size == PatternMatch::position_capture) {
    lua_pushinteger(lua, capture.begin - text.data() + 1);
  } else {
    lua_pushlstring(lua, capture.begin, static_cast<std::size_t>(capture.size));
  }
}

int push_captures(lua_State* lua, std::string_view text, const PatternMatch& match,
                  const char* start, bool whole_if_none) {
  const int count = match.count == 0 && whole_if_none ? 1 : match.count;
  luaL_checkstack(lua, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(lua, text, match, start, i);
  return count;
}

bool take_anchor(std::string_view& pattern) {
  if (!pattern.starts_with('^')) return false;
  pattern.remove_prefix(1);
  return true;
}

int find_plain(lua_State* lua, std::string_view text, std::string_view what, std::size_t start) {
  Sandbox::of(lua).charge(lua, (text.size() - start) / bytes_a_unit);
  const void* at = memmem(text.data() + start, text.size() - start, what.data(), what.size());
  if (!at) {
    lua_pushnil(lua);
    return 1;
  }
  const auto offset = static_cast<const char*>(at) - text.data();
  lua_pushinteger(lua, offset + 1);
  lua_pushinteger(lua, offset + static_cast<lua_Integer>(what.size()));
  return 2;
}

// `string.find` or, where not `find`, `string.match`.
template <bool find>
int search(lua_State* lua) {
  const auto text = check_text(lua, 1);
  auto pattern = check_text(lua, 2);
  const auto start = start_offset(luaL_optinteger(lua, 3, 1), text.size());
  if (start > text.size()) {
    lua_pushnil(lua);
    return 1;
  }
  const bool plain = pattern.find_first_of("^$*+?.([%-") == std::string_view::npos;
  if (find && (plain || lua_toboolean(lua, 4))) return find_plain(lua, text, pattern, start);
  const bool anchored = take_anchor(pattern);
  PatternMatcher matcher(text, pattern);
  for (const char* at = text.data() + start; at <= text.data() + text.size(); ++at) {
    const PatternMatch& match = match_at(lua, matcher, at);
    if (match.end) {
      if (!find) return push_captures(lua, text, match, at, true);
      lua_pushinteger(lua, at - text.data() + 1);
      lua_pushinteger(lua, match.end - text.data());
      return 2 + push_captures(lua, text, match, at, false);
    }
    if (anchored) break;
  }
  lua_pushnil(lua);
  return 1;
}

// Upvalues: text, pattern, offset to search from, offset of the last match's end.
int next_match(lua_State* lua) {
  const auto text = check_text(lua, lua_upvalueindex(1));
  const auto pattern = check_text(lua, lua_upvalueindex(2));
  const auto from = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3)));
  const auto last = lua_tointeger(lua, lua_upvalueindex(4));
  if (from > text.size()) return 0;
  PatternMatcher matcher(text, pattern);
  for (const char* at = text.data() + from; at <= text.data() + text.size(); ++at) {
    const PatternMatch& found = match_at(lua, matcher, at);
    const auto end = found.end ? found.end - text.data() : -1;
    if (!found.end || end == last) continue;
    lua_pushinteger(lua, end);
    lua_copy(lua, -1, lua_upvalueindex(3));
    lua_replace(lua, lua_upvalueindex(4));
    return push_captures(lua, text, found, at, true);
  }
  lua_pushinteger(lua, static_cast<lua_Integer>(text.size()) + 1);
  lua_replace(lua, lua_upvalueindex(3));
  return 0;
}

int each_match(lua_State* lua) {
  const auto text = check_text(lua, 1);
  check_text(lua, 2);
  const auto start =
      std::min(start_offset(luaL_optinteger(lua, 3, 1), text.size()), text.size() + 1);
  lua_settop(lua, 2);
  lua_pushinteger(lua, static_cast<lua_Integer>(start));
  lua_pushinteger(lua, -1);
  lua_pushcclosure(lua, next_match, 4);
  return 1;
}

void add_template(lua_State* lua, luaL_Buffer& out, std::string_view text,
                  const PatternMatch& found, const char* at) {
  const auto replacement = check_text(lua, 3);
  Sandbox::of(lua).charge(lua, replacement.size() / bytes_a_unit);
  for (std::size_t i = 0; i < replacement.size(); ++i) {
    if (replacement[i] != '%') {
      luaL_addchar(&out, replacement[i]);
      continue;
    }
    const char next = ++i < replacement.size() ? replacement[i] : '\0';
    if (next == '%') {
      luaL_addchar(&out, '%');
    } else if (next == '0') {
      luaL_addlstring(&out, at, static_cast<std::size_t>(found.end - at));
    } else if (next >= '1' && next <= '9') {
      push_capture(lua, text, found, at, next - '1');
      luaL_tolstring(lua, -1, nullptr);
      lua_remove(lua, -2);
      luaL_addvalue(&out);
    } else {
      luaL_error(lua, "invalid use of '%%' in replacement string");
    }
  }
}

// Adds what stands for one match.
void add_replacement(lua_State* lua, luaL_Buffer& out, int kind, std::string_view text,
                     const PatternMatch& found, const char* at) {
  if (kind == LUA_TSTRING || kind == LUA_TNUMBER) {
    add_template(lua, out, text, found, at);
    return;
  }
  if (kind == LUA_TFUNCTION) {
    lua_pushvalue(lua, 3);
    lua_call(lua, push_captures(lua, text, found, at, true), 1);
  } else {
    push_capture(lua, text, found, at, 0);
    lua_gettable(lua, 3);
  }
  const bool replaced = lua_toboolean(lua, -1) != 0;
  if (replaced && !lua_isstring(lua, -1)) {
    luaL_error(lua, "invalid replacement value (a %s)", type_name(lua, -1));
  }
  if (replaced) {
    luaL_addvalue(&out);
  } else {
    lua_pop(lua, 1);
    luaL_addlstring(&out, at, static_cast<std::size_t>(found.end - at));
  }
}

int substitute(lua_State* lua) {
  const auto text = check_text(lua, 1);
  auto pattern = check_text(lua, 2);
  const int kind = lua_type(lua, 3);
  luaL_argexpected(
      lua,
      kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
      "string/function/table");
  const auto most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(text.size()) + 1);
  if (kind == LUA_TNUMBER) lua_tostring(lua, 3);
  const bool anchored = take_anchor(pattern);
  const char* const end = text.data() + text.size();
  const char* at = text.data();
  const char* last = nullptr;
  lua_Integer count = 0;
  PatternMatcher matcher(text, pattern);
  luaL_Buffer out;
  luaL_buffinit(lua, &out);
  while (count < most) {
    const PatternMatch& found = match_at(lua, matcher, at);
    if (found.end && found.end != last) {
      ++count;
      add_replacement(lua, out, kind, text, found, at);
      at = last = found.end;
    } else if (at < end) {
      luaL_addchar(&out, *at);
      ++at;
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&out, at, static_cast<std::size_t>(end - at));
  luaL_pushresult(&out);
  lua_pushinteger(lua, count);
  return 2;
}

int repeat(lua_State* lua) {
  const auto text = check_text(lua, 1);
  const auto count = luaL_checkinteger(lua, 2);
  std::size_t separator_size = 0;
  const char* separator = luaL_optlstring(lua, 3, "", &separator_size);
  if (count <= 0 || text.size() + separator_size == 0) {
    lua_pushliteral(lua, "");
    return 1;
  }
  constexpr lua_Integer largest = 1 << 30;
  const auto piece = static_cast<lua_Integer>(text.size() + separator_size);
  if (piece > largest || count > largest / piece) {
    return luaL_error(lua, "resulting string too large");
  }
  // "text sep text sep … text": what stands there already is copied, twice as much each time.
  const auto total = static_cast<std::size_t>(piece * count) - separator_size;
  luaL_Buffer out;
  char* into = luaL_buffinitsize(lua, &out, total);
  const auto put = [&](std::size_t at, const char* from, std::size_t size) {
    if (at < total) std::memcpy(into + at, from, std::min(size, total - at));
  };
  put(0, text.data(), text.size());
  put(text.size(), separator, separator_size);
  for (auto size = static_cast<std::size_t>(piece); size < total; size *= 2) put(size, into, size);
  luaL_pushresultsize(&out, total);
  return 1;
}

// Upvalue 1: Lua's own. Values for %s become text here, so that no address shows.
int format(lua_State* lua) {
  const auto text = check_text(lua, 1);
  Sandbox::of(lua).charge(lua, text.size() / bytes_a_unit);
  int argument = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') continue;
    if (++i < text.size() && text[i] == '%') continue;
    while (i < text.size() && std::strchr("-+ #0123456789.", text[i]) != nullptr) ++i;
    if (i == text.size()) break;
    ++argument;
    if (text[i] == 'p') return luaL_error(lua, "string.format: '%%p' is not available here");
    if (text[i] == 's' && argument <= lua_gettop(lua)) {
      push_text(lua, argument, nullptr);
      lua_replace(lua, argument);
    }
  }
  return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

}  // namespace

void push_string_library(lua_State* lua) {
  const luaL_Reg functions[] = {{"find", search<true>}, {"gmatch", each_match},
                                {"gsub", substitute},   {"match", search<false>},
                                {"rep", repeat},        {nullptr, nullptr}};
  luaL_newlib(lua, functions);
  keep(lua, LUA_STRLIBNAME, luaopen_string,
       {"byte", "char", "len", "lower", "reverse", "sub", "upper"});
  keep(lua, LUA_STRLIBNAME, luaopen_string, {"format"}, format);

  // Methods of texts, `("x"):rep(3)`, find the same functions; their metatable is out of reach.
  lua_pushliteral(lua, "");
  lua_getmetatable(lua, -1);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushboolean(lua, false);
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 2);
}

}  // namespace agneto::script
