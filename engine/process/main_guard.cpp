// agneto-guard: runs one program and ends its whole process tree, whatever happens to the engine.
// See guard_protocol.h. It allocates little, links nothing but libc and libstdc++, and is one file,
// so that it starts at once and has nothing to fail by.

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <utility>
#include <vector>

#include "guard_protocol.h"
#include "proc.h"

namespace {

using namespace agneto::process;
using guard::Report;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;

void report(Report::What what, int value) {
  const Report message{what, value};
  // Fails only where the engine is dead, which the control pipe tells us.
  [[maybe_unused]] auto written = write(guard::status_fd, &message, sizeof message);
}

// The living processes below this one. As the subreaper we are the ancestor of all of them, of
// daemons too.
std::vector<ProcStat> descendants() {
  std::vector<ProcStat> all = all_processes();
  std::set<int> tree{static_cast<int>(getpid())};
  std::vector<ProcStat> found;
  for (bool grown = true; grown;) {
    grown = false;
    for (const ProcStat& process : all) {
      if (!tree.contains(process.parent) || !tree.insert(process.pid).second) continue;
      if (!process.dead()) found.push_back(process);
      grown = true;
    }
  }
  return found;
}

class Guard {
 public:
  explicit Guard(milliseconds grace) : grace_(grace) {
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    fcntl(guard::control_fd, F_SETFD, FD_CLOEXEC);
    fcntl(guard::status_fd, F_SETFD, FD_CLOEXEC);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGCHLD);
    sigaddset(&heard, SIGTERM);
    signals_ = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
    timer_ = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  }

  // Returns false where it did not start, which is then reported.
  bool start(const char* folder, char** argv) {
    if (!hear_order()) return false;
    fcntl(guard::control_fd, F_SETFL, O_NONBLOCK);
    if (is_overdue()) return false;
    if (*folder && chdir(folder) != 0) {
      report(Report::What::bad_folder, errno);
      return false;
    }
    const auto me = read_stat(getpid());
    char mark[64];
    std::snprintf(mark, sizeof mark, "%d.%llu", getpid(),
                  static_cast<unsigned long long>(me ? me->start_time : 0));
    setenv(guard::mark, mark, 1);

    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0) {
      report(Report::What::not_started, errno);
      return false;
    }
    const pid_t self = getpid();
    program_ = fork();
    if (program_ == 0) exec(self, argv, failure[1]);
    int error = program_ < 0 ? errno : 0;
    close(failure[1]);
    if (program_ > 0 && read(failure[0], &error, sizeof error) != sizeof error) error = 0;
    close(failure[0]);
    // The pipes are the program's alone, or their readers would never see the end.
    const int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3; ++fd) dup2(null, fd);
    if (null > 2) close(null);
    if (error) {
      program_ = 0;
      report(Report::What::not_started, error);
    }
    return error == 0;
  }

  // Waits until the program exits, the engine wants its end, or its time is over.
  void watch() {
    while (program_ > 0) {
      pollfd events[] = {
          {guard::control_fd, POLLIN, 0}, {signals_, POLLIN, 0}, {timer_, POLLIN, 0}};
      if (poll(events, 3, -1) < 0) continue;
      while (events[0].revents && hear_order()) {
      }
      if (events[0].revents && errno != EAGAIN) return;
      if (events[1].revents && told_to_end()) return;
      reap();
      if (program_ > 0 && is_overdue()) return;
    }
  }

  // TERM to everything, once each; KILL to what is left after the grace, or when the time is over;
  // until nothing is left.
  void end_tree() {
    const auto deadline = SteadyClock::now() + grace_;
    std::set<std::pair<int, std::uint64_t>> told;
    while (reap()) {
      const bool kill_now =
          SteadyClock::now() >= deadline || (until_ > 0 && guard::now() >= until_);
      const std::vector<ProcStat> left = descendants();
      bool may_end = left.empty();
      for (const ProcStat& process : left) {
        if (!kill_now && !told.insert({process.pid, process.start_time}).second) {
          may_end = true;
          continue;
        }
        if (kill(process.pid, kill_now ? SIGKILL : SIGTERM) == 0 || errno != EPERM) may_end = true;
        if (!kill_now) kill(process.pid, SIGCONT);
      }
      if (!may_end) return;  // all that is left belongs to another user
      pollfd event{signals_, POLLIN, 0};
      const auto rest = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
      poll(&event, 1, kill_now ? 5 : static_cast<int>(std::clamp<long>(rest.count(), 1, 20)));
      told_to_end();
    }
  }

 private:
  [[noreturn]] static void exec(pid_t parent, char** argv, int failure) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    // A program that was written a moment ago may still be open in a process about to exec.
    for (int attempt = 0; attempt < 10; ++attempt) {
      execvp(argv[0], argv);
      if (errno != ETXTBSY) break;
      poll(nullptr, 0, 5);
    }
    const int error = errno;
    [[maybe_unused]] auto written = write(failure, &error, sizeof error);
    _exit(127);
  }

  // Collects the dead; false when no child, living or dead, is left.
  bool reap() {
    for (;;) {
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      if (pid == 0) return true;
      if (pid < 0) return errno == EINTR;
      if (pid != program_) continue;
      program_ = 0;
      if (WIFSIGNALED(status)) {
        report(Report::What::signalled, WTERMSIG(status));
      } else {
        report(Report::What::exited, WEXITSTATUS(status));
      }
    }
  }

  // False: there is none, and errno is EAGAIN; or the engine wants the end, or is dead.
  bool hear_order() {
    guard::Order order;
    errno = 0;
    if (read(guard::control_fd, &order, sizeof order) != sizeof order) return false;
    until_ = order.until;
    const std::int64_t then = until_ > 0 ? std::max<std::int64_t>(until_ - grace_.count(), 1) : 0;
    itimerspec time{};
    time.it_value.tv_sec = then / 1000;
    time.it_value.tv_nsec = then % 1000 * 1'000'000;
    timerfd_settime(timer_, TFD_TIMER_ABSTIME, &time, nullptr);
    return true;
  }

  // Is it time to end the tree? Then the engine is told.
  bool is_overdue() {
    if (until_ == 0 || guard::now() < until_ - grace_.count()) return false;
    report(Report::What::overdue, 0);
    return true;
  }

  // Empties the signals that arrived; was there a TERM?
  bool told_to_end() {
    bool end = false;
    signalfd_siginfo info;
    while (read(signals_, &info, sizeof info) == sizeof info) end |= info.ssi_signo == SIGTERM;
    return end;
  }

  milliseconds grace_;
  int signals_ = -1, timer_ = -1;
  std::int64_t until_ = 0;  // as guard::now() has it, the tree is to be gone; 0: no such time
  pid_t program_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || fcntl(guard::control_fd, F_GETFD) < 0 || fcntl(guard::status_fd, F_GETFD) < 0) {
    std::fputs("agneto-guard is started by agneto; it is of no use by itself\n", stderr);
    return 2;
  }
  Guard process(milliseconds(std::atol(argv[1])));
  if (process.start(argv[2], argv + 3)) process.watch();
  process.end_tree();
  return 0;
}
