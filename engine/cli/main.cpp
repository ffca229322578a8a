// The program: parses the command line, runs one command, and is the one place that catches Error.

#include <fmt/core.h>

#include <csignal>
#include <exception>

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
  cli::Program program;
  cli::describe(program);
  try {
    const cli::Action action = cli::parse(program, {argv + 1, argv + argc});
    if (!action) return 0;
    return static_cast<int>(action({current_folder(), cli::find_resources()}));
  } catch (const Error& error) {
    return report(error);
  } catch (const std::exception& error) {
    fmt::print(stderr, "agneto: {}\n", error.what());
    return static_cast<int>(ExitStatus::failed);
  }
}
