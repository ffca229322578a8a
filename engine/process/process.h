// Running other people's programs so that they cannot hang us, outlive us, or fill our memory.
//
// The one place that starts processes. Supervised programs (agents, `run` steps) run under
// agneto-guard: a process group of their own, stdin closed after the input, the whole tree ended
// (TERM, then KILL) on timeout, stop, or when the caller has what it wants, and when the engine
// itself dies. Plain `capture` is for short, trusted helpers (git).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"

namespace agneto::process {

using Environment = std::vector<std::pair<std::string, std::string>>;

// Names a process for good: a pid alone is used again.
struct ProcessId {
  int pid = 0;
  std::uint64_t start_time = 0;  // clock ticks since boot, from /proc/PID/stat
};

// What a program needs that is not trusted. Where there is a sandbox it has nothing else
// (run/sandbox/confinement.h).
struct Reach {
  std::filesystem::path tree;      // the folder that it works in
  bool writes = false;             // may it change files there?
  std::filesystem::path own = {};  // a folder of the call's; may be empty
  // Of HOME and of the environment, as a provider's driver says (script/driver.h).
  std::vector<std::string> home = {}, passes = {};
};

struct Spec {
  std::vector<std::string> argv;  // argv[0] is looked up on PATH
  std::filesystem::path cwd;
  Environment env;             // set on top of the engine's own environment
  bool inherits = true;        // false: of the engine's own it has nothing
  std::optional<Reach> reach;  // nothing: it is trusted
  std::string input;
  Millis timeout{0};                 // of the whole call; zero: none
  Millis idle{0};                    // of silence, while no tool is in flight; zero: none
  Millis grace{3000};                // from TERM to KILL
  Millis patience{10'000};           // from there until the guard itself is killed, if it is late
  std::size_t max_line = 4 << 20;    // bytes of a line that are kept; the rest is dropped
  std::size_t max_output = 1 << 20;  // bytes of stdout and of stderr that are kept in Exit
};

// Hears the program's output. Called on the thread that called `run`.
class Listener {
 public:
  virtual ~Listener() = default;
  // The guard's identity, before any output: record it to prove the tree gone after a crash.
  virtual void started(ProcessId) {}
  // A line of stdout, valid UTF-8, without its end. Return false: we have what we want, end it.
  virtual bool line(std::string_view) { return true; }
  virtual void error_line(std::string_view) {}
  // Comes after the lines that came at once: now it is the program's turn again.
  virtual void caught_up() {}
  // In how long the listener wants to be woken up though the program says nothing; nothing: never.
  virtual std::optional<Millis> wakes_in() const { return std::nullopt; }
  virtual void woken() {}
  // While true, silence is not idleness.
  virtual bool tool_in_flight() const { return false; }
};

struct Exit {
  enum class Kind {
    exited,       // by itself, with `status`
    signalled,    // by `signal`, not ours
    ended,        // by us: the listener had what it wanted
    timed_out,    // the whole call took too long
    idle,         // silent for too long
    stopped,      // stop was requested
    overdue,      // it might run only for so long, and nobody said in time that it may go on
    not_started,  // no such program, or not executable: see `error`
  };
  Kind kind = Kind::exited;
  int status = 0;
  int signal = 0;
  std::string output;  // stdout, bounded (its end is kept, and said to be one), valid UTF-8
  std::string error;   // stderr, the same; or why it did not start
  bool ok() const { return kind == Kind::exited && status == 0; }
};

// "exit status 1", "killed by signal 9", "no output for 5m": for messages.
std::string describe(const Exit& exit, const Spec& spec);

class Runner {
 public:
  virtual ~Runner() = default;
  // Returns when the whole tree is gone. Thread-safe: many at once, each on its own thread.
  virtual Exit run(const Spec& spec, Listener& listener, std::stop_token stop) = 0;
};

// For how long programs may run from now on, as far as that is known by now; nothing: for as long
// as they like, which stays so. Thread-safe, and never waits for long.
using Lasts = std::function<std::optional<Millis>()>;

// The real one. `guard`: the path of the agneto-guard program.
//
// Where programs may run only for a while, their trees have ended before it is over: KILL comes
// `reserve` before, and TERM the grace before that, which leaves six seconds of a lease of ten to
// renew it. The guard sees to that by itself, so it is so, too, where this process is stopped
// (SIGSTOP) or waits for something, and after the machine has slept. Who gets more time says so by
// what `lasts` returns, which is asked now and then.
class GuardedRunner : public Runner {
 public:
  static constexpr Millis reserve{1000};

  explicit GuardedRunner(std::filesystem::path guard, Lasts lasts = {})
      : guard_(std::move(guard)), lasts_(std::move(lasts)) {}
  Exit run(const Spec& spec, Listener& listener, std::stop_token stop) override;

 private:
  const std::filesystem::path guard_;
  const Lasts lasts_;
};

// Is this very process (not another with its pid) alive?
bool alive(ProcessId id);
ProcessId self();
// The guards that this process runs under, the nearest first.
std::vector<ProcessId> guards_above();
// What is left of a guard's tree, the guard included.
std::vector<int> left_of(ProcessId guard);
// Ends what is left of a guard's tree (by its session and process group); returns when it is gone.
void end_tree(ProcessId guard);

// Runs a short, trusted program to its end and keeps all it printed. No guard, no timeout.
// It has a session of its own: a terminal's Ctrl+C does not reach it, and it cannot ask there.
// Throws Error where it cannot be started.
// `held`: an open descriptor that the program has too, as 3: what is locked with it (`flock`) stays
// locked until the program has ended, even where this process is killed meanwhile.
// `late`: is called with its pid while the program has not ended, after half a second and then less
// and less often, at least every five seconds.
struct Captured {
  int status = 0;  // the exit status; 128 + N where signal N killed it
  int signal = 0;  // that; 0: none did
  std::string output;
  std::string error;
};
Captured capture(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                 const Environment& env = {}, std::string_view input = {}, int held = -1,
                 const std::function<void(int)>& late = {});

// Full path of a program on PATH; nothing if it is not there.
std::optional<std::filesystem::path> find_program(std::string_view name);

}  // namespace agneto::process
