#include "run/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "journal/lock.h"
#include "record/cassette_file.h"
#include "record/options.h"
#include "run/budget.h"
#include "run/leftovers.h"
#include "run/new_run.h"
#include "run/prepare.h"
#include "run/rewind.h"
#include "run/secrets.h"
#include "run/wakeup.h"
#include "script/evaluator.h"
#include "workspace/kept_settings.h"

namespace agneto::run {

struct Assembly::Parts {
  Disk disk;
  SystemClock clock;
  std::unique_ptr<Files> files;  // the run's sources
  model::Loaded loaded;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::optional<chart::Chart> chart;
  Config config;
  std::unique_ptr<journal::RunLock> lock;
  std::unique_ptr<journal::Journal> journal;
  std::unique_ptr<workspace::Workspace> workspace;
  std::unique_ptr<process::GuardedRunner> runner;
  std::unique_ptr<agents::Services> services;
  std::unique_ptr<Engine> engine;
  std::unique_ptr<WakeupListener> listener;  // calls the engine
  std::string run_id;
  std::string record_file;
  fs::path root;  // the repository

  Setup setup(Human& human, Observer& observer) {
    const auto furnish_fork = [this](const fs::path& fork, process::Listener& listener,
                                     std::stop_token stop) {
      furnish(fork, root, config, *runner, listener, std::move(stop));
    };
    return {*loaded.system, *journal, *journal, *workspace, *services,    *runner,
            clock,          human,    observer, config,     furnish_fork, redactor_for(root)};
  }
};

namespace {

std::string new_uuid() {
  std::string hex = random_hex(32);
  hex[12] = '4';
  hex[16] = "89ab"[hex[16] % 4];
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20);
}

std::unique_ptr<agents::Services> make_services(const Files& files,
                                                const script::ModulePaths& modules,
                                                const std::vector<fs::path>& folders,
                                                process::Runner& runner, Clock& clock,
                                                Redactor redactor) {
  auto random = [engine = std::make_shared<std::mt19937_64>(std::random_device{}()),
                 lock = std::make_shared<std::mutex>()] {
    std::lock_guard guard(*lock);
    return std::uniform_real_distribution<double>(0, 1)(*engine);
  };
  return std::make_unique<agents::Services>(agents::Services{
      files, modules, folders, runner, clock, random, new_uuid, std::move(redactor)});
}

std::pair<chart::Instance, RunState> last_state(journal::Reader& journal, const std::string& run_id,
                                                const chart::Chart& chart,
                                                const model::System& system) {
  const Json saved = journal.state(run_id);
  std::string why;
  try {
    auto instance = chart::Instance::restore(chart, saved.at("instance"));
    try {
      return {std::move(instance), RunState::from_json(saved.at("run"), system)};
    } catch (const Error& error) {
      why = error.what();
    }
  } catch (const Json::exception& error) {
    why = error.what();
  }
  throw Error(
      fmt::format("what the journal has of where run {} stands cannot be read: {}", run_id, why),
      "restore .agneto/runs.db from a backup, or start a new run from the branch of this one",
      ExitStatus::failed);
}

// The run is as it was: what failed is the world around it, such as git, or a disk that is full.
[[noreturn]] void stay_suspended(const Error& error, const std::string& run_id) {
  const std::string go_on = "continue with 'agneto resume " + run_id + "'";
  throw Error(error.what(), error.help().empty() ? go_on : error.help() + "; then " + go_on,
              ExitStatus::suspended);
}

// The same of a run that was not even begun, and of which nothing is left.
Error without_a_run(const Error& error) {
  const bool cut_off = error.status() == ExitStatus::suspended;  // which a run that has begun is
  return Error(error.what(),
               cut_off ? "no run was begun, and nothing of it is left: start it again"
                       : "no run was begun, and nothing of it is left: put that right and start it "
                         "again",
               cut_off ? ExitStatus::failed : error.status());
}

}  // namespace

std::unique_ptr<journal::RunLock> lock_run(const fs::path& home, const std::string& run_id) {
  std::error_code told_by_the_lock;
  fs::create_directories(home / "worktrees", told_by_the_lock);
  return std::make_unique<journal::RunLock>(lock_of(home, run_id), run_id);
}

std::vector<std::string> put_settings_back(const fs::path& home, const std::string& run_id) {
  return workspace::put_kept_settings_back(home / "worktrees", [&](const std::string& run) {
    return run != run_id && journal::is_locked(lock_of(home, run));
  });
}

model::Loaded recorded_workflow(journal::Reader& journal, const journal::RunRecord& run) {
  const Disk disk;
  const Overlay files(journal.sources(run.id), disk);
  return load_recorded(run, files);
}

Assembly::Assembly(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Assembly::~Assembly() = default;
Engine& Assembly::engine() {
  return *parts_->engine;
}
const std::string& Assembly::run_id() const {
  return parts_->run_id;
}

const std::string& Assembly::record_file() const {
  return parts_->record_file;
}

void Assembly::listen() {
  parts_->listener =
      std::make_unique<WakeupListener>(wakeup_of(home_of(parts_->root) / ".agneto", parts_->run_id),
                                       [engine = parts_->engine.get()] { engine->wake_up(); });
}

std::unique_ptr<Assembly> Assembly::create(const Request& request, const Resources& resources,
                                           Human& human, Observer& observer) {
  auto parts = std::make_unique<Parts>();
  auto recording = std::make_unique<RecordingFiles>(parts->disk);
  const RecordingFiles& recorded = *recording;
  parts->files = std::move(recording);

  if (const auto journal = journal_of(request.folder)) require_person(*journal);
  fs::path file = find_workflow(request.workflow, request.folder, resources);
  parts->loaded = load_workflow(file, *parts->files, resources.library());
  const model::System& system = *parts->loaded.system;
  const script::ModulePaths modules{system.roots, resources.library()};
  parts->evaluator = check_scripts(system, *parts->files, modules);

  const std::optional<fs::path> repository = repository_for(system, request);
  fs::path root = repository ? *repository : checkout_of(request.folder);
  parts->root = root;
  auto folders = provider_folders(request.folder, resources);
  parts->config = read_config(root, parts->disk, folders);
  parts->config.limits = request.limits.before(parts->config.limits);
  auto remarks = unknown_agents(parts->config, system, workflows(request.folder, resources),
                                parts->disk, resources.library());
  if (!repository) {
    remarks.push_back("works in " + root.string() + " itself, without a worktree: " +
                      (system.main().in_place ? "the workflow says `workspace: none`"
                                              : "that is no git repository"));
  }
  Json inputs = read_inputs(system.main(), request, parts->config);
  record::RunOptions options;
  options.chosen = request.provider;
  options.model = request.model;
  if (!request.cassette.empty()) {
    options.chosen = "offline";
    options.cassette = record::load_cassette(request.cassette, parts->disk);
    options.playback = record::playback_options(request.playback, system);
  }
  options.providers = resolve_providers(system, parts->config, options, *parts->files, folders);
  require_keepable_limits(system, parts->config, *parts->files, folders);
  const model::Limits limits = parts->config.limits.before(system.main().limits);
  if (limits.any()) {
    remarks.push_back(
        "the run may use " + model::to_text(limits) +
        "; --max-calls and the like, or 'limits' in .agneto/config.yaml, change that");
  }

  fs::path home = workspace::prepare_home(home_of(root));
  std::string task = task_text(system.main(), inputs);
  parts->journal = journal::open_journal((home / "runs.db").string());
  // Its id names a branch and a folder, so there is no secret in it.
  auto claimed = claim_run(root, home, *parts->journal,
                           task.empty() ? system.main().name : redactor_for(root).text(task));
  parts->run_id = claimed.id;
  parts->lock = std::move(claimed.lock);
  for (auto& note : put_settings_back(home, parts->run_id)) remarks.push_back(std::move(note));
  const workspace::Create place{root, home / "worktrees" / parts->run_id, parts->run_id,
                                request.base};
  bool made = false;
  const auto undo = [&] {
    if (made) workspace::remove(place);
    parts->lock->discard();
  };
  try {
    parts->runner = std::make_unique<process::GuardedRunner>(resources.guard);
    made = repository.has_value();
    if (repository) {
      parts->workspace = workspace::create(place);
      if (request.auto_merge) {
        const auto obstacle = workspace::obstacle_to_merge(root, parts->workspace->base());
        if (!obstacle.empty()) remarks.push_back(obstacle);
      }
      process::Listener quiet;
      furnish(parts->workspace->path(), root, parts->config, *parts->runner, quiet, {});
    } else {
      parts->workspace = workspace::plain(root);
    }
    parts->services = make_services(*parts->files, modules, folders, *parts->runner, parts->clock,
                                    redactor_for(root));

    journal::RunRecord run;
    run.id = parts->run_id;
    run.workflow = system.main().name;
    run.file = file.string();
    run.task = task;
    run.status = "running";
    run.base = parts->workspace->base();
    run.branch = parts->workspace->branch();
    run.created = run.updated = parts->clock.now();
    options.inputs = inputs;
    options.interactive = request.interactive;
    options.auto_merge = request.auto_merge;
    options.limits = request.limits;
    options.root = root.string();
    options.library = resources.library().string();
    options.record = parts->record_file = request.record.string();
    options.provider = describe_providers(options.providers);
    run.options = record::to_json(options);

    parts->chart.emplace(system, *parts->evaluator);
    chart::Instance instance(*parts->chart,
                             {parts->run_id, request.interactive, request.auto_merge});
    parts->engine = std::make_unique<Engine>(parts->setup(human, observer), std::move(run),
                                             std::move(instance), RunState{});
    parts->engine->begin(inputs, recorded.texts(), remarks);
  } catch (const Error& error) {
    undo();
    if (error.help().empty()) throw without_a_run(error);
    throw;
  } catch (...) {
    undo();
    throw;
  }
  std::unique_ptr<Assembly> assembly(new Assembly(std::move(parts)));
  assembly->listen();
  return assembly;
}

std::unique_ptr<Assembly> Assembly::reopen(const Reopen& request, const Resources& resources,
                                           Human& human, Observer& observer) {
  auto parts = std::make_unique<Parts>();
  parts->journal = journal_to_steer(request.folder);
  parts->run_id = find_run(*parts->journal, request.run).id;
  std::unique_ptr<Assembly> assembly(new Assembly(std::move(parts)));
  const std::string& run_id = assembly->run_id();
  try {
    resume(*assembly->parts_, request, resources, human, observer);
    assembly->listen();
  } catch (const DiskFull& error) {
    stay_suspended(error, run_id);
  }
  return assembly;
}

void Assembly::resume(Parts& assembled, const Reopen& request, const Resources& resources,
                      Human& human, Observer& observer) {
  Parts* parts = &assembled;
  const std::string& run_id = parts->run_id;
  fs::path root = home_of(request.folder);
  parts->root = root;
  fs::path home = root / ".agneto";
  parts->lock = lock_run(home, run_id);
  std::vector<std::string> notes = put_settings_back(home, run_id);
  journal::RunRecord run = *parts->journal->find(run_id);  // as its last owner left it
  std::error_code none;
  fs::remove(mark_of_start(home, run_id), none);  // it was killed just after it was recorded
  if (run.status != "running" && run.status != "suspended") {
    const journal::Seq before = run.status == "complete" ? 0 : before_end(*parts->journal, run_id);
    throw Error(
        "run " + run_id + " has ended: " + run.status + " (" + run.outcome + ")",
        before > 0
            ? fmt::format("'agneto retry {}' goes back to entry {}, before what ended it, and on",
                          run_id, before)
            : "start a new one with 'agneto run', or look at it with 'agneto show " + run_id + "'");
  }

  record::RunOptions options = record::options_of(run);
  parts->record_file = options.record;
  if (request.any_prompt) {
    if (options.playback.is_null()) {
      throw Error("--fuzzy: run " + run_id + " plays no cassette", "leave it out");
    }
    options.playback["fuzzy"] = true;
    run.options = record::to_json(options);
  }
  if (request.limits.any()) {
    options.limits = request.limits.before(options.limits);
    run.options = record::to_json(options);
  }
  if (request.update) {
    auto recording = std::make_unique<RecordingFiles>(parts->disk);
    parts->files = std::move(recording);
    options.library = resources.library().string();
    run.options = record::to_json(options);
  } else {
    parts->files = std::make_unique<Overlay>(parts->journal->sources(run_id), parts->disk);
  }
  parts->loaded = load_recorded(run, *parts->files);
  const model::System& system = *parts->loaded.system;
  const script::ModulePaths modules{system.roots, resources.library()};
  parts->evaluator = check_scripts(system, *parts->files, modules);

  fs::path checkout = options.root;
  if (!fs::exists(checkout)) checkout = root;  // the repository was moved, or that worktree removed
  auto folders = provider_folders(checkout, resources);
  const bool works = request.abort.empty();
  // What a run is aborted with needs no configuration, which may be wrong by now.
  const Files& drivers = request.update ? static_cast<const Files&>(parts->disk) : *parts->files;
  if (works) parts->config = read_config(checkout, drivers, folders);
  parts->config.limits = options.limits.before(parts->config.limits);
  if (works) {
    resolve_providers(system, parts->config, options, *parts->files, folders);
    require_keepable_limits(system, parts->config, *parts->files, folders);
  }
  parts->runner = std::make_unique<process::GuardedRunner>(resources.guard);
  const auto in_folder = [&] {
    return workspace::plain(options.root.empty() ? root : fs::path(options.root));
  };
  try {
    parts->workspace = run.branch.empty()
                           ? in_folder()
                           : workspace::open({root, home / "worktrees" / run_id, run_id, run.base});
  } catch (const Error& error) {
    if (works && error.status() != ExitStatus::usage) stay_suspended(error, run_id);
    if (works) throw;
    log::warning("a worktree cannot be opened", {{"run", run_id}, {"error", error.what()}});
    parts->workspace = in_folder();
  }
  parts->services = make_services(*parts->files, modules, folders, *parts->runner, parts->clock,
                                  redactor_for(checkout));

  if (works && !parts->workspace->intact()) {
    process::Listener quiet;
    furnish(parts->workspace->path(), root, parts->config, *parts->runner, quiet, {});
  }

  parts->journal->own(run_id, parts->lock->owner());
  finish_restoring(*parts->journal, run, *parts->workspace, parts->clock.now());
  parts->chart.emplace(system, *parts->evaluator);
  auto [instance, state] = last_state(*parts->journal, run_id, *parts->chart, system);
  parts->engine = std::make_unique<Engine>(parts->setup(human, observer), std::move(run),
                                           std::move(instance), std::move(state));
  std::optional<Answer> answer;
  if (request.answer) {
    answer = request.answer(parts->engine->open_question());
    parts->engine->check(*answer);
  }
  if (request.update) {
    parts->journal->replace_sources(run_id, static_cast<RecordingFiles&>(*parts->files).texts());
  }
  parts->engine->resume(std::move(notes));
  if (answer) parts->engine->answer(*answer);
  if (!works) parts->engine->abort_now(request.abort);
}

}  // namespace agneto::run
