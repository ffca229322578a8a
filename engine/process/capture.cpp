// Short, trusted programs: started directly, read to the end.
#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "process/process.h"
#include "process/spawn.h"
#include "process/streams.h"

namespace agneto::process {

using std::chrono::steady_clock;

Captured capture(const std::vector<std::string>& argv, const std::filesystem::path& cwd,
                 const Environment& env, std::string_view input, int held,
                 const std::function<void(int)>& late) {
  Pipe in = make_pipe(), out = make_pipe(), err = make_pipe();
  std::vector<int> fds = {in.read.get(), out.write.get(), err.write.get()};
  if (held >= 0) fds.push_back(held);
  pid_t pid = 0;
  try {
    pid = spawn({argv, cwd, env, fds});
  } catch (const std::system_error& error) {
    const int code = error.code().value();
    std::error_code ignored;
    throw Error(cwd.empty() || std::filesystem::is_directory(cwd, ignored)
                    ? start_failure(argv.front(), cwd, code)
                    : folder_failure(cwd, code));
  }
  in.read.reset();
  out.write.reset();
  err.write.reset();

  Captured result;
  std::string buffer;
  std::optional<Feed> feed(std::in_place, std::move(in.write), input);
  Millis pause{500};
  auto next = steady_clock::now() + pause;
  while (out.read || err.read) {
    if (late && steady_clock::now() >= next) {
      late(pid);
      pause = std::min(2 * pause, Millis(5000));
      next = steady_clock::now() + pause;
    }
    pollfd events[] = {
        {out.read.get(), POLLIN, 0}, {err.read.get(), POLLIN, 0}, {feed->fd(), POLLOUT, 0}};
    const auto left = std::chrono::ceil<Millis>(next - steady_clock::now());
    const auto at_most = late ? static_cast<int>(std::max<Millis::rep>(left.count(), 0)) : -1;
    if (poll(events, 3, at_most) <= 0) continue;
    if (events[0].revents) result.output += read_some(out.read, buffer);
    if (events[1].revents) result.error += read_some(err.read, buffer);
    if (events[2].revents) feed->advance();
  }
  feed.reset();  // it may wait for more
  const int status = wait_for(pid);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.status = result.signal != 0 ? 128 + result.signal : WEXITSTATUS(status);
  return result;
}

}  // namespace agneto::process
