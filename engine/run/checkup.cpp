#include "run/checkup.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "agents/tools.h"
#include "base/error.h"
#include "base/text.h"
#include "model/packages.h"
#include "run/leftovers.h"
#include "run/prepare.h"
#include "run/sandbox/sandbox.h"
#include "script/hooks.h"
#include "workspace/inspect.h"
#include "workspace/locks.h"
#include "workspace/workspace.h"

namespace agneto::run {

namespace {

constexpr Millis patience{10'000};  // for a program to answer
constexpr std::uintmax_t least_room = 100 << 20;

// "2.39.5" in "git version 2.39.5 (Debian)"; empty where there is none.
std::string version_in(std::string_view text) {
  const auto is_part = [](char c) { return (c >= '0' && c <= '9') || c == '.'; };
  const auto begin =
      std::find_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  const auto end = std::find_if_not(begin, text.end(), is_part);
  return std::string(begin, end);
}

bool at_least(std::string_view version, int major, int minor) {
  int found_major = 0, found_minor = 0;
  const char* end = version.data() + version.size();
  const auto [dot, error] = std::from_chars(version.data(), end, found_major);
  if (error == std::errc() && dot != end) std::from_chars(dot + 1, end, found_minor);
  return found_major > major || (found_major == major && found_minor >= minor);
}

const std::string no_answer = fmt::format("did not answer in {} s", patience.count() / 1000);

std::string try_it(const std::string& command) {
  return "try it by hand: " + command;
}

process::Exit ask(const std::vector<std::string>& argv, const fs::path& folder,
                  process::Runner& runner, const std::stop_token& stop = {}) {
  process::Spec spec;
  spec.argv = argv;
  spec.cwd = folder;
  spec.timeout = patience;
  process::Listener quiet;
  return runner.run(spec, quiet, stop);
}

bool is_late(const process::Exit& exit) {
  return exit.kind == process::Exit::Kind::timed_out;
}

// The first line that it printed; empty where it failed.
std::string first_line(const process::Exit& exit) {
  if (!exit.ok()) return {};
  return std::string(trim(exit.output.substr(0, exit.output.find('\n'))));
}

// Credentials are JSON, in which a token stands somewhere.
bool holds_text(const Json& json) {
  if (json.is_string()) return !json.get_ref<const std::string&>().empty();
  return json.is_structured() && std::any_of(json.begin(), json.end(), holds_text);
}

class Checkup {
 public:
  Checkup(const fs::path& folder, const Resources& resources, const Surroundings& surroundings)
      : folder_(folder), resources_(resources), around_(surroundings), home_(home_of(folder)) {}

  std::vector<Finding> all() {
    program();
    git();
    const std::optional<Config> config = configuration();
    agents(config.value_or(Config()));
    sandbox(config.value_or(Config()).sandbox);
    packages();
    journal();
    left_over();
    locks();
    room();
    return std::move(findings_);
  }

 private:
  void well(std::string about, std::string what, std::string help = "") {
    findings_.push_back({std::move(about), false, std::move(what), std::move(help)});
  }
  void wrong(std::string about, std::string what, std::string help) {
    findings_.push_back({std::move(about), true, std::move(what), std::move(help)});
  }

  process::Exit ask(const std::vector<std::string>& argv) {
    return run::ask(argv, folder_, around_.runner);
  }

  void program() {
    if (::access(resources_.guard.c_str(), X_OK) != 0) {
      wrong("agneto", resources_.guard.string() + " is missing: it ends what agents leave running",
            "install agneto anew");
    } else {
      well("agneto", "its workflows and scripts are in " + resources_.share.string());
    }
  }

  void git() {
    if (!process::find_program("git")) {
      return wrong("git", "is not installed", "on Debian or Ubuntu: sudo apt install git");
    }
    const process::Exit exit = ask({"git", "--version"});
    if (is_late(exit)) return wrong("git", "'git --version' " + no_answer, try_it("git --version"));
    const std::string version = version_in(first_line(exit));
    if (at_least(version, 2, 38)) {
      well("git", version);
    } else {
      wrong("git", (version.empty() ? "says no version" : version) + ", and 2.38 is needed",
            "install a newer one");
    }
    try {
      require_git_answers(folder_, around_.runner);
      well("repository", workspace::find_repository(folder_).string());
    } catch (const Error& error) {
      wrong("repository", error.what(), error.help());
    }
  }

  void sandbox(const SandboxSettings& settings) {
    if (!settings.is_on()) {
      return well("sandbox", "none: agents and programs have your rights",
                  "write 'sandbox: bubblewrap' into .agneto/config.yaml; see docs/security.md");
    }
    try {
      SandboxedRunner(around_.runner, settings, {}, Disk(), sandbox_folders(folder_, resources_));
      well("sandbox",
           settings.driver + ", with " + (settings.network ? "the network" : "no network"));
    } catch (const Error& error) {
      wrong("sandbox", error.what(), error.help());
    }
  }

  std::optional<Config> configuration() {
    const fs::path file = config_file(checkout_of(folder_));
    const Disk disk;
    Diagnostics diagnostics;
    Config config = load_config(file, disk, diagnostics);
    if (!config.source && diagnostics.empty()) {
      well("configuration", "none: every agent has the first CLI that is there");
      return std::nullopt;
    }
    check_providers(config, disk, provider_folders(folder_, resources_), diagnostics);
    if (diagnostics.has_errors()) {
      const std::string text = render(diagnostics);
      wrong("configuration", text.substr(0, text.find('\n')), "correct " + file.string());
      return std::nullopt;
    }
    well("configuration", file.string());
    return config;
  }

  // Those that the configuration names must work; of the others one must be there.
  void agents(const Config& config) {
    std::set<std::string> wanted;
    const auto want = [&](const AgentSettings& settings) {
      if (!settings.provider.empty() && settings.provider != "auto") {
        wanted.insert(settings.provider);
      }
    };
    want(config.all);
    for (const auto& [name, settings] : config.agents) want(settings);
    for (const auto& [name, own] : config.workflows) {
      want(own.all);
      for (const auto& [agent, settings] : own.agents) want(settings);
    }

    bool any = false;
    for (const agents::Tool& tool : agents::known_tools()) {
      const bool there = process::find_program(tool.program).has_value();
      any = any || there;
      if (there) {
        tool_is_there(tool, config.options_of(tool.program));
      } else if (wanted.contains(tool.program)) {
        wrong(tool.program, "is configured, but not on PATH", "install it: " + tool.install);
      } else {
        well(tool.program, "not installed");
      }
      wanted.erase(tool.program);
    }
    const Disk disk;
    for (const std::string& name : wanted) {
      try {
        agents::resolve_provider(name, disk, provider_folders(folder_, resources_),
                                 config.providers);
        any = true;
        if (name == "command") {
          own_program(config.options_of(name).at("argv"));
        } else {
          well(name, "the driver is there");
        }
      } catch (const Error& error) {
        wrong(name, error.what(), error.help());
      } catch (const script::HookError& error) {
        wrong(name, error.what(), "correct the driver");
      }
    }
    if (any) return;
    wrong("agents", "there is none",
          "install one, for example with: " + agents::known_tools().front().install);
  }

  void tool_is_there(const agents::Tool& tool, const Json& options) {
    const std::string command = tool.program + " --version";
    const process::Exit exit = ask({tool.program, "--version"});
    if (is_late(exit)) {
      return wrong(tool.program, "'" + command + "' " + no_answer, try_it(command));
    }
    if (!exit.ok()) {
      return wrong(tool.program, "'" + command + "' fails", "install it anew: " + tool.install);
    }
    const SignIn found = sign_in_of(tool, options);
    if (found.by.empty()) {
      const std::string but = found.useless.empty() ? "" : ": " + found.useless;
      well(tool.program, first_line(exit) + "; nothing shows that somebody is signed in" + but,
           tool.sign_in);
    } else {
      well(tool.program, first_line(exit) + "; as far as one can tell, signed in by " + found.by);
    }
  }

  struct SignIn {
    std::string by;       // what shows it; empty: nothing does
    std::string useless;  // what should show it, and why it does not
  };

  SignIn sign_in_of(const agents::Tool& tool, const Json& options) const {
    for (const std::string& key : tool.keys) {
      if (around_.variable(key).value_or("") != "") return {key, {}};
      if (options.contains("env") && options["env"].contains(key)) {
        return {key + " (configured)", {}};
      }
    }
    SignIn found;
    for (const std::string& file : tool.files) {
      const auto text = Disk().read(around_.home / file);
      if (!text) continue;
      if (holds_text(Json::parse(*text, nullptr, false))) return {"~/" + file, {}};
      found.useless = "~/" + file + (trim(*text).empty() ? " is empty" : " holds no credentials");
    }
    return found;
  }

  // The program that the provider `command` is told to run.
  void own_program(const Json& argv) {
    const std::string program = argv.front();
    if (program.find('/') == program.npos) {
      if (process::find_program(program)) return well("command", "'" + program + "' is there");
      return wrong("command", "'" + program + "' is not on PATH",
                   "install it, or correct 'argv' in the configuration");
    }
    // A call runs in a worktree of it.
    const fs::path file = (checkout_of(folder_) / program).lexically_normal();
    std::error_code none;
    if (!fs::is_regular_file(file, none)) {
      wrong("command", "there is no file " + file.string(),
            "write it, or correct 'argv' in the configuration");
    } else if (::access(file.c_str(), X_OK) != 0) {
      wrong("command", file.string() + " is not executable", "chmod +x " + file.string());
    } else {
      well("command", "'" + program + "' is there");
    }
  }

  // Those of the team, as their lock has them, and with the programs that they need.
  void packages() {
    const fs::path root = checkout_of(folder_) / ".agneto";
    const Disk disk;
    auto text = disk.read(model::lock_of(root));
    if (!text) return;
    Diagnostics unheard;  // what is wrong with the lock is wrong with each package
    const auto source =
        std::make_shared<const Source>(model::lock_of(root).string(), std::move(*text));
    model::Packages known(disk);
    std::vector<std::string> names;
    for (const model::Package& package : model::read_lock(source, unheard)) {
      names.push_back(package.name);
      const auto& found = known.find(root, package.name);
      if (!found.problem.empty()) {
        wrong("package " + package.name, found.problem, found.help);
      } else {
        needs(package.name, found.folder);
      }
    }
    well("packages", names.empty() ? "none" : join(names, ", "));
  }

  void needs(const std::string& package, const fs::path& folder) {
    Diagnostics unheard;
    const fs::path file = folder / "package.yaml";
    const auto source =
        std::make_shared<const Source>(file.string(), Disk().read(file).value_or(""));
    for (const std::string& program : model::read_package(source, unheard).programs) {
      if (process::find_program(program)) continue;
      wrong("package " + package, "needs '" + program + "', which is not on PATH", "install it");
    }
  }

  void journal() {
    std::int64_t ended = 0, others = 0;
    try {
      const auto journal = journal_of(folder_);
      const auto runs = journal ? journal->list({.most = 1}) : std::vector<journal::RunRecord>();
      if (runs.empty()) return well("journal", "no runs yet");
      const auto faults = journal->diagnose(runs.front().id).faults;
      if (!faults.empty()) {
        return wrong("journal", faults.front().what, "see 'agneto doctor " + runs.front().id + "'");
      }
      for (const char* status : journal::ended_statuses) ended += journal->count(status);
      for (const char* status : journal::open_statuses) others += journal->count(status);
    } catch (const Error& error) {
      return wrong("journal", error.what(), error.help());
    }
    const std::int64_t all = ended + others;
    well("journal", fmt::format("{} {}, {} not ended", all, all == 1 ? "run" : "runs", others));
  }

  void left_over() {
    std::vector<std::string> names;
    try {
      const auto journal = journal_of(folder_);
      if (!journal) return;
      for (auto& left : leftovers(home_, home_ / ".agneto", *journal)) {
        names.push_back(std::move(left.run));
      }
    } catch (const Error&) {
      return;  // what is wrong with git or the journal is said already
    }
    if (names.empty()) return;
    wrong("leftovers", "of runs that the journal does not know: " + join(names, ", "),
          "agneto clean " + join(names, " "));
  }

  void locks() {
    std::vector<std::string> files;
    try {
      if (!workspace::is_repository(folder_)) return;
      for (const auto& lock : workspace::stale_locks(folder_)) files.push_back(lock.string());
    } catch (const Error&) {
      return;  // what is wrong with the repository is said already
    }
    if (files.empty()) return;
    wrong("locks", "a git that was killed has left " + join(files, ", "),
          std::string("where no git is at work, remove ") + (files.size() == 1 ? "it" : "them"));
  }

  void room() {
    const fs::path home = fs::exists(home_ / ".agneto") ? home_ / ".agneto" : home_;
    if (::access(home.c_str(), W_OK) != 0) {
      return wrong("disk", home.string() + " cannot be written",
                   "look at whose it is: ls -ld " + home.string());
    }
    std::error_code none;
    const auto space = fs::space(home, none);
    const std::string free = fmt::format("{} MB are free", space.available >> 20);
    if (!none && space.available < least_room) {
      wrong("disk", free, "make room: 'agneto clean --ended' takes away what runs left");
    } else {
      well("disk", free);
    }
  }

  const fs::path folder_;
  const Resources& resources_;
  const Surroundings& around_;
  const fs::path home_;
  std::vector<Finding> findings_;
};

}  // namespace

std::string version_of(const fs::path& program, const fs::path& folder, process::Runner& runner,
                       const std::stop_token& stop) {
  const process::Exit exit = ask({program.string(), "--version"}, folder, runner, stop);
  return exit.ok() ? version_in(first_line(exit)) : "";
}

void require_git_answers(const fs::path& folder, process::Runner& runner) {
  const std::vector<std::string> question = {"git", "rev-parse", "HEAD"};
  if (!is_late(ask(question, folder, runner))) return;
  throw Error("'" + join(question, " ") + "' " + no_answer,
              "try it by hand; the file system may hang", ExitStatus::failed);
}

std::vector<Finding> check_up(const fs::path& folder, const Resources& resources,
                              const Surroundings& surroundings) {
  return Checkup(folder, resources, surroundings).all();
}

}  // namespace agneto::run
