// A Lua state in which code from a workflow can do no harm.
//
// What runs here sees its arguments and the library that `push_library` gives it; no files, no
// programs, no clock, no chance, no addresses. Memory and work are bounded: past a limit an error
// is raised that the code cannot catch (pcall and coroutines raise it again), and the call ends.
// Work is counted in VM instructions; what C does in one instruction is charged by its size. What
// cannot be charged, such as comparing long texts, is bounded by time, far beyond what counted work
// takes; the time is looked at more often as long as the sandbox holds such texts.
//
// Not thread-safe. Liblua raises errors with longjmp, so a function that Lua calls must hold
// nothing with a destructor when it calls back into Lua; see `fail`.
//
// More than 25 names: each bound has a counter and a function that Lua calls, and these belong to
// one Lua state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <lua.hpp>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

namespace agneto::script {

// Bytes of a text, from which on an instruction about it may take long.
inline constexpr std::size_t huge = 1u << 20;

class Sandbox {
 public:
  struct Limits {
    std::size_t memory = 256u << 20;  // bytes, of everything in the sandbox together
    std::int64_t work = 100'000'000;  // instructions, of one call
    std::chrono::seconds time{5};     // of one call, on the processor
  };

  explicit Sandbox(Limits limits);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  // A stop ends a call of code as a limit does. Nothing that the engine does itself is ended.
  void heed(std::stop_token stop) { stop_ = std::move(stop); }
  // Was the last call ended by a stop?
  bool was_stopped() const { return is_stopped_; }

  // Where code of that folder fails, messages show who called it, and what: "FILE:LINE:
  // MODULE.FUNCTION: what is wrong".
  void blame_callers_of(const std::filesystem::path& folder);

  lua_State* state() { return lua_; }
  static Sandbox& of(lua_State* lua) { return **static_cast<Sandbox**>(lua_getextraspace(lua)); }

  // Calls the function under the `arguments` on the stack with fresh limits; like lua_pcall. On an
  // error nothing is left on the stack and the message is returned, "FILE:LINE: what"; without a
  // place only where the code itself left it away (`error("what", 0)`).
  std::optional<std::string> call(int arguments, int results) {
    return call(arguments, results, limits_.work);
  }

  // Runs `body(lua_State*)` with the `arguments` from the stack on one of its own, so that an error
  // that Lua raises in it comes back as a message. What it leaves there are the results, of which
  // as many are kept as are asked for. `run` is for what calls code, within fresh limits; `protect`
  // for the engine's own work, which may take as many instructions as it needs.
  template <typename Body>
  std::optional<std::string> run(Body&& body) {
    return call_body(body, limits_.work, 0, 0);
  }
  template <typename Body>
  std::optional<std::string> protect(Body&& body, int arguments = 0, int results = 0) {
    return call_body(body, unlimited, arguments, results);
  }

  // Compiles text (never bytecode) into a function on top of the stack. Returns the message of a
  // syntax error. `name` is the path that messages show.
  std::optional<std::string> load(std::string_view text, const std::string& name);

  // The name to load a file's text under; lives as long as the sandbox.
  const char* chunk_name(const std::string& path);

  // For functions that Lua calls. `charge` counts work done in C and raises when it is too much, or
  // when much of it is done after the time has passed or a stop has come; `over` says after a
  // caught error whether a limit was hit, which must then be raised again with `raise_limit`.
  void charge(lua_State* lua, std::uint64_t work);
  // `lua` runs from now on, a coroutine; returns what has run until now.
  lua_State* enter(lua_State* lua) { return std::exchange(running_, lua); }
  bool over(int status);
  int raise_limit(lua_State* lua);

  // The error to raise once nothing with a destructor is alive: `return sandbox.fail(lua)`. The
  // answer is false, as that of functions which leave the raising to their caller.
  bool set_failure(std::string message) {
    failure_ = std::move(message);
    return false;
  }
  const std::string& failure() const { return failure_; }
  int fail(lua_State* lua);

 private:
  static constexpr std::int64_t unlimited = INT64_MAX;

  template <typename Body>
  std::optional<std::string> call_body(Body& body, std::int64_t work, int arguments, int results) {
    const lua_CFunction function = [](lua_State* lua) {
      auto* the_body = static_cast<Body*>(lua_touserdata(lua, 1));
      lua_remove(lua, 1);
      (*the_body)(lua);
      return lua_gettop(lua);
    };
    lua_checkstack(lua_, 4);
    lua_pushcfunction(lua_, function);
    lua_pushlightuserdata(lua_, const_cast<void*>(static_cast<const void*>(&body)));
    lua_rotate(lua_, -arguments - 2, 2);
    return call(arguments + 1, results, work);
  }
  std::optional<std::string> call(int arguments, int results, std::int64_t work);
  std::string take_message();
  void exceed();
  int tick() const;
  void hold_huge(std::size_t size);
  void look();
  bool is_late();
  void shorten_tick(lua_State* lua) const;

  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void count(lua_State* lua, lua_Debug* activation);
  static int describe(lua_State* lua);
  int blame_caller(lua_State* lua) const;

  const Limits limits_;
  std::string blameless_;  // as the names of chunks in that folder begin; empty: all are to blame
  lua_State* lua_ = nullptr;
  lua_State* running_ = nullptr;
  std::size_t memory_ = 0;
  std::size_t huge_ = 0;  // bytes of memory in huge blocks: an instruction about one may take long
  std::int64_t work_ = 0;
  std::stop_token stop_;
  bool is_stopped_ = false;
  bool is_late_ = false;
  int tick_ = 0;  // instructions between two looks, in this call
  std::optional<std::chrono::steady_clock::time_point> begun_;  // of a call that takes its time
  std::chrono::nanoseconds begun_on_processor_{};
  std::chrono::steady_clock::time_point looked_;  // at the clock, the last time
  std::string exceeded_;                          // the limit that was hit in this call
  std::string failure_;
  char place_[LUA_IDSIZE + 24] = "";               // where memory was last refused
  std::map<std::string, std::string> long_names_;  // as Lua shortens them -> the whole path
  std::map<std::string, std::string> chunk_names_;
};

// The line and the rest of a message that begins with the place: "FILE:3: unexpected symbol".
// Nothing where it does not.
std::optional<std::pair<int, std::string>> split_place(const std::string& message,
                                                       const std::string& file);

// What hooks and drivers may use.
inline constexpr Sandbox::Limits hook_limits{256u << 20, 50'000'000};

}  // namespace agneto::script
