// What `agneto lint` says of the workflows that have to do with the open files, kept up to date as
// they change.
//
// A workflow is linted again when a file that it looked for has changed: a machine, a hook module,
// one that was missing. Linting happens in jobs, a workflow at a time, on a snapshot of the files;
// what a job found out about files that have changed since is dropped, so that the latest text
// counts and typing never waits. What can be seen at once is told first; then the machines are
// explored, which takes longer and ends with the next edit, where the team wants it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "lint/report/report.h"
#include "lsp/documents.h"

namespace agneto::lsp {

// What a job found out, to be called in the thread that owns the Analysis. May throw.
using Completion = std::function<void()>;
// May be run in any thread, once. Throws nothing.
using Job = std::function<Completion()>;

// The workflows in a folder and in those inside of it. Thread-safe.
using FindWorkflows = std::function<std::vector<fs::path>(const fs::path& folder)>;

// Adds what is wrong in a team's configuration besides how lint is to judge, and what that points
// into.
using CheckConfiguration = std::function<void(const fs::path& file, const Files& files,
                                              Diagnostics& wrong, std::vector<SourcePtr>& sources)>;

// Checks what a workflow without errors asks of the place that this configuration is of, which may
// not be there. Returns what its findings point into, besides the workflow's files.
using CheckWorkflow =
    std::function<std::shared_ptr<const void>(const fs::path& configuration, const Files& files,
                                              const model::System& system, Diagnostics& wrong)>;

// What is checked besides by who knows the place. Each may be empty, and is called in any thread.
struct Checks {
  CheckConfiguration configuration = {};
  CheckWorkflow workflow = {};
};

// Findings by file, and what they point into.
struct News {
  std::map<fs::path, std::vector<Diagnostic>> files;
  std::vector<lint::Report> reports;
  std::vector<SourcePtr> sources;
  std::vector<std::shared_ptr<const lint::TeamRules>> rules;
};

class Analysis {
 public:
  // `library`: the hook library of this program. The documents must outlive it.
  Analysis(const Documents& documents, FindWorkflows find, Checks checks, fs::path library)
      : documents_(documents),
        find_(std::move(find)),
        checks_(std::move(checks)),
        library_(std::move(library)) {}

  // Workflows are looked for in these folders, and beside open files.
  void set_folders(std::vector<fs::path> folders);
  // Files have come or gone.
  void look_again();
  // The file was opened, edited or closed, or has changed on the disk.
  void changed(const fs::path& file);

  // What is to be done next, workflows of open files first; null where all is up to date. The
  // completion of one is called before the next is asked for.
  Job next();

  // What lint finds in all workflows that an open file is a part of, suppressed findings apart, and
  // in the configurations that go for them or are open themselves; nothing where that is not known
  // yet, or has not changed since it was last taken.
  std::optional<News> take_news();

  // Is it a machine, as far as is known: a workflow itself, or delegated to?
  bool is_workflow(const fs::path& file) const;
  // Have the folders been searched?
  bool knows_workflows() const { return to_search_.empty() && searching_ == 0; }
  // Every file that a workflow asked for, and the workflows, in the order of their paths.
  std::set<fs::path> known_files() const;

 private:
  struct Root {
    lint::Findings findings;
    std::set<fs::path> asked;  // for these files
    bool fresh = false;
    bool explored = false;  // or there is nothing to explore
    std::uint64_t changes = 0;
    bool open = false;   // it is open, and was a workflow since
    bool found = false;  // in a folder
  };

  Job search(fs::path folder);
  Job lint(const fs::path& file, const Root& root, bool explore);
  bool is_to_explore(const fs::path& file, const Root& root, const Files& files) const;
  void keep_wanted();
  bool concerns_open_file(const Root& root) const;

  const Documents& documents_;
  const FindWorkflows find_;
  const Checks checks_;
  const fs::path library_;
  std::vector<fs::path> folders_;
  std::map<fs::path, std::vector<fs::path>> found_;  // by folder
  std::set<fs::path> to_search_;
  int searching_ = 0;
  std::map<fs::path, Root> roots_;
  bool news_ = false;
  std::stop_source exploring_;  // what is explored at the moment
};

}  // namespace agneto::lsp
