#include "ui/terminal_human.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <cstdlib>

#include "base/files.h"
#include "ui/console.h"
#include "ui/material.h"

extern char** environ;

namespace agneto::ui {
namespace {

constexpr int preview_lines = 40;

// Runs an interactive program (editor, pager) on this terminal and waits. The command comes from
// the user's own EDITOR or PAGER, which may hold arguments: the shell reads it, the file is $1.
bool run_on_terminal(const std::string& command, const fs::path& file) {
  std::string script = command + " \"$1\"";
  std::string path = file.string();
  const char* argv[] = {"/bin/sh", "-c", script.c_str(), "sh", path.c_str(), nullptr};
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  int failed = posix_spawn(&pid, argv[0], nullptr, &attributes, const_cast<char**>(argv), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed) return false;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string variable(std::initializer_list<const char*> names, const char* otherwise) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name); value && *value) return value;
  }
  return otherwise;
}

// A private file that is gone with this object.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text) {
    std::string folder = (fs::temp_directory_path() / "agneto-XXXXXX").string();
    if (!mkdtemp(folder.data())) return;
    path_ = fs::path(folder) / name;
    write_file(path_, text);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_.parent_path(), ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// The key of each option: the first letter of its label that is still free, else a number.
std::vector<char> keys_of(const chart::AskHuman& question) {
  std::string taken = "vde";
  std::vector<char> keys;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    char key = 0;
    for (char c : question.options[i].label) {
      char lower = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      if (std::isalpha(static_cast<unsigned char>(lower)) &&
          taken.find(lower) == std::string::npos) {
        key = lower;
        break;
      }
    }
    if (!key) key = static_cast<char>('1' + static_cast<int>(i));
    taken += key;
    keys.push_back(key);
  }
  return keys;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const chart::AskHuman::Option* editable_option(const chart::AskHuman& question) {
  for (const auto& option : question.options) {
    if (option.edit) return &option;
  }
  return nullptr;
}

// By key, number or name.
const chart::AskHuman::Option* chosen(const chart::AskHuman& question,
                                      const std::vector<char>& keys, const std::string& typed) {
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    bool by_key = typed.size() == 1 && typed[0] == keys[i];
    if (by_key || typed == std::to_string(i + 1) || typed == lower(question.options[i].name)) {
      return &question.options[i];
    }
  }
  return nullptr;
}

}  // namespace

TerminalHuman::TerminalHuman(Screen& screen)
    : screen_(screen), wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), thread_([this] { work(); }) {}

TerminalHuman::~TerminalHuman() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
    abandon_ = true;
  }
  wake();
  thread_.join();
  close(wake_);
}

void TerminalHuman::ask(const run::Question& question, std::function<void(run::Answer)> answer) {
  std::lock_guard lock(mutex_);
  questions_.push_back({question, std::move(answer)});
  news_.notify_all();
}

void TerminalHuman::withdraw(const std::string& path) {
  std::lock_guard lock(mutex_);
  if (!questions_.empty() && questions_.front().question.ask.path == path) abandon_ = true;
  std::erase_if(questions_, [&](const Pending& p) { return p.question.ask.path == path; });
  wake();
}

void TerminalHuman::interrupted(std::function<void(run::Interrupt)> answer) {
  std::lock_guard lock(mutex_);
  interrupt_ = std::move(answer);
  abandon_ = true;
  wake();
}

void TerminalHuman::wake() {
  std::uint64_t one = 1;
  [[maybe_unused]] auto written = write(wake_, &one, sizeof one);
  news_.notify_all();
}

void TerminalHuman::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    news_.wait(lock, [&] { return stop_ || interrupt_ || !questions_.empty(); });
    if (stop_) return;
    std::uint64_t drained = 0;
    [[maybe_unused]] auto got = read(wake_, &drained, sizeof drained);
    abandon_ = false;
    if (interrupt_) {
      auto answer = std::exchange(interrupt_, nullptr);
      lock.unlock();
      auto chosen = put_interrupt();
      lock.lock();
      if (chosen) answer(*chosen);
      continue;
    }
    run::Question question = questions_.front().question;
    lock.unlock();
    auto answer = put(question);
    lock.lock();
    bool still_asked =
        !questions_.empty() && questions_.front().question.ask.path == question.ask.path;
    if (!answer || !still_asked) continue;
    auto give = std::move(questions_.front().answer);
    questions_.pop_front();
    give(std::move(*answer));
  }
}

std::optional<run::Answer> TerminalHuman::put(const run::Question& question) {
  screen_.hold();
  auto answer = choose(question);
  screen_.release();
  return answer;
}

std::optional<run::Answer> TerminalHuman::choose(const run::Question& question) {
  const chart::AskHuman& ask = question.ask;
  Material material = summarise(ask.show, screen_, preview_lines);
  std::string diff = summarise(question.diff, screen_, preview_lines).text;
  screen_.write("\n" + screen_.paint(Color::dim, "── " + readable_path(ask.path) + " ──") + "\n");
  if (!material.text.empty()) screen_.write(material.text + "\n");
  if (!diff.empty()) screen_.write(diff + "\n");
  screen_.write(screen_.paint(Color::magenta, "👤 " + printable(ask.question)) + "\n");

  if (ask.text != model::Need::none) return words_only(ask);

  auto keys = keys_of(ask);
  const auto* editable = editable_option(ask);
  std::optional<std::string> edited;
  while (true) {
    for (std::size_t i = 0; i < ask.options.size(); ++i) {
      offer(keys[i], printable(ask.options[i].label) + "  " +
                         screen_.paint(Color::dim, ask.options[i].name));
    }
    if (editable) offer('e', edited ? "Edit it again" : "Edit it first");
    if (!ask.show.empty()) {
      offer('v', material.cut ? "View all of it (more than is shown)" : "View it in a pager");
    }
    if (!diff.empty()) offer('d', "View the diff");
    auto line = read_line("> ");
    if (!line) return std::nullopt;
    std::string typed = lower(std::string(trim(*line)));
    if (typed == "v" && !ask.show.empty()) {
      page(ask.show);
    } else if (typed == "d" && !diff.empty()) {
      page(question.diff);
    } else if (typed == "e" && editable) {
      if (auto text = edit(edited.value_or(*editable->edit), "edit.md")) edited = std::move(text);
    } else if (const auto* option = chosen(ask, keys, typed)) {
      auto answer = complete(*option);
      if (answer && option->edit && edited != option->edit) answer->edited = edited;
      if (answer || abandoned()) return answer;
    } else if (!typed.empty()) {
      screen_.write("  '" + printable(typed) + "' is none of these; type a key or a name.\n");
    }
  }
}

std::optional<run::Answer> TerminalHuman::words_only(const chart::AskHuman& ask) {
  bool required = ask.text == model::Need::required;
  while (true) {
    auto words = read_words(required ? "Your answer" : "Your answer, may be empty");
    if (!words) return std::nullopt;
    if (!required || !trim(*words).empty()) return run::Answer{"", *words, std::nullopt};
  }
}

// The option with the words it asks for; nothing where they were not given.
std::optional<run::Answer> TerminalHuman::complete(const chart::AskHuman::Option& option) {
  run::Answer answer{option.name, "", std::nullopt};
  if (option.feedback == model::Need::none) return answer;
  bool required = option.feedback == model::Need::required;
  auto words = read_words(required ? "What should change" : "Anything to say, may be empty");
  if (!words) return std::nullopt;
  if (required && trim(*words).empty()) {
    screen_.write("  " + option.name + " needs words.\n");
    return std::nullopt;
  }
  answer.feedback = *words;
  return answer;
}

void TerminalHuman::offer(char key, const std::string& text) {
  screen_.write(
      fmt::format("  {}  {}\n", screen_.paint(Color::bold, fmt::format("[{}]", key)), text));
}

bool TerminalHuman::abandoned() {
  std::lock_guard lock(mutex_);
  return abandon_;
}

std::optional<run::Interrupt> TerminalHuman::put_interrupt() {
  using Kind = run::Interrupt::Kind;
  screen_.hold();
  std::optional<run::Interrupt> chosen;
  while (!chosen) {
    screen_.write(
        "\n" + screen_.paint(Color::yellow, "Paused. What now?") +
        "\n  [c]  Continue\n  [i]  Instruct: add words for the next agent\n"
        "  [s]  Suspend: stop here, resume later\n  [a]  Abort: end the run, keep the branch\n");
    auto line = read_line("> ");
    if (!line) break;
    std::string typed = lower(std::string(trim(*line)));
    if (typed == "c" || typed == "continue") chosen = {Kind::resume, ""};
    if (typed == "s" || typed == "suspend") chosen = {Kind::suspend, ""};
    if (typed == "a" || typed == "abort") chosen = {Kind::abort, ""};
    if (typed == "i" || typed == "instruct") {
      auto words = read_words("Tell the next agent");
      if (!words) break;
      if (!trim(*words).empty()) chosen = {Kind::instruct, *words};
    }
  }
  screen_.release();
  return chosen;
}

// A line as the terminal edits it; nothing where the question is to be left, or the terminal is
// gone.
std::optional<std::string> TerminalHuman::read_line(const std::string& prompt) {
  screen_.write(prompt);
  std::string line;
  while (true) {
    pollfd wait[] = {{STDIN_FILENO, POLLIN, 0}, {wake_, POLLIN, 0}};
    if (poll(wait, 2, -1) < 0) continue;
    if (wait[1].revents) {
      std::lock_guard lock(mutex_);
      if (abandon_) {
        screen_.write("\n");
        return std::nullopt;
      }
      std::uint64_t drained = 0;
      [[maybe_unused]] auto got = read(wake_, &drained, sizeof drained);
      continue;
    }
    char buffer[4096];
    ssize_t got = read(STDIN_FILENO, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {
      screen_.write("\n");
      kill(getpid(), SIGHUP);  // nobody is there any more: the run is suspended
      std::unique_lock lock(mutex_);
      news_.wait(lock, [&] { return abandon_; });
      return std::nullopt;
    }
    line.append(buffer, static_cast<std::size_t>(got));
    if (line.ends_with('\n')) {
      line.pop_back();
      return valid_utf8(line);
    }
  }
}

std::optional<std::string> TerminalHuman::read_words(const std::string& what) {
  auto line = read_line(fmt::format("  {} (one line; 'e' opens your editor): ", what));
  if (!line || trim(*line) != "e") return line;
  auto text = edit("", "words.md");
  return text ? text : std::string();
}

std::optional<std::string> TerminalHuman::edit(const std::string& text, const std::string& name) {
  TemporaryFile file(name, text);
  if (!run_on_terminal(variable({"VISUAL", "EDITOR"}, "vi"), file.path())) {
    screen_.write("  The editor failed; set EDITOR to one that works here.\n");
    return std::nullopt;
  }
  return Disk().read(file.path());
}

void TerminalHuman::page(const std::string& text) {
  TemporaryFile file("material.txt", printable(text));
  run_on_terminal(variable({"PAGER"}, "less -R"), file.path());
}

}  // namespace agneto::ui
