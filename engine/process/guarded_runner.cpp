// The engine's side of agneto-guard: one poll loop feeds, hears, times and ends a program.
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "process/guard_protocol.h"
#include "process/leave.h"
#include "process/proc.h"
#include "process/process.h"
#include "process/spawn.h"
#include "process/streams.h"

namespace agneto::process {

namespace {

using SteadyClock = std::chrono::steady_clock;

// A guard and what it guards. Its end, however it comes, is the end of the tree.
class Guarded {
 public:
  Guarded(const std::filesystem::path& guard, const Spec& spec, const Lasts& lasts)
      : grace_(spec.grace), patience_(spec.grace + spec.patience), lasts_(lasts) {
    Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
    Pipe control = make_pipe(), status = make_pipe();
    Launch launch;
    launch.argv = {guard.string(), std::to_string(spec.grace.count()), spec.cwd.string()};
    launch.argv.insert(launch.argv.end(), spec.argv.begin(), spec.argv.end());
    launch.env = spec.env;
    launch.inherits = spec.inherits;
    launch.fds = {in.read.get(), out.write.get(), err.write.get(), control.read.get(),
                  status.write.get()};
    try {
      pid_ = spawn(launch);
    } catch (const std::system_error& error) {
      const int code = error.code().value();
      if (code == E2BIG) throw Error(start_failure(spec.argv.front(), spec.cwd, code));
      throw Error(start_failure(guard.string(), {}, code) +
                  " (it is part of agneto; install it again)");
    }
    if (auto stat = read_stat(pid_)) id_ = {pid_, stat->start_time};
    input = std::move(in.write);
    output = std::move(out.read);
    errors = std::move(err.read);
    reports = std::move(status.read);
    control_ = std::move(control.write);
    for (const Fd* fd : {&output, &errors, &reports, &control_}) set_nonblocking(*fd);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;
  ~Guarded() {
    // What still writes must not block for want of a reader.
    output.reset();
    errors.reset();
    wait();
  }

  ProcessId id() const { return id_; }
  void start_program() {
    if (const auto lasts = lasts_ ? lasts_() : std::nullopt) {
      leave_.emplace(control_.get(), pid_, grace_, lasts_, *lasts);
    } else {
      write_order(control_.get(), {});
    }
  }
  // Begins the end of the tree; once more does no harm.
  void end() {
    if (!control_) return;
    deadline_ = SteadyClock::now() + patience_;
    if (leave_) deadline_ = std::min(*deadline_, leave_->end());
    control_.reset();
  }
  bool ending() const { return !control_; }
  // By then the tree must have ended.
  std::optional<SteadyClock::time_point> deadline() const { return deadline_; }
  // Kills the guard where it is late: it is a process that its program can stop. What is left of
  // the tree is ended without it.
  void kill_if_late() const {
    if (deadline_ && SteadyClock::now() >= *deadline_) kill(pid_, SIGKILL);
  }
  // Waits until nothing of the tree is left.
  void wait() {
    if (pid_ == 0) return;
    end();
    siginfo_t exited{};
    while (waitid(P_PID, static_cast<id_t>(pid_), &exited, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           exited.si_pid == 0) {
      kill_if_late();
      std::this_thread::sleep_for(Millis(1));
    }
    const int status = wait_for(std::exchange(pid_, 0));
    if (!WIFEXITED(status)) end_tree(id_);
  }

  Fd input, output, errors, reports;

 private:
  pid_t pid_ = 0;
  ProcessId id_;
  Fd control_;
  const Millis grace_, patience_;
  const Lasts& lasts_;
  std::optional<Leave> leave_;
  std::optional<SteadyClock::time_point> deadline_;
};

class Supervision {
 public:
  Supervision(const std::filesystem::path& guard, const Spec& spec, const Lasts& lasts,
              Listener& listener)
      : spec_(spec),
        listener_(listener),
        guarded_(guard, spec, lasts),
        feed_(std::move(guarded_.input), spec.input),
        output_(guarded_.output, spec),
        errors_(guarded_.errors, spec) {}

  Exit run(std::stop_token stop) {
    log::info("process started", {{"program", spec_.argv.front()}, {"pid", guarded_.id().pid}});
    listener_.started(guarded_.id());
    const Fd stop_event = make_event();
    const std::stop_callback wake(stop, [&] { eventfd_write(stop_event.get(), 1); });
    started_ = heard_ = SteadyClock::now();
    if (!stop.stop_requested()) guarded_.start_program();
    while (guarded_.reports) {
      wait_for_something(stop_event);
      if (stop.stop_requested()) end(Exit::Kind::stopped);
      end_if_late();
      guarded_.kill_if_late();
    }
    guarded_.wait();
    // Nobody is left to write; what was written is still to be read.
    while (guarded_.output && hear(output_)) {
    }
    while (guarded_.errors && hear(errors_)) {
    }
    for (Output* each : {&output_, &errors_}) {
      each->lines.end([&](std::string_view line) { take(line, *each); });
    }
    listener_.caught_up();
    return result();
  }

 private:
  using Kind = Exit::Kind;

  // The program's stdout or stderr.
  struct Output {
    Output(Fd& fd, const Spec& spec) : fd(fd), lines(spec.max_line), kept(spec.max_output) {}

    Fd& fd;
    LineSplitter lines;
    Tail kept;
  };

  void wait_for_something(const Fd& stop_event) {
    pollfd events[] = {
        {guarded_.reports.get(), POLLIN, 0},
        {guarded_.output.get(), POLLIN, 0},
        {guarded_.errors.get(), POLLIN, 0},
        {feed_.fd(), POLLOUT, 0},
        {guarded_.ending() ? -1 : stop_event.get(), POLLIN, 0},
    };
    if (poll(events, std::size(events), time_left()) < 0) return;
    if (const auto wakes = listener_.wakes_in(); wakes && *wakes <= Millis(0)) listener_.woken();
    if (events[1].revents) hear(output_);
    if (events[2].revents) hear(errors_);
    if (events[3].revents && feed_.advance()) heard_ = SteadyClock::now();
    if (events[0].revents) hear_guard();
  }

  // How many milliseconds `poll` may wait for a limit, or the listener; -1: there is none.
  int time_left() const {
    std::optional<SteadyClock::time_point> next = guarded_.deadline();
    const auto limit = next_limit();
    if (limit && (!next || limit->first < *next)) next = limit->first;
    if (const auto wakes = listener_.wakes_in()) {
      const auto then = SteadyClock::now() + *wakes;
      if (!next || then < *next) next = then;
    }
    if (!next) return -1;
    const auto left = std::chrono::ceil<Millis>(*next - SteadyClock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1 << 30));
  }

  std::optional<std::pair<SteadyClock::time_point, Kind>> next_limit() const {
    std::optional<std::pair<SteadyClock::time_point, Kind>> next;
    if (ended_ || report_) return next;
    if (spec_.timeout.count() > 0) next = {started_ + spec_.timeout, Kind::timed_out};
    if (spec_.idle.count() > 0 && !listener_.tool_in_flight()) {
      const auto idle = heard_ + spec_.idle;
      if (!next || idle < next->first) next = {idle, Kind::idle};
    }
    return next;
  }

  void end_if_late() {
    const auto limit = next_limit();
    if (limit && SteadyClock::now() >= limit->first) end(limit->second);
  }

  void end(Kind why) {
    if (!ended_ && !report_) ended_ = why;
    guarded_.end();
  }

  // Returns false where there is nothing to read now.
  bool hear(Output& from) {
    const std::string_view text = read_some(from.fd, buffer_);
    if (text.empty()) return false;
    heard_ = SteadyClock::now();
    from.kept.add(text);
    from.lines.add(text, [&](std::string_view line) { take(line, from); });
    if (&from == &output_) listener_.caught_up();
    return true;
  }

  void take(std::string_view line, const Output& from) {
    if (!wanted_) return;
    if (&from == &errors_) {
      listener_.error_line(line);
    } else if (!listener_.line(line)) {
      // What the program did meanwhile, or we because it was late, no longer matters.
      wanted_ = false;
      ended_ = Kind::ended;
      guarded_.end();
    }
  }

  void hear_guard() {
    guard::Report report;
    const ssize_t size = read(guarded_.reports.get(), &report, sizeof report);
    if (size == sizeof report && report.what == guard::Report::What::overdue) {
      end(Kind::overdue);
    } else if (size == sizeof report) {
      report_ = report;
    } else if (size >= 0 || (errno != EAGAIN && errno != EINTR)) {
      guarded_.reports.reset();
    }
  }

  Exit result() const {
    Exit exit;
    exit.output = output_.kept.text();
    exit.error = errors_.kept.text();
    if (ended_) {
      exit.kind = *ended_;
      return exit;
    }
    if (!report_) {  // the guard itself was killed, and its program with it
      exit.kind = Kind::signalled;
      exit.signal = SIGKILL;
      return exit;
    }
    switch (report_->what) {
      case guard::Report::What::exited:
        exit.status = report_->value;
        break;
      case guard::Report::What::signalled:
        exit.kind = Kind::signalled;
        exit.signal = report_->value;
        break;
      case guard::Report::What::bad_folder:
        exit.kind = Kind::not_started;
        exit.error = folder_failure(spec_.cwd, report_->value);
        break;
      case guard::Report::What::not_started:
        exit.kind = Kind::not_started;
        exit.error = start_failure(spec_.argv.front(), spec_.cwd, report_->value);
        break;
      case guard::Report::What::overdue:  // is no end of a program
        break;
    }
    return exit;
  }

  const Spec& spec_;
  Listener& listener_;
  Guarded guarded_;
  Feed feed_;
  Output output_, errors_;
  std::string buffer_;
  bool wanted_ = true;
  std::optional<Kind> ended_;            // by us, and why
  std::optional<guard::Report> report_;  // how the program ended
  SteadyClock::time_point started_, heard_;
};

void note_end(const Exit& exit, const Spec& spec) {
  const log::Fields fields = {{"program", spec.argv.front()}, {"how", describe(exit, spec)}};
  if (exit.ok() || exit.kind == Exit::Kind::ended || exit.kind == Exit::Kind::stopped) {
    log::info("process ended", fields);
  } else {
    log::warning("process ended", fields);
  }
}

}  // namespace

Exit GuardedRunner::run(const Spec& spec, Listener& listener, std::stop_token stop) {
  Exit failed;
  failed.kind = Exit::Kind::not_started;
  if (spec.argv.empty() || spec.argv.front().empty()) {
    failed.error = "there is no program to run";
    return failed;
  }
  std::optional<Supervision> supervision;
  try {
    supervision.emplace(guard_, spec, lasts_, listener);
  } catch (const Error& error) {
    failed.error = error.what();
    log::warning("process not started", {{"program", spec.argv.front()}, {"error", failed.error}});
    return failed;
  }
  Exit exit = supervision->run(std::move(stop));
  note_end(exit, spec);
  return exit;
}

}  // namespace agneto::process
