// The program: parses the command line, runs one command, and is the one place that catches Error.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>

#include "cli/commands.h"
#include "cli/log_file.h"
#include "run/assembly.h"
#include "run/secrets.h"
#include "ui/screen.h"
#include "workspace/workspace.h"

namespace {

using namespace agneto;

std::filesystem::path current_folder() {
  std::error_code gone;
  auto folder = std::filesystem::current_path(gone);
  if (!gone) return folder;
  throw Error("the current folder is not there any more: " + gone.message(),
              "go to one that is, such as: cd ~");
}

void keep_log(const std::string& level, const fs::path& folder, const std::string& command) {
  cli::LogOptions options;
  options.settings = cli::log_settings(level, ui::variable({"AGNETO_LOG"}, ""));
  const fs::path home = run::home_of(folder);
  options.file = home / ".agneto" / "log" / "agneto.log";
  options.secrets = [folder, home] {
    workspace::prepare_home(home);  // so that git ignores the log
    return run::redactor_for(folder);
  };
  options.process = {{"version", AGNETO_VERSION}, {"command", command}};
  log::install(cli::log_file(std::move(options)));
}

int report(const Error& error) {
  try {
    if (error.status() != ExitStatus::usage) log::error("agneto failed", {{"error", error.what()}});
    cli::print(error, stderr);
  } catch (const std::exception&) {  // there is nobody left to tell
  }
  return static_cast<int>(error.status());
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  cli::Program program;
  cli::describe(program);
  try {
    const auto words = cli::with_server_behind({argv + 1, argv + argc});
    const cli::Action action = cli::parse(program, words);
    if (!action) return 0;
    const fs::path folder = current_folder();
    // What it starts looks there, too.
    if (!program.journal.empty()) ::setenv("AGNETO_JOURNAL", program.journal.c_str(), 1);
    keep_log(program.log_level, folder, words.front());
    const bool is_named = std::ranges::any_of(
        words, [](const std::string& word) { return word == "--server" || word == "--server="; });
    if (program.server.url.empty() && is_named) {
      throw Error(
          "--server names no address, and the runs here are not those that it is to be about",
          "write such as https://agneto.example.com, or leave --server out");
    }
    if (program.server.url.empty()) program.server.url = ui::variable({"AGNETO_SERVER"}, "");
    return static_cast<int>(action({folder, cli::find_resources(), program.server}));
  } catch (const Error& error) {
    return report(error);
  } catch (const std::exception& error) {
    return report(Error(error.what(), "", ExitStatus::failed));
  }
}
