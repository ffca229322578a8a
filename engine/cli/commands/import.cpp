// agneto import

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "journal/postgresql/address.h"
#include "run/move.h"
#include "run/reader.h"
#include "run/wakeup.h"
#include "workspace/git.h"
#include "workspace/refs.h"

namespace agneto::cli {
namespace {

struct ImportOptions {
  std::string from;
  std::vector<std::string> runs;
};

// The journal that runs come from. Throws Error where there is none, or it is the one that they are
// to come to.
std::unique_ptr<journal::Journal> source_of(const std::string& from, const std::string& place) {
  std::error_code none;
  const bool is_file = !journal::is_postgresql(from);
  if (is_file && !fs::is_regular_file(from, none)) {
    throw Error("there is no journal '" + printable(from) + "'",
                "name a file such as .agneto/runs.db, or a database as postgresql://…");
  }
  if (from == place || (is_file && fs::equivalent(from, place, none))) {
    throw Error("that is the journal of this folder, to which runs are to come",
                "say where they are to be by --journal, or 'journal' in .agneto/config.yaml");
  }
  return journal::open_journal(from);
}

// A run that has not ended goes on where its branch is.
void require_work_here(const fs::path& root, const journal::RunRecord& run) {
  if (journal::has_ended(run) || run.branch.empty()) return;
  const workspace::Refs refs(run.id);
  if (!workspace::commit_of(workspace::Git(root), refs.last).empty()) return;
  throw Error(fmt::format("the work of run {} is not in the repository {}", run.id, root.string()),
              "import it in the checkout that it was begun in");
}

ExitStatus import_runs(const Context& context, const ImportOptions& options) {
  const std::string place = run::journal_place(context.folder);
  const auto from = source_of(options.from, place);
  const auto to = run::open_journal(context.folder);
  run::require_person(*from);
  std::vector<journal::RunRecord> wanted;
  for (const std::string& named : options.runs) wanted.push_back(run::find_run(*from, named));
  if (options.runs.empty()) wanted = from->list();
  if (options.runs.empty()) std::ranges::reverse(wanted);  // so that lists have the same order
  const fs::path root = run::home_of(context.folder);
  ExitStatus status = ExitStatus::complete;
  for (const journal::RunRecord& run : wanted) {
    try {
      require_work_here(root, run);
      const bool moved = run::move(*from, *to, run.id, place);
      fmt::print("{}: {}\n", moved ? "imported" : "there already", run.id);
    } catch (const Error& error) {
      print(Error(printable(error.what()), printable(error.help())), stderr);
      status = ExitStatus::failed;
    }
  }
  run::wake_up(run::server_wakeup_of(root / ".agneto"));
  return printed(status);
}

}  // namespace

void add_import(Program& program) {
  auto options = std::make_shared<ImportOptions>();
  CommandLine& command = program.add_command(
      "import", "Move runs here from another journal, such as a file's to a database");
  command.add("FROM", &options->from, "The other journal: a file, or postgresql://…",
              {.required = true});
  command.add("RUN", &options->runs, "Only these (default: all of them)");
  command.footer = R"(Examples:
  agneto import .agneto/runs.db --journal postgresql://db.example.com/agneto
  agneto import postgresql://db.example.com/agneto say-hello-0a1b

Every entry is compared with its hash. A run that has not ended goes on here alone: there it is
aborted, as moved. One that somebody works on stays. Tokens are not moved.)";
  command.action = [options](const Context& context) { return import_runs(context, *options); };
}

}  // namespace agneto::cli
