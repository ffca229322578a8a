#include "script/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "base/clock.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr int tick = 1000;                 // instructions between two looks at the limit
constexpr int short_tick = 10;             // the same where an instruction may take long
constexpr std::size_t huge = 1u << 20;     // bytes of a text, from which on it may
constexpr Millis long_tick{20};            // that takes so long: some instruction does
constexpr int handler = 1;                 // stack slot of the message handler
constexpr std::size_t bytes_a_unit = 256;  // of memory written for one unit of work

// "FILE:LINE: " of the innermost Lua code that runs; allocates nothing.
void find_place(lua_State* lua, char* out, std::size_t size) {
  lua_Debug activation;
  out[0] = '\0';
  for (int level = 0; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Sl", &activation);
    if (activation.currentline <= 0) continue;
    std::snprintf(out, size, "%s:%d: ", activation.short_src, activation.currentline);
    return;
  }
}

// What Lua calls a userdata is `null` to the author who reads the message.
void name_null(std::string& message) {
  for (const std::string_view got : {", got light userdata)", ", got userdata)"}) {
    if (!message.ends_with(got)) continue;
    message.replace(message.size() - got.size(), got.size(), ", got null)");
  }
  if (message.find("attempt to ") == std::string::npos) return;
  static constexpr std::string_view word = "userdata";
  for (auto at = message.find(word); at != std::string::npos; at = message.find(word, at)) {
    message.replace(at, word.size(), "null");
  }
}

// What this thread has used of the processor: a machine that sleeps uses nothing.
std::chrono::nanoseconds processor_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

Sandbox::Limits allowed(Sandbox::Limits limits) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // many texts rather than all of one
  return {limits.memory / 16, limits.work / 50, limits.time};
#else
  return limits;
#endif
}

}  // namespace

void* Sandbox::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  if (block == nullptr) old_size = 0;  // Lua passes the kind of object here
  if (new_size == 0) {
    std::free(block);
    sandbox.memory_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size) {
    if (new_size >= huge && sandbox.lua_) sandbox.look_often(sandbox.lua_);
    const auto grown = new_size - old_size;
    sandbox.work_ -= static_cast<std::int64_t>(new_size / bytes_a_unit);
    const bool too_much_work = sandbox.work_ < 0 && new_size > 64 * 1024;
    if (grown > sandbox.limits_.memory - sandbox.memory_ || too_much_work) {
      if (sandbox.lua_) find_place(sandbox.lua_, sandbox.place_, sizeof sandbox.place_);
      return nullptr;
    }
  }
  void* result = std::realloc(block, new_size);
  if (result) sandbox.memory_ += new_size - old_size;
  return result;
}

Sandbox::Sandbox(Limits limits) : limits_(allowed(limits)), work_(unlimited) {
  lua_State* lua = lua_newstate(allocate, this);
  if (!lua) throw std::bad_alloc();
  *static_cast<Sandbox**>(lua_getextraspace(lua)) = this;
  lua_pushcfunction(lua, describe);
  lua_ = lua;
}

Sandbox::~Sandbox() {
  lua_close(lua_);
}

void Sandbox::count(lua_State* lua, lua_Debug*) {
  Sandbox& sandbox = of(lua);
  sandbox.work_ -= lua_gethookcount(lua);
  if (sandbox.work_ < unlimited / 2) {
    sandbox.is_stopped_ = sandbox.is_stopped_ || sandbox.stop_.stop_requested();
    if (sandbox.is_stopped_ || sandbox.is_late()) sandbox.work_ = -1;
  }
  if (sandbox.looks_often_) sandbox.look_often(lua);
  if (sandbox.work_ < 0 || !sandbox.exceeded_.empty()) sandbox.raise_limit(lua);
}

// A coroutine has a tick of its own.
void Sandbox::look_often(lua_State* lua) {
  if (work_ >= unlimited / 2) return;
  looks_often_ = true;
  if (lua_gethookcount(lua) != short_tick) lua_sethook(lua, count, LUA_MASKCOUNT, short_tick);
}

// Asked at every tick, so that a short call pays nothing; the processor's clock is dear, so it is
// looked at only once the time has passed for everybody.
bool Sandbox::is_late() {
  const auto now = std::chrono::steady_clock::now();
  if (!begun_) begun_ = looked_ = now;
  if (now - looked_ > long_tick) looks_often_ = true;
  looked_ = now;
  if (now - *begun_ < limits_.time) return false;
  const auto used = processor_time();
  if (!late_since_) late_since_ = used;
  return used - *late_since_ >= limits_.time;
}

void Sandbox::charge(lua_State* lua, std::uint64_t work) {
  const auto most = static_cast<std::uint64_t>(std::max<std::int64_t>(work_, 0));
  if (work <= most) {
    work_ -= static_cast<std::int64_t>(work);
    return;
  }
  work_ = -1;
  raise_limit(lua);
}

// Notes which limit was hit: the work, unless some of it is left.
void Sandbox::exceed() {
  const std::string what =
      is_stopped_ ? "this was stopped"
      : late_since_ && is_late()
          ? fmt::format("this takes too long (stopped after more than {} s)", limits_.time.count())
      : work_ < 0
          ? fmt::format("this does not come to an end (stopped after {} instructions)",
                        limits_.work)
          : fmt::format("this needs more memory than it may have ({} MB)", limits_.memory >> 20);
  exceeded_ = place_ + what;
}

int Sandbox::raise_limit(lua_State* lua) {
  if (exceeded_.empty()) {
    find_place(lua, place_, sizeof place_);
    exceed();
  }
  lua_pushnil(lua);  // `call` knows the message
  return lua_error(lua);
}

bool Sandbox::over(int status) {
  if (status == LUA_ERRMEM && exceeded_.empty()) exceed();
  return !exceeded_.empty();
}

int Sandbox::fail(lua_State* lua) {
  luaL_where(lua, 1);
  lua_pushlstring(lua, failure_.data(), failure_.size());
  lua_concat(lua, 2);
  return lua_error(lua);
}

// The message handler: makes a text with a place of any other error value.
int Sandbox::describe(lua_State* lua) {
  Sandbox& sandbox = of(lua);
  if (!sandbox.exceeded_.empty() || lua_type(lua, 1) == LUA_TSTRING) return 1;
  describe_error_value(lua, 1, sandbox.failure_);
  char place[sizeof sandbox.place_];
  find_place(lua, place, sizeof place);
  lua_pushstring(lua, place);
  lua_pushlstring(lua, sandbox.failure_.data(), sandbox.failure_.size());
  lua_concat(lua, 2);
  return 1;
}

std::string Sandbox::take_message() {
  std::string message;
  if (!exceeded_.empty()) {
    message = exceeded_;
  } else if (lua_type(lua_, -1) == LUA_TSTRING) {
    message = text_at(lua_, -1);
  } else {
    message = "an error in the handling of an error";
  }
  lua_pop(lua_, 1);
  for (const auto& [shortened, whole] : long_names_) {
    if (message.starts_with(shortened + ":")) message.replace(0, shortened.size(), whole);
  }
  name_null(message);
  return message;
}

std::optional<std::string> Sandbox::call(int arguments, int results, std::int64_t work) {
  exceeded_.clear();
  place_[0] = '\0';
  is_stopped_ = looks_often_ = false;
  begun_.reset();
  late_since_.reset();
  work_ = work;
  lua_sethook(lua_, count, LUA_MASKCOUNT, tick);
  const int status = lua_pcall(lua_, arguments, results, handler);
  const bool ended = over(status);
  work_ = unlimited;
  if (status == LUA_OK && !ended) return std::nullopt;
  if (status == LUA_OK) {
    lua_pop(lua_, results);
    lua_pushnil(lua_);
  }
  auto message = take_message();
  if (status == LUA_ERRMEM) lua_gc(lua_, LUA_GCCOLLECT);
  return message;
}

const char* Sandbox::chunk_name(const std::string& path) {
  // Lua shows at most the last 56 bytes of a long name.
  constexpr std::size_t shown = LUA_IDSIZE - 4;
  if (path.size() >= LUA_IDSIZE) long_names_["..." + path.substr(path.size() - shown)] = path;
  return chunk_names_.try_emplace(path, "@" + path).first->second.c_str();
}

std::optional<std::string> Sandbox::load(std::string_view text, const std::string& name) {
  const char* chunk = chunk_name(name);
  return protect(
      [&](lua_State* lua) {
        if (luaL_loadbufferx(lua, text.data(), text.size(), chunk, "t") != LUA_OK) lua_error(lua);
      },
      0, 1);
}

std::optional<std::pair<int, std::string>> split_place(const std::string& message,
                                                       const std::string& file) {
  if (!message.starts_with(file + ":")) return std::nullopt;
  int line = 0;
  const char* begin = message.data() + file.size() + 1;
  const auto [end, error] = std::from_chars(begin, message.data() + message.size(), line);
  if (error != std::errc() || !std::string_view(end).starts_with(": ")) return std::nullopt;
  return std::pair(line, std::string(end + 2));
}

}  // namespace agneto::script
