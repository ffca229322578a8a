#include "cli/export_formats.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "replay/cassette.h"
#include "replay/recorded_scenario.h"
#include "run/export.h"
#include "run/prepare.h"
#include "run/reader.h"
#include "ui/export_markdown.h"
#include "ui/json_lines.h"
#include "workspace/history.h"

namespace agneto::cli {
namespace {

// How the file is to name the workflow; empty where its own name says it.
std::string workflow_for(const fs::path& workflow, const fs::path& file) {
  const fs::path folder = fs::absolute(file).lexically_normal().parent_path();
  if (folder == workflow.parent_path() &&
      file.filename() == workflow.stem().string() + ".test.yaml") {
    return {};
  }
  const fs::path near = workflow.lexically_relative(folder);
  return near.empty() || *near.begin() == ".." ? workflow.string() : near.string();
}

// What fails of the test on the workflow as it was recorded.
std::string failures_of(const std::string& yaml, const fs::path& workflow_file, const Files& files,
                        const fs::path& library) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>("recorded.test.yaml", yaml);
  const auto suite = play::read_suite("recorded.test.yaml", source, files, library, diagnostics);
  const auto workflow = play::load_workflow(workflow_file, files, library, diagnostics);
  std::string wrong = render(diagnostics);
  if (!suite || !wrong.empty()) return wrong;
  for (const auto& failure : play::play_case(suite->cases.front(), workflow).failures) {
    wrong += render(failure.diagnostic);
    for (const auto& line : failure.details) wrong += "    " + printable(line) + "\n";
  }
  return wrong;
}

std::string cassette_of(const fs::path& folder, const run::Reader& reader) {
  const Disk disk;
  const Overlay files(run::journal_of(folder)->sources(reader.id()), disk);
  const journal::RunRecord run = reader.run();
  const model::Loaded workflow = run::load_recorded(run, files);
  const fs::path repository = run::home_of(folder);
  const auto patch = [&](const std::string& from, const std::string& to) {
    const std::string whole = workspace::patch(repository, from, to);
    std::string shown = reader.redactor().text(whole);
    if (whole.find("\nGIT binary patch\n") != std::string::npos) {
      fmt::print(stderr,
                 "agneto: note: a file that is no text is in it as it is, whatever it has\n");
    }
    if (shown != whole) {
      fmt::print(stderr, "agneto: note: a secret was taken out of a patch, which may not apply\n");
    }
    return shown;
  };
  const std::string root = record::options_of(run).root;
  const fs::path worked_in = run.branch.empty() && !root.empty() ? fs::path(root) : repository;
  const auto cassette = replay::to_cassette(run, reader.entries(), *workflow.system, patch,
                                            workspace::start_of(repository, run.id), worked_in);
  for (const auto& note : cassette.notes) fmt::print(stderr, "agneto: note: {}\n", printable(note));
  return cassette.yaml;
}

// `file`: the one that the text is for; it may name the workflow from there. Empty or "-": none.
std::string scenario_of(const Context& context, const run::Reader& reader,
                        const std::string& file) {
  const Disk disk;
  const Overlay files(run::journal_of(context.folder)->sources(reader.id()), disk);
  const journal::RunRecord run = reader.run();
  const model::Loaded workflow = run::load_recorded(run, files);
  const fs::path library = context.resources.library();
  const auto evaluator =
      run::check_scripts(*workflow.system, files, {workflow.system->roots, library});
  std::string yaml = replay::to_scenario(run, reader.entries(), *workflow.system, *evaluator,
                                         workflow_for(run.file, file.empty() ? "-" : file));
  const std::string wrong = failures_of(yaml, run.file, files, library);
  if (!wrong.empty()) {
    fmt::print(stderr,
               "{}agneto: note: the test does not pass as it is: a test has no clock of its "
               "own and no worktrees; edit it\n",
               wrong);
  }
  return yaml;
}

void require_sound(const run::Reader& reader) {
  try {
    reader.check();
  } catch (const Error& error) {
    throw Error(error.what(),
                error.help() + "; a copy of that, made by 'agneto fork " + reader.id() +
                    " --at SEQ --no-start', can be exported",
                error.status());
  }
}

std::string text_of(const Context& context, const std::string& format, const std::string& file,
                    const run::Reader& reader) {
  if (format == "cassette") return cassette_of(context.folder, reader);
  if (format == "scenario") return scenario_of(context, reader, file);
  const auto exported = run::export_run(reader, "agneto " AGNETO_VERSION, SystemClock().now());
  return format == "json" ? ui::to_line(to_json(exported)) : ui::markdown_summary(exported);
}

}  // namespace

ExitStatus write_export(const Context& context, const std::string& run, const std::string& format,
                        const std::string& file) {
  end_with_the_reader();
  const run::Reader reader(context.folder, run);
  require_sound(reader);
  const std::string text = text_of(context, format, file, reader);
  if (file.empty() || file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return printed(ExitStatus::complete);
  }
  write_file(context.folder / file, text);
  return ExitStatus::complete;
}

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
    write_file(file, cassette_of(folder, run::Reader(folder, run)));
    fmt::print(stderr, "agneto: recorded in {}\n", printable(file));
    return status;
  } catch (const Error& error) {
    fmt::print(stderr, "agneto: the run was not recorded in {}: {}\n  {}\n", printable(file),
               printable(error.what()), "when that is mended: agneto record " + run + " -o FILE");
    return status == ExitStatus::complete ? ExitStatus::failed : status;
  }
}

}  // namespace agneto::cli
