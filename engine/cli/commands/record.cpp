// agneto record
#include "cli/record.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/export_formats.h"

namespace agneto::cli {

fs::path recording_file(const fs::path& folder, const std::string& file) {
  if (file.empty()) return {};
  const fs::path path = (folder / file).lexically_normal();
  const auto refuse = [&](const std::string& why) {
    throw Error("--record: cannot write " + path.string() + ": " + why,
                "name a file in a folder that exists and that you may write to");
  };
  std::error_code code;
  if (file == "-") refuse("a run shows itself on standard output");
  if (fs::is_directory(path, code)) refuse("it is a folder");
  if (fs::exists(path, code) && !fs::is_regular_file(path, code)) refuse("it is no file");
  if (!fs::is_directory(path.parent_path(), code)) refuse("there is no such folder");
  if (access(path.parent_path().c_str(), W_OK) != 0) refuse("its folder is not yours to write to");
  return path;
}

ExitStatus recorded(const fs::path& folder, const std::string& run, const std::string& file,
                    ExitStatus status) {
  try {
    std::fflush(stdout);
    write_file(file, export_cassette(folder, run::Reader(folder, run)));
    fmt::print(stderr, "agneto: recorded in {}\n", printable(file));
    return status;
  } catch (const Error& error) {
    fmt::print(stderr, "agneto: the run was not recorded in {}: {}\n  {}\n", printable(file),
               printable(error.what()), "when that is mended: agneto record " + run + " -o FILE");
    return status == ExitStatus::complete ? ExitStatus::failed : status;
  }
}

void add_record(Program& program) {
  struct Options {
    std::string run, file;
  };
  auto options = std::make_shared<Options>();
  Command& command =
      program.add_command("record", "Make a cassette of a run, for 'agneto run --cassette'");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("-o,--output", &options->file, "Write this file (default: standard output)");
  command.footer = R"(Examples:
  agneto record last -o again.yaml
  agneto run "add a --shout flag" --cassette again.yaml
  agneto run "add a --shout flag" --cassette again.yaml --fault hang@IMPLEMENTING

What each agent was asked and said, what it changed, and how long it took; a person's answers.
Keys, tokens and passwords are left out. 'agneto run --record FILE' does the same at the run's end.)";
  command.action = [options](const Context& context) {
    return write_export(context, options->run, "cassette", options->file);
  };
}

}  // namespace agneto::cli
