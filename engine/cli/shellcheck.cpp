#include "cli/shellcheck.h"

#include <fmt/format.h>

#include <chrono>

#include "agents/scratch.h"
#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "cli/commands.h"
#include "process/process.h"

namespace agneto::cli {

namespace {

constexpr Millis longest{20'000};

// What is not said of shell text in a workflow: what sourced files hold, and what `agneto lint`
// says itself of names that are nearly a variable's and of variables in single quotes (W427).
constexpr std::string_view left_out = "SC1090,SC1091,SC2016,SC2153";

std::string file_of(std::size_t script) {
  return fmt::format("{}.sh", script);
}

// Its errors and warnings; of what it calls information, a variable without quotes alone.
std::vector<lint::ShellRemark> remarks_in(const std::string& output) {
  std::vector<lint::ShellRemark> remarks;
  const Json said = Json::parse(output);
  for (const Json& comment : said.at("comments")) {
    const bool is_unquoted = comment.at("code") == 2086;
    if (comment.at("level") == "info" && !is_unquoted) continue;
    const std::filesystem::path file = comment.at("file").get<std::string>();
    remarks.push_back({.script = std::stoul(file.stem().string()),
                       .line = comment.at("line"),
                       .column = comment.at("column"),
                       .end_line = comment.at("endLine"),
                       .end_column = comment.at("endColumn"),
                       .code = comment.at("code"),
                       .message = comment.at("message")});
  }
  return remarks;
}

// Calls it. Throws an exception where it did not do its work.
std::vector<lint::ShellRemark> checked(const std::vector<std::string>& scripts,
                                       const std::filesystem::path& guard) {
  std::vector<std::pair<std::string, std::string>> files;
  for (std::size_t i = 0; i < scripts.size(); ++i) files.emplace_back(file_of(i), scripts[i]);
  const agents::Scratch scratch(files);
  process::Spec spec;
  spec.argv = {"shellcheck",      "--norc",         "--shell=dash",
               "--severity=info", "--format=json1", fmt::format("--exclude={}", left_out)};
  for (const auto& [name, text] : files) spec.argv.push_back(name);
  spec.cwd = scratch.resolve("{files}");
  spec.timeout = longest;
  spec.max_line = spec.max_output = 64 << 20;
  process::Listener nobody;
  const process::Exit exit = process::GuardedRunner(guard).run(spec, nobody, {});
  try {
    return remarks_in(exit.output);
  } catch (const std::exception&) {
    const std::string_view said = trim(exit.error);
    throw Error(said.empty() ? "shellcheck: " + process::describe(exit, spec)
                             : std::string(said.substr(0, said.find('\n'))));
  }
}

}  // namespace

lint::ShellChecker shellcheck(std::filesystem::path guard) {
  return [guard = std::move(guard)](const std::vector<std::string>& scripts)
             -> std::optional<std::vector<lint::ShellRemark>> {
    if (!process::find_program("shellcheck")) return std::nullopt;
    try {
      return checked(scripts, guard);
    } catch (const std::exception& error) {
      print(Error(fmt::format("shell text was not checked: {}", error.what()),
                  "look whether 'shellcheck --version' works"),
            stderr);
      return std::nullopt;
    }
  };
}

}  // namespace agneto::cli
