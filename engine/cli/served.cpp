#include "cli/served.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "journal/lock.h"
#include "record/options.h"
#include "run/reader.h"
#include "serve/server.h"
#include "ui/json_lines.h"

namespace agneto::cli {
namespace {

// A server that was just started takes up runs by then.
constexpr Millis until_it_serves{10'000};
constexpr Millis between_server_looks{20};

// Starts one in a session of its own, which no terminal ends. Throws Error.
void start_server(const fs::path& folder) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (int descriptor : {0, 1, 2}) {
    posix_spawn_file_actions_addopen(&files, descriptor, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  std::array<std::string, 2> words = {"agneto", "serve"};
  std::array<char*, 3> arguments = {words[0].data(), words[1].data(), nullptr};
  pid_t process = 0;
  const int failed =
      posix_spawn(&process, program.c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) {
    throw Error(fmt::format("cannot start a server: {}", std::strerror(failed)),
                "start it in another terminal: agneto serve", ExitStatus::failed);
  }
  SystemClock clock;
  for (const Millis until = clock.elapsed() + until_it_serves; !serve::is_served(folder);) {
    if (clock.elapsed() >= until) {
      throw Error("the server that was started does not serve",
                  "see .agneto/log/agneto.log, or start it in a terminal: agneto serve",
                  ExitStatus::failed);
    }
    clock.sleep(between_server_looks, {});
  }
}

// One that is ending takes up nothing more: the next one is started once it has ended, unless
// somebody else is faster. False: there was one.
bool ensure_server(const fs::path& folder) {
  SystemClock clock;
  for (bool told = false; !serve::is_served(folder); clock.sleep(between_server_looks, {})) {
    if (!server_of(folder)) {
      start_server(folder);
      return true;
    }
    if (!std::exchange(told, true)) {
      fmt::print(stderr, "the server here is ending; another one is started once it has ended\n");
    }
  }
  return false;
}

ExitStatus say(const Context& context, Runs& runs, const std::string& run, const Handover& how) {
  if (how.json) {
    const bool is_served = !runs.lack_of(run);
    fmt::print("{}", ui::to_line({{"run", run}, {"status", "queued"}, {"served", is_served}}));
    return printed(ExitStatus::complete);
  }
  fmt::print("queued: {}\n", run);
  printed(ExitStatus::complete);  // before a server is started, which may fail
  if (how.start_server && ensure_server(context.folder)) {
    fmt::print("a server works here from now on (process {}); end it: agneto serve --stop\n",
               server_of(context.folder).value_or(0));
  }
  // One that was just started has not told the journal yet that it is there.
  const serve::Lack lack = how.start_server ? serve::Lack() : runs.lack_of(run);
  fmt::print("{}\n", lack ? lack.told("so that it waits") : "follow it: agneto log -f " + run);
  return printed(ExitStatus::complete);
}

}  // namespace

ExitStatus submit(const Context& context, const run::Request& request, const Handover& how) {
  const auto runs = runs_of(context);
  const run::Queued queued = runs->submit(request, how.priority);
  for (const std::string& remark : queued.remarks) fmt::print(stderr, "{}\n", printable(remark));
  return say(context, *runs, queued.run, how);
}

ExitStatus submit_again(const Context& context, const std::string& wanted, const Handover& how) {
  const auto runs = runs_of(context);
  const std::string run = runs->queue_again(wanted);
  return say(context, *runs, run, how);
}

bool is_for_server(const journal::RunRecord& run) {
  if (run.status == "queued" || run.status == "parked") return true;
  return run.status == "interrupted" &&
         run::readable([&] { return record::options_of(run).served; });
}

bool says_what_is_missing(Runs& runs, const journal::RunRecord& run) {
  if (!is_for_server(run)) return false;
  const serve::Lack lack = runs.lack_of(run.id);
  if (lack) fmt::print(stderr, "{}\n", lack.told("so that " + run.id + " waits"));
  return bool(lack);
}

}  // namespace agneto::cli
