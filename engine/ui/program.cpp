#include "ui/program.h"

#include <poll.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "agents/scratch.h"
#include "base/error.h"
#include "base/files.h"
#include "ui/screen.h"

namespace agneto::ui {
namespace fs = std::filesystem;

namespace {

constexpr int patience_ms = 20;
constexpr int not_found = 127;

// Remembers how a terminal is set and who owns it, and puts both back.
class TerminalState {
 public:
  explicit TerminalState(int terminal) : terminal_(terminal) {
    sigset_t output;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);  // a program in the background may take the terminal back
    pthread_sigmask(SIG_BLOCK, &output, &signals_);
    known_ = tcgetattr(terminal_, &settings_) == 0;
    ours_ = tcgetpgrp(terminal_) == getpgrp();
  }
  ~TerminalState() {
    if (ours_) tcsetpgrp(terminal_, getpgrp());
    if (known_) tcsetattr(terminal_, TCSADRAIN, &settings_);
    pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
  }
  bool ours() const { return ours_; }

 private:
  int terminal_;
  termios settings_{};
  sigset_t signals_{};
  bool known_ = false;
  bool ours_ = false;
};

}  // namespace

std::string Program::edit(const std::string& text, const std::string& file_name) const {
  agents::Scratch folder({{file_name, text}});
  const std::string file = folder.resolve("{files}/" + file_name);
  std::string editor = variable({"VISUAL", "EDITOR"}, "vi");
  const int status = run(editor, file);
  if (ended_()) {
    const auto files = fs::directory_iterator(fs::path(file).parent_path());
    const bool worked = std::distance(begin(files), end(files)) != 1 || Disk().read(file) != text;
    throw Error(
        "the editor was ended",
        worked ? "what it has kept is in '" + folder.keep().string() + "'" : "nothing was written");
  }
  if (status != 0) {
    throw Error(status == not_found ? "the editor '" + editor + "' cannot be started"
                                    : "the editor '" + editor + "' failed, its text is not taken",
                "set EDITOR to one that works here");
  }
  auto edited = Disk().read(file);
  if (!edited) throw Error("the editor '" + editor + "' left no text", "try again");
  return *edited;
}

bool Program::page(const std::string& text) const {
  const agents::Scratch folder({{"material.txt", text}});
  int status = run(variable({"PAGER"}, "less -R"), folder.resolve("{files}/material.txt"));
  return status != not_found && status != not_found - 1;
}

// The command may hold arguments, so the shell reads it; the file is $1.
int Program::run(const std::string& command, const std::string& file) const {
  std::string script = command + " \"$1\"";
  const char* argv[] = {"/bin/sh", "-c", script.c_str(), "sh", file.c_str(), nullptr};
  sigset_t none;
  sigemptyset(&none);
  TerminalState terminal(in_);

  pid_t pid = fork();
  if (pid < 0) return not_found;
  if (pid == 0) {  // only what is safe between fork and exec
    setpgid(0, 0);
    if (terminal.ours()) tcsetpgrp(in_, getpid());
    dup2(in_, STDIN_FILENO);
    dup2(out_, STDOUT_FILENO);
    pthread_sigmask(SIG_SETMASK, &none, nullptr);
    execv(argv[0], const_cast<char**>(argv));
    _exit(not_found);
  }
  setpgid(pid, pid);
  bool told = false;
  while (true) {
    int status = 0;
    pid_t changed = waitpid(pid, &status, WNOHANG | WUNTRACED);
    if (changed < 0 && errno != EINTR) return not_found;
    if (changed == pid && WIFEXITED(status)) return WEXITSTATUS(status);
    if (changed == pid && WIFSIGNALED(status)) return 128 + WTERMSIG(status);
    if (changed == pid && WIFSTOPPED(status)) kill(-pid, SIGCONT);  // there is no shell to stop to
    if (!told && ended_()) {
      told = true;
      kill(-pid, SIGHUP);
      kill(-pid, SIGTERM);
    }
    poll(nullptr, 0, patience_ms);
  }
}

}  // namespace agneto::ui
