#include "script/sandbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/clock.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr int usual_tick = 1000;                 // instructions between two looks at the limit
constexpr int short_tick = 10;                   // the same where an instruction takes long
constexpr std::size_t read_a_tick = 320u << 20;  // bytes of huge texts, at most
constexpr Millis long_tick{20};                  // that takes so long: some instruction does
constexpr std::uint64_t much_work = 1u << 16;    // done at once: a look is not dear beside it
constexpr int handler = 1;                       // stack slot of the message handler
constexpr std::size_t written_a_unit = 256;      // of memory written for one unit of work

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
    if (old_size >= huge) sandbox.huge_ -= old_size;
    return nullptr;
  }
  if (new_size > old_size) {
    const auto grown = new_size - old_size;
    sandbox.work_ -= static_cast<std::int64_t>(new_size / written_a_unit);
    const bool too_much_work = sandbox.work_ < 0 && new_size > 64 * 1024;
    if (grown > sandbox.limits_.memory - sandbox.memory_ || too_much_work) {
      if (sandbox.lua_) find_place(sandbox.lua_, sandbox.place_, sizeof sandbox.place_);
      return nullptr;
    }
  }
  void* result = std::realloc(block, new_size);
  if (!result) return nullptr;
  sandbox.memory_ += new_size - old_size;
  if (old_size >= huge) sandbox.huge_ -= old_size;
  if (new_size >= huge) sandbox.hold_huge(new_size);
  return result;
}

Sandbox::Sandbox(Limits limits) : limits_(allowed(limits)), work_(unlimited) {
  lua_State* lua = lua_newstate(allocate, this);
  if (!lua) throw std::bad_alloc();
  *static_cast<Sandbox**>(lua_getextraspace(lua)) = this;
  lua_pushcfunction(lua, describe);
  lua_ = running_ = lua;
}

Sandbox::~Sandbox() {
  lua_close(lua_);
}

// That few instructions take a second at most, whatever they do with what is there.
int Sandbox::tick() const {
  if (huge_ == 0) return usual_tick;
  return std::max(1, static_cast<int>(read_a_tick / huge_));
}

void Sandbox::hold_huge(std::size_t size) {
  huge_ += size;
  tick_ = std::min(tick_, tick());
  if (running_) shorten_tick(running_);
}

void Sandbox::count(lua_State* lua, lua_Debug*) {
  Sandbox& sandbox = of(lua);
  sandbox.work_ -= lua_gethookcount(lua);
  sandbox.look();
  sandbox.shorten_tick(lua);
  if (sandbox.work_ < 0 || !sandbox.exceeded_.empty()) sandbox.raise_limit(lua);
}

// Whether the call has to end for another reason than its work.
void Sandbox::look() {
  if (work_ >= unlimited / 2) return;
  is_stopped_ = is_stopped_ || stop_.stop_requested();
  is_late_ = is_late_ || is_late();
  if (is_stopped_ || is_late_) work_ = -1;
}

// A coroutine has a tick of its own.
void Sandbox::shorten_tick(lua_State* lua) const {
  if (work_ < unlimited / 2 && lua_gethookcount(lua) > tick_) {
    lua_sethook(lua, count, LUA_MASKCOUNT, tick_);
  }
}

// Asked at every tick, so that a short call pays nothing; the processor's clock is dear, so it is
// looked at only once the time has passed for everybody.
bool Sandbox::is_late() {
  const auto now = std::chrono::steady_clock::now();
  if (!begun_) {
    begun_ = looked_ = now;
    begun_on_processor_ = processor_time();
  }
  if (now - looked_ > long_tick) tick_ = std::min(tick_, short_tick);
  looked_ = now;
  return now - *begun_ >= limits_.time && processor_time() - begun_on_processor_ >= limits_.time;
}

void Sandbox::charge(lua_State* lua, std::uint64_t work) {
  if (work >= much_work) look();
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
      : is_late_
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

void Sandbox::blame_callers_of(const std::filesystem::path& folder) {
  if (!folder.empty()) blameless_ = "@" + (folder / "").lexically_normal().string();
}

// Gives the message, a text, the place of who called the code where it was raised. Allocates
// nothing but in Lua.
int Sandbox::blame_caller(lua_State* lua) const {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, 1, &size);
  const std::string_view message(text, size);
  char place[sizeof place_];
  find_place(lua, place, sizeof place);
  if (blameless_.empty() || !message.starts_with(place)) return 1;
  const std::string_view what = message.substr(std::strlen(place));

  lua_Debug called{};  // from outside
  bool is_inside = false;
  lua_Debug activation;
  for (int level = 0; lua_getstack(lua, level, &activation) != 0; ++level) {
    lua_getinfo(lua, "Slnt", &activation);
    if (activation.currentline <= 0) continue;
    if (std::string_view(activation.source).starts_with(blameless_)) {
      called = activation;
      is_inside = true;
      continue;
    }
    // Whoever makes a tail call is not there any more.
    if (!is_inside || !called.name || called.istailcall) return 1;
    std::string_view module = called.source;
    module.remove_prefix(module.rfind('/') + 1);
    module = module.substr(0, module.rfind('.'));
    lua_pushfstring(lua, "%s:%d: ", activation.short_src, activation.currentline);
    lua_pushlstring(lua, module.data(), module.size());
    lua_pushfstring(lua, ".%s: ", called.name);
    lua_pushlstring(lua, what.data(), what.size());
    lua_concat(lua, 4);
    return 1;
  }
  return 1;
}

// The message handler: makes a text with a place of any other error value.
int Sandbox::describe(lua_State* lua) {
  Sandbox& sandbox = of(lua);
  if (!sandbox.exceeded_.empty()) return 1;
  if (lua_type(lua, 1) == LUA_TSTRING) return sandbox.blame_caller(lua);
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
  is_stopped_ = is_late_ = false;
  begun_.reset();
  work_ = work;
  tick_ = tick();
  lua_sethook(lua_, count, LUA_MASKCOUNT, tick_);
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
