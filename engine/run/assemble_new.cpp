// A run that begins: here and now, or when somebody takes it up.
#include "base/error.h"
#include "base/text.h"
#include "record/cassette_file.h"
#include "record/entry.h"
#include "record/options.h"
#include "run/assembly_parts.h"
#include "run/budget.h"
#include "run/hub.h"
#include "run/labels.h"

namespace agneto::run {

namespace {

// What failed is the world around a run that was not even begun, and of which nothing is left.
Error without_a_run(const Error& error) {
  const bool cut_off = error.status() == ExitStatus::suspended;  // which a run that has begun is
  return Error(error.what(),
               cut_off ? "no run was begun, and nothing of it is left: start it again"
                       : "no run was begun, and nothing of it is left: put that right and start it "
                         "again",
               cut_off ? ExitStatus::failed : error.status());
}

const std::vector<std::string>& checked(const std::vector<std::string>& needs) {
  for (const std::string& label : needs) {
    if (is_label(label)) continue;
    throw Error("a run cannot need '" + printable(label) + "', which is no label",
                "write a label such as gpu or linux-arm64");
  }
  return needs;
}

}  // namespace

struct Assembly::Wanted {
  fs::path workflow;  // its file
  std::optional<fs::path> repository;
  Json inputs;
  record::RunOptions options;
  std::vector<std::string> remarks = {};  // what people are to know of it
};

Assembly::Wanted Assembly::prepare(Parts& parts, const Request& request,
                                   const Resources& resources) {
  parts.files = std::make_unique<RecordingFiles>(parts.disk);
  parts.journal = request.journal ? request.journal : journal_of(request.folder);
  if (parts.journal) require_person(*parts.journal);
  const fs::path file = find_workflow(request.workflow, request.folder, resources);
  parts.loaded = load_workflow(file, *parts.files, resources.library());
  const model::System& system = *parts.loaded.system;
  const script::ModulePaths modules{system.roots, resources.library()};
  parts.evaluator = check_scripts(system, *parts.files, modules);

  const std::optional<fs::path> repository = repository_for(system, request);
  const fs::path root = repository ? *repository : checkout_of(request.folder);
  parts.root = root;
  auto folders = provider_folders(request.folder, resources);
  parts.config = read_config(root, parts.disk, folders);
  parts.config.limits = request.limits.before(parts.config.limits);
  auto remarks = unknown_agents(parts.config, system, workflows(request.folder, resources),
                                parts.disk, resources.library());
  if (!repository) {
    remarks.push_back("works in " + root.string() + " itself, without a worktree: " +
                      (system.main().in_place ? "the workflow says `workspace: none`"
                                              : "that is no git repository"));
  }
  Wanted wanted{file, repository, read_inputs(system.main(), request, parts.config), {}};
  record::RunOptions& options = wanted.options;
  options.chosen = request.provider;
  options.model = request.model;
  if (!request.cassette.empty()) {
    options.chosen = "offline";
    options.cassette = record::load_cassette(request.cassette, parts.disk);
    options.playback = record::playback_options(request.playback, system);
  }
  options.providers = resolve_providers(system, parts.config, options, *parts.files, folders);
  require_keepable_limits(system, parts.config, *parts.files, folders);
  const model::Limits limits = parts.config.limits.before(system.main().limits);
  if (limits.any()) {
    remarks.push_back(
        "the run may use " + model::to_text(limits) +
        "; --max-calls and the like, or 'limits' in .agneto/config.yaml, change that");
  }
  options.inputs = wanted.inputs;
  options.interactive = request.interactive;
  options.auto_merge = request.auto_merge;
  options.limits = request.limits;
  options.root = root.string();
  options.library = resources.library().string();
  options.record = parts.record_file = request.record.string();
  options.provider = describe_providers(options.providers);
  wanted.remarks = std::move(remarks);
  return wanted;
}

// An id that is its own, and its record, which does not say yet where it works.
journal::RunRecord Assembly::claim(Parts& parts, const Wanted& wanted) {
  const fs::path home = workspace::prepare_home(home_of(parts.root));
  const model::Machine& machine = parts.loaded.system->main();
  journal::RunRecord run;
  run.task = task_text(machine, wanted.inputs);
  if (!parts.journal) parts.journal = open_journal(parts.root);
  // Its id names a branch and a folder, so there is no secret in it.
  auto claimed =
      claim_run(parts.root, home, *parts.journal,
                run.task.empty() ? machine.name : redactor_for(parts.root).text(run.task));
  parts.hold = std::move(claimed.hold);
  parts.mark = std::move(claimed.mark);
  parts.run_id = run.id = std::move(claimed.id);
  run.workflow = machine.name;
  run.file = wanted.workflow.string();
  run.created = run.updated = parts.clock.now();
  run.options = record::to_json(wanted.options);
  return run;
}

std::unique_ptr<Assembly> Assembly::create(const Request& request, const Resources& resources,
                                           Human& human, Observer& observer) {
  auto parts = std::make_unique<Parts>();
  Wanted wanted = prepare(*parts, request, resources);
  const model::System& system = *parts->loaded.system;
  journal::RunRecord run = claim(*parts, wanted);
  const fs::path& root = parts->root;
  const fs::path home = home_of(root) / ".agneto";
  std::vector<std::string>& remarks = wanted.remarks;
  for (auto& note : put_settings_back(home, *parts->journal, parts->run_id)) {
    remarks.push_back(std::move(note));
  }
  const workspace::Create place{root, home / "worktrees" / parts->run_id, parts->run_id,
                                request.base};
  bool made = false;
  const auto undo = [&] {
    if (made) workspace::remove(place);
  };
  try {
    parts->runner = std::make_unique<HeldRunner>(resources.guard, *parts->hold, parts->run_id);
    made = wanted.repository.has_value();
    if (made) {
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
    parts->make_sandbox(request.folder, resources);
    const script::ModulePaths modules{system.roots, resources.library()};
    parts->redactor = redactor_for(root);
    parts->services =
        make_services(*parts->files, modules, provider_folders(request.folder, resources),
                      parts->worker(), parts->clock, parts->redactor);
    parts->services->sandboxed = parts->sandbox != nullptr;

    run.status = "running";
    run.base = parts->workspace->base();
    run.branch = parts->workspace->branch();
    parts->chart.emplace(system, *parts->evaluator);
    chart::Instance instance(*parts->chart,
                             {parts->run_id, request.interactive, request.auto_merge});
    parts->engine = std::make_unique<Engine>(parts->setup(human, observer), std::move(run),
                                             std::move(instance), RunState{});
    parts->engine->begin(wanted.inputs, static_cast<RecordingFiles&>(*parts->files).texts(),
                         remarks);
    parts->mark.reset();
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

Queued Assembly::enqueue(const Request& request, const Resources& resources, int priority,
                         const std::string& by, const std::string& origin) {
  Parts parts;
  Wanted wanted = prepare(parts, request, resources);
  wanted.options.served = true;
  std::string base;
  if (wanted.repository) {
    base = workspace::require_base(*wanted.repository, request.base);
    wanted.options.hub = hub_address(parts.config, *wanted.repository);
    if (!wanted.options.hub.empty()) {
      wanted.options.root.clear();
      auto remark = not_pushed(parts.config, *wanted.repository, base);
      if (!remark.empty()) wanted.remarks.push_back(std::move(remark));
    }
  }
  journal::RunRecord run = claim(parts, wanted);
  run.status = "queued";
  run.base = std::move(base);
  run.needs = needs_of(wanted.options, home_of(parts.root), checked(request.needs));
  run.priority = priority;
  run.origin = origin;
  std::vector<record::Entry> entries = {{0, run.created, "", record::Queued{by}}};
  for (const auto& remark : wanted.remarks) {
    entries.push_back({0, run.created, "", record::Noted{remark}});
  }
  parts.journal->create(run, static_cast<RecordingFiles&>(*parts.files).texts(),
                        record::encode(entries), Json());
  parts.mark.reset();
  parts.hold.reset();  // who is woken up takes it
  wake_up(server_wakeup_of(home_of(parts.root) / ".agneto"));
  return {run.id, std::move(wanted.remarks)};
}

}  // namespace agneto::run
