// A run that is taken up: one that was queued, parked, suspended or cut off.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/log.h"
#include "record/options.h"
#include "run/assembly_parts.h"
#include "run/budget.h"
#include "run/hub.h"
#include "run/leftovers.h"
#include "run/queue.h"
#include "run/rewind.h"

namespace agneto::run {

namespace {

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
      "restore the journal from a backup, or start a new run from the branch of this one",
      ExitStatus::failed);
}

// The run is as it was: what failed is the world around it, such as git, or a disk that is full.
[[noreturn]] void stay_suspended(const Error& error, const std::string& run_id) {
  const std::string go_on = "continue with 'agneto resume " + run_id + "'";
  throw Error(error.what(), error.help().empty() ? go_on : error.help() + "; then " + go_on,
              ExitStatus::suspended);
}

}  // namespace

std::unique_ptr<Assembly> Assembly::reopen(const Reopen& request, const Resources& resources,
                                           Human& human, Observer& observer) {
  auto parts = std::make_unique<Parts>();
  parts->journal = request.journal;
  if (!parts->journal) parts->journal = journal_to_steer(request.folder);
  parts->parks = request.parks;
  parts->run_id = request.hold ? request.run : find_run(*parts->journal, request.run).id;
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
  const bool works = request.abort.empty() && request.suspend.empty();
  parts->hold = request.hold ? request.hold : parts->journal->hold(run_id);
  // As its last owner left it.
  journal::RunRecord run = request.record ? *request.record : find_run(*parts->journal, run_id);
  auto hub = works ? hub_of(run, resources) : std::nullopt;
  if (hub) hub->bring_up();
  const fs::path root = hub ? hub->clone() : home_of(request.folder);
  parts->root = root;
  const fs::path home = hub ? workspace::prepare_home(root) : root / ".agneto";
  const Time since = parts->clock.now();
  std::vector<std::string> notes = put_settings_back(home, *parts->journal, run_id);
  std::error_code none;
  fs::remove(mark_of_start(home, run_id), none);  // it was killed just after it was recorded
  if (has_ended(run)) {
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
  // Who works on it from now on?
  if (options.served != request.parks && request.abort.empty() && request.suspend.empty()) {
    options.served = request.parks;
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
  // What a run is aborted with needs no configuration, which may be wrong by now.
  const Files& drivers = request.update ? static_cast<const Files&>(parts->disk) : *parts->files;
  if (works) parts->config = read_config(checkout, drivers, folders);
  const bool is_root = works && checkout == root;
  parts->redactor = is_root ? redactor_of(parts->config) : redactor_for(root);
  parts->config.limits = options.limits.before(parts->config.limits);
  if (works) {
    resolve_providers(system, parts->config, options, *parts->files, folders);
    require_keepable_limits(system, parts->config, *parts->files, folders);
  }
  parts->runner = std::make_unique<HeldRunner>(resources.guard, *parts->hold, run_id);
  const auto in_folder = [&] {
    return workspace::plain(options.root.empty() ? root : fs::path(options.root));
  };
  const bool begins = !has_begun(*parts->journal, run_id);
  const workspace::Create place{root, home / "worktrees" / run_id, run_id, run.base};
  try {
    if (begins && works && !run.base.empty()) {
      parts->workspace = hub ? hub->create(run_id, run.base) : workspace::create(place);
      run.base = parts->workspace->base();
      run.branch = parts->workspace->branch();
    } else {
      parts->workspace = run.branch.empty() ? in_folder()
                         : hub              ? hub->open(run_id)
                                            : workspace::open(place);
    }
    parts->make_sandbox(checkout, resources);
  } catch (const Error& error) {
    if (works && error.status() != ExitStatus::usage) stay_suspended(error, run_id);
    if (works) throw;
    log::warning("a worktree cannot be opened", {{"run", run_id}, {"error", error.what()}});
    parts->workspace = in_folder();
  }
  parts->services = make_services(*parts->files, modules, folders, parts->worker(), parts->clock,
                                  checkout == root ? parts->redactor : redactor_for(checkout));
  parts->services->sandboxed = parts->sandbox != nullptr;

  if (works && (!parts->workspace->intact() || (begins && !run.branch.empty()))) {
    process::Listener quiet;
    process::Runner& runner = begins ? *parts->runner : parts->worker();
    furnish(parts->workspace->path(), root, parts->config, runner, quiet, {});
  }

  parts->journal->own(run_id, parts->hold->owner());
  parts->chart.emplace(system, *parts->evaluator);
  if (begins) return begin(*parts, std::move(run), options, human, observer);
  finish_restoring(*parts->journal, run, *parts->workspace, parts->clock.now());
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
  parts->engine->resume(std::move(notes), since);
  if (answer) parts->engine->answer(*answer);
  if (!request.abort.empty()) parts->engine->abort_now(request.abort);
  if (!request.suspend.empty()) parts->engine->suspend_now(request.suspend);
}

// The first step of a run that was queued.
void Assembly::begin(Parts& parts, journal::RunRecord run, const record::RunOptions& options,
                     Human& human, Observer& observer) {
  run.status = "running";
  chart::Instance instance(*parts.chart, {run.id, options.interactive, options.auto_merge});
  parts.engine = std::make_unique<Engine>(parts.setup(human, observer), std::move(run),
                                          std::move(instance), RunState{});
  parts.engine->begin_queued(options.inputs);
}

}  // namespace agneto::run
