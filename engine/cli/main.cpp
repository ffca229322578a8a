// The program: parses the command line, runs one command, and is the one place that catches Error.

#include <fmt/core.h>

#include <csignal>
#include <exception>

#include "cli/command_line.h"
#include "cli/commands.h"

namespace {

using namespace agneto;

std::filesystem::path current_folder() {
  std::error_code gone;
  auto folder = std::filesystem::current_path(gone);
  if (!gone) return folder;
  throw Error("the current folder is not there any more: " + gone.message(),
              "go to one that is, such as: cd ~");
}

int report(const Error& error) {
  if (dynamic_cast<const InvalidFile*>(&error)) {
    fmt::print(stderr, "{}", error.what());
  } else {
    fmt::print(stderr, "agneto: {}\n", error.what());
    if (!error.help().empty()) fmt::print(stderr, "  help: {}\n", error.help());
  }
  return static_cast<int>(error.status());
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  cli::Context context;
  CLI::App app;
  cli::describe(app, context);
  try {
    const auto arguments = cli::without_help_command({argv + 1, argv + argc});
    // It takes them from the end.
    app.parse(std::vector<std::string>{arguments.rbegin(), arguments.rend()});
    if (!context.action) return 0;
    context.folder = current_folder();
    context.resources = cli::find_resources();
    return static_cast<int>(context.action());
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    return report(cli::usage_error(app, error, {argv + 1, argv + argc}));
  } catch (const Error& error) {
    return report(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "agneto: {}\n", error.what());
    return static_cast<int>(ExitStatus::failed);
  }
}
