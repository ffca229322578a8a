#include "cli/export_formats.h"

#include <fmt/format.h>

#include "base/recording_files.h"
#include "run/cassette.h"
#include "run/prepare.h"
#include "run/recorded_scenario.h"
#include "scenario/load.h"
#include "scenario/play.h"
#include "workspace/history.h"

namespace agneto::cli {
namespace {

RecordedFiles sources_of(const Context& context, const run::Reader& reader, const Disk& disk) {
  return {run::journal_of(context.folder)->sources(reader.id()), disk};
}

fs::path library_of(const Context& context) {
  return context.resources.share / "scripts" / "lib";
}

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
  const auto suite = scenario::read("recorded.test.yaml", source, diagnostics);
  const auto workflow = scenario::load_workflow(workflow_file, files, library, diagnostics);
  std::string wrong = render(diagnostics);
  if (!suite || !wrong.empty()) return wrong;
  for (const auto& failure : scenario::play(suite->cases.front(), workflow).failures) {
    wrong += render(failure.diagnostic);
    for (const auto& line : failure.details) wrong += "    " + printable(line) + "\n";
  }
  return wrong;
}

}  // namespace

std::string export_cassette(const Context& context, const run::Reader& reader) {
  const Disk disk;
  const RecordedFiles files = sources_of(context, reader, disk);
  const journal::Run line = reader.line();
  const model::Loaded workflow = run::load_workflow(line.file, files);
  const fs::path repository = run::home_of(context.folder);
  const auto patch = [&](const std::string& from, const std::string& to) {
    const std::string whole = workspace::patch(repository, from, to);
    std::string shown = reader.redactor().text(whole);
    if (shown != whole) {
      fmt::print(stderr, "agneto: note: a secret was taken out of a patch, which may not apply\n");
    }
    return shown;
  };
  const auto cassette = run::to_cassette(line, reader.entries(), *workflow.system, patch,
                                         workspace::start_of(repository, line.id));
  for (const auto& note : cassette.notes) fmt::print(stderr, "agneto: note: {}\n", printable(note));
  return cassette.yaml;
}

std::string export_scenario(const Context& context, const run::Reader& reader,
                            const std::string& file) {
  const Disk disk;
  const RecordedFiles files = sources_of(context, reader, disk);
  const journal::Run line = reader.line();
  const model::Loaded workflow = run::load_workflow(line.file, files);
  const fs::path library = library_of(context);
  const auto evaluator =
      run::check_scripts(*workflow.system, files, {workflow.system->root, library});
  std::string yaml = run::to_scenario(line, reader.entries(), *workflow.system, *evaluator,
                                      workflow_for(line.file, file.empty() ? "-" : file));
  const std::string wrong = failures_of(yaml, line.file, files, library);
  if (!wrong.empty()) {
    fmt::print(stderr,
               "{}agneto: note: the test does not pass as it is: a test has no clock of its "
               "own and no worktrees; edit it\n",
               wrong);
  }
  return yaml;
}

}  // namespace agneto::cli
