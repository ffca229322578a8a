// The runs of this folder.
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/run_log.h"
#include "cli/runs.h"
#include "run/hub.h"
#include "run/queue.h"
#include "run/secrets.h"
#include "serve/desk.h"
#include "serve/server.h"
#include "serve/worker.h"
#include "workspace/inspect.h"
#include "workspace/refs.h"

namespace agneto::cli {
namespace {

// Becomes git, so that colours, pager and exit status are as with `git diff`.
[[noreturn]] void become_git(const fs::path& folder, const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  fs::current_path(folder);
  end_with_the_reader();
  execvp("git", argv.data());
  throw Error(std::string("git cannot be started: ") + std::strerror(errno), "is it on PATH?");
}

class RunsHere : public Runs {
 public:
  explicit RunsHere(const Context& context)
      : context_(context), root_(run::home_of(context.folder)) {}

  std::vector<Listed> list(const RunFilter& wanted) override {
    std::vector<Listed> all;
    journal_ = run::journal_of(context_.folder);
    if (!journal_) return all;
    const Redactor redactor = run::redactor_for(context_.folder);
    const serve::Listing listing{.statuses = wanted.status, .workflow = wanted.workflow};
    journal::each_run(*journal_, listing.of_journal(), [&](journal::RunRecord run) {
      run = run::shown(std::move(run), *journal_, redactor);
      auto waiting = run::readable([&] { return run::waiting_of(*journal_, run, redactor); });
      Listed listed{std::move(run), std::move(waiting)};
      if (wanted.fits(listed)) all.push_back(std::move(listed));
      return wanted.most == 0 || all.size() < wanted.most;
    });
    return all;
  }

  void count(std::vector<Listed>& runs, Time now) override {
    for (Listed& listed : runs) {
      listed.totals = run::readable([&] { return run::totals_of(*journal_, listed.run, now); });
    }
  }

  std::unique_ptr<run::Reader> look(const std::string& wanted) override {
    return std::make_unique<run::Reader>(context_.folder, wanted);
  }

  std::unique_ptr<run::Reader> steer(const std::string& wanted) override {
    journal_ = run::journal_to_steer(context_.folder);
    const journal::RunRecord run = run::find_run(*journal_, wanted);
    run::require_unended(run);
    return std::make_unique<run::Reader>(*journal_, run::redactor_for(context_.folder), run.id,
                                         context_.folder);
  }

  workspace::BranchWork work_of(const journal::RunRecord& run) override {
    return workspace::branch_work(run::root_of(run, context_.folder, context_.resources), run.base,
                                  run.branch);
  }

  std::string diff_for(const journal::RunRecord& run, const std::string& item) override {
    if (run.branch.empty()) return "";
    workspace::Place place = run::place_of(run, context_.folder, context_.resources);
    if (!item.empty()) {
      place.run = workspace::fork_run(run.id, item);
      place.worktree.replace_filename(place.run);
    }
    return workspace::work_of(place);
  }

  void print_diff(const std::string& wanted, const std::vector<std::string>& words) override {
    auto journal = run::required_journal(context_.folder);
    const journal::RunRecord run = run::find_run(*journal, wanted);
    require_changes(run, run::has_begun(*journal, run.id));
    const workspace::Place place = run::place_of(run, context_.folder, context_.resources);
    const workspace::Range range = workspace::changes_of(place, run.status == "complete");
    std::vector<std::string> arguments = {"git", "diff"};
    std::vector<std::string> paths;
    for (const auto& word : words) {
      (word.starts_with("-") ? arguments : paths).push_back(word);
    }
    arguments.insert(arguments.end(), {range.from, range.to, "--"});
    arguments.insert(arguments.end(), paths.begin(), paths.end());
    journal.reset();
    become_git(place.repository, arguments);
  }

  std::vector<serve::Worker> workers() override {
    return serve::workers(journal(), context_.folder, context_.resources);
  }

  serve::Lack lack_of(const std::string& run_id) override {
    const auto run = journal().find(run_id);
    return run ? serve::lack_of(*run, journal(), context_.folder, context_.resources)
               : serve::Lack();
  }

  std::string why_queued(const journal::RunRecord& run) override {
    return run::redactor_for(context_.folder)
        .text(serve::why_queued(journal(), context_.folder, context_.resources, run));
  }

  run::Delivery answer(const journal::RunRecord& run, const std::string& question,
                       const run::Answer& answer) override {
    return run::answer(helm(nobody_), run, question, answer);
  }

  run::Delivery send(const journal::RunRecord& run, const std::string& event,
                     const Json& data) override {
    return run::send(helm(nobody_), run, event, data);
  }

  bool suspend(const journal::RunRecord& run, bool after_call) override {
    RunLog log(nobody_);
    return run::suspend(helm(log), run, after_call);
  }

  journal::RunRecord abort(const journal::RunRecord& run, record::Observer& observer) override {
    RunLog log(observer);
    return run::abort(helm(log), run);
  }

  run::Queued submit(const run::Request& request, int priority) override {
    return run::Assembly::enqueue(request, context_.resources, priority, run::user_name());
  }

  std::string queue_again(const std::string& wanted) override {
    journal_ = run::journal_to_steer(context_.folder);
    const journal::RunRecord run = run::find_run(*journal_, wanted);
    run::enqueue_again(*journal_, root_ / ".agneto", run.id, run::user_name());
    return run.id;
  }

 private:
  journal::Journal& journal() {
    if (!journal_) journal_ = run::required_journal(context_.folder);
    return *journal_;
  }
  run::Helm helm(record::Observer& observer) const {
    return {context_.folder, context_.resources, journal_, run::user_name(), observer};
  }

  const Context& context_;
  const fs::path root_;
  record::NoObserver nobody_;
  std::shared_ptr<journal::Journal> journal_;  // once it was needed
};

}  // namespace

void require_changes(const journal::RunRecord& run, bool has_begun) {
  if (!has_begun) {
    throw Error("run " + run.id + " has not begun, so that it has changed nothing",
                "'agneto show " + run.id + "' shows how it stands");
  }
  if (run.branch.empty()) {
    throw Error("run " + run.id + " works in the folder itself, so what it changed is not known",
                "runs of workflows that need a repository can be compared");
  }
}

std::unique_ptr<Runs> runs_of(const Context& context) {
  if (!context.server.url.empty()) return runs_of_server(context.server);
  return std::make_unique<RunsHere>(context);
}

}  // namespace agneto::cli
