#include "run/rewind.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "process/process.h"
#include "record/cut_off.h"
#include "record/options.h"
#include "run/held_runner.h"
#include "run/hub.h"
#include "run/new_run.h"
#include "run/prepare.h"
#include "run/sandbox/sandbox.h"
#include "run/state.h"

namespace agneto::run {
namespace {

using journal::Seq;
using record::Entry;

// The run that is gone back in.
struct Origin {
  std::unique_ptr<journal::Journal> journal;
  journal::RunRecord run;
  std::optional<workspace::Hub> hub;  // that it travels through
  fs::path root, home;

  Origin(const Moment& moment, const Resources& resources)
      : journal(journal_to_steer(moment.folder)),
        run(find_run(*journal, moment.run)),
        hub(hub_of(run, resources)),
        root(hub ? hub->clone() : home_of(moment.folder)),
        home(root / ".agneto") {
    if (hub) hub->bring_up();
  }

  workspace::Create files_of(const std::string& id) const {
    return {root, home / "worktrees" / id, id, run.base};
  }
  // Its files, to go on with.
  std::unique_ptr<workspace::Workspace> files() {
    if (run.branch.empty()) return workspace::plain(checkout());
    return hub ? hub->open(run.id) : workspace::open(files_of(run.id));
  }
  std::unique_ptr<workspace::Workspace> copy_for(const std::string& fork) {
    return hub ? hub->copy(run.id, fork) : workspace::copy(files_of(run.id), files_of(fork));
  }
  // Of one that was not recorded.
  void remove(const std::string& fork) {
    if (hub) return hub->remove(fork);
    workspace::remove(files_of(fork));
  }
  // The repository that the run was started in may have been moved.
  fs::path checkout() const {
    const fs::path at = record::options_of(run).root;
    return fs::exists(at) ? at : root;
  }
};

journal::Entry note(record::Body body, Time now) {
  return record::encode({0, now, "", std::move(body)});
}

template <typename AnyEntry>
const AnyEntry& entry_at(const std::vector<AnyEntry>& entries, Seq seq) {
  return entries.at(static_cast<std::size_t>(seq) - 1);
}

bool is_rest(const journal::Entry& entry) {
  return entry.kind == record::Macrostep::kind;
}

// Items in worktrees of their own are joined, and their worktrees gone, in one step with much else.
void require_no_items(const Json& state, const model::System& system, Seq seq) {
  for (const auto& [path, effect] : member(state.at("run"), "outstanding").items()) {
    const bool joins = effect.at("effect") == chart::JoinWorkspaces::kind;
    const std::string item = joins ? path : chart::workspace_of(system, path);
    if (item.empty()) continue;
    throw Error(
        fmt::format("after entry {}, {} worked in {}", seq, joins ? "items of " + path : item,
                    joins ? "worktrees of their own" : "a worktree of its own"),
        fmt::format("choose an entry before {} began or after it ended",
                    joins ? path : chart::for_each_of(item)));
  }
}

// `resume --update` may have taken another workflow since.
void require_fit(const Json& state, Origin& origin, const model::Loaded& workflow,
                 const Resources& resources, Seq seq) {
  const Disk disk;
  const Overlay files(origin.journal->sources(origin.run.id), disk);
  const model::System& system = *workflow.system;
  const auto evaluator = check_scripts(system, files, {system.roots, resources.library()});
  const chart::Chart chart(system, *evaluator);
  std::string misfit;
  try {
    chart::Instance::restore(chart, state.at("instance"));
    RunState::from_json(state.at("run"), system);
    return;
  } catch (const Error& error) {
    misfit = error.what();
  } catch (const Json::exception& error) {
    misfit = error.what();
  }
  throw Error(
      fmt::format("the run cannot go on from entry {} with the workflow that it has now: {}", seq,
                  misfit),
      "choose an entry after the 'resume --update' that took this workflow");
}

// What the entry's state would go on with, checked.
Json state_to_go_back_to(Origin& origin, const model::Loaded& workflow, const Resources& resources,
                         Seq seq) {
  require_rest(*origin.journal, origin.run.id, seq);
  Json state = origin.journal->state_at(origin.run.id, seq);
  if (state.at("instance").at("finished").get<bool>()) {
    throw Error(fmt::format("run {} had ended after entry {}", origin.run.id, seq),
                "choose an earlier entry");
  }
  require_fit(state, origin, workflow, resources, seq);
  require_no_items(state, *workflow.system, seq);
  return state;
}

// A merge is in somebody else's branch by now.
void require_no_merge(const std::string& run_id, const std::vector<Entry>& entries, Seq seq) {
  std::set<std::string> merges;
  for (const auto& entry : entries) {
    const auto* step = entry.get<record::Macrostep>();
    if (!step) continue;
    for (const auto& effect : step->effects) {
      const auto* operation = std::get_if<chart::GitOperation>(&effect);
      if (operation && operation->kind == model::WorkspaceOperation::Kind::merge) {
        merges.insert(operation->path);
      }
    }
    const auto* outcome = step->outcome();
    if (entry.seq <= seq || !outcome || outcome->name != "ok" || !merges.contains(outcome->path)) {
      continue;
    }
    throw Error(
        fmt::format("the work was merged at entry {}, which a rewind does not take back",
                    entry.seq),
        fmt::format("go on from there in a run of its own: agneto fork {} --at {}", run_id, seq));
  }
}

// Sessions that agents have gone on with since.
std::vector<std::string> sessions_since(const std::vector<Entry>& entries, Seq seq) {
  std::set<std::string> sessions;
  for (const auto& entry : entries) {
    if (entry.seq <= seq) continue;
    if (const auto* prompt = entry.get<record::Prompt>()) sessions.insert(prompt->session);
    if (const auto* reply = entry.get<record::Reply>()) sessions.insert(reply->session);
  }
  sessions.erase("");
  return {sessions.begin(), sessions.end()};
}

// The checkpoint of the run's worktree; empty: nothing has changed there.
std::string left_tree(const Json& state) {
  return state.at("run").value("trees", Json::object()).value("", "");
}

std::vector<std::string> all_sessions(const Json& state) {
  std::vector<std::string> sessions;
  for (const auto& [key, conversation] : member(state.at("run"), "threads").items()) {
    sessions.push_back(conversation.at("session"));
  }
  return sessions;
}

// What a killed owner's agents still do.
void end_processes(journal::Reader& journal, const std::string& run_id) {
  const Json state = journal.state(run_id);
  for (const auto& [path, effect] : member(state.at("run"), "outstanding").items()) {
    for (const auto& entry : journal.entries_of(run_id, path)) {
      if (entry.kind != record::Process::kind) continue;
      process::end_tree(record::decode(entry).get<record::Process>()->id);
    }
  }
}

// What a killed owner had sent counts, too; what it costs is not known.
Totals spent_until_now(Origin& origin) {
  const auto costs = [](const std::string&, const std::string&) { return false; };
  record::Tally tally;
  std::vector<Entry> entries = record::decode(origin.journal->entries(origin.run.id));
  const std::vector<Entry> lost = record::cut_off(entries, costs);
  if (!lost.empty()) origin.journal->append(origin.run.id, record::encode(lost), Json());
  entries.insert(entries.end(), lost.begin(), lost.end());
  for (const auto& entry : entries) tally.add(entry);
  Totals spent = tally.totals();
  spent.time.stop(origin.run.updated);
  return spent;
}

}  // namespace

void require_rest(journal::Reader& journal, const std::string& run_id, Seq seq) {
  // What comes after it may be damaged.
  const auto at = seq < 1 ? std::vector<journal::Entry>() : journal.entries(run_id, seq - 1, seq);
  if (!at.empty() && is_rest(at.front())) return;
  const auto entries = journal.entries(run_id);
  const Seq last = static_cast<Seq>(entries.size());
  std::vector<std::string> near;
  for (Seq before = std::clamp<Seq>(seq, 1, last + 1) - 1; before >= 1; --before) {
    if (!is_rest(entry_at(entries, before))) continue;
    near.push_back(std::to_string(before));
    break;
  }
  for (Seq after = std::clamp<Seq>(seq, 0, last) + 1; after <= last; ++after) {
    if (!is_rest(entry_at(entries, after))) continue;
    near.push_back(std::to_string(after));
    break;
  }
  const std::string what = seq < 1 || seq > last
                               ? fmt::format("run {} has no entry {}", run_id, seq)
                               : fmt::format("run {} was not at rest after entry {} ({})", run_id,
                                             seq, entry_at(entries, seq).kind);
  throw Error(what, near.empty() ? ""
                                 : (near.size() == 1 ? "the nearest is " : "the nearest are ") +
                                       join(near, " and "));
}

Seq last_rest(journal::Reader& journal, const std::string& run_id, Seq to) {
  const auto entries = journal.entries(run_id, 0, to);
  const auto found = std::find_if(entries.rbegin(), entries.rend(), [](const auto& recorded) {
    if (!is_rest(recorded)) return false;
    const Entry entry = record::decode(recorded);
    const auto* step = entry.get<record::Macrostep>();
    return std::none_of(step->effects.begin(), step->effects.end(), [](const auto& effect) {
      return std::holds_alternative<chart::Finish>(effect);
    });
  });
  return found == entries.rend() ? 0 : found->seq;
}

Seq before_end(journal::Reader& journal, const std::string& run_id) {
  std::vector<Entry> steps = record::decode(journal.entries(run_id));
  std::erase_if(steps, [](const Entry& e) { return !e.stands || !e.get<record::Macrostep>(); });
  std::set<std::string> operations;
  for (const Entry& entry : steps) {
    for (const auto& effect : entry.get<record::Macrostep>()->effects) {
      if (std::holds_alternative<chart::GitOperation>(effect)) {
        operations.insert(chart::path_of(effect));
      }
    }
  }
  // What the machine said to itself, and the git operations that went well, followed from it.
  const auto follows = [&](const Entry& entry) {
    const auto& event = entry.get<record::Macrostep>()->event;
    return event && (event->kind == chart::Event::Kind::queued ||
                     (event->name == "ok" && operations.contains(event->path)));
  };
  const auto last = std::find_if_not(steps.rbegin(), steps.rend(), follows);
  return last == steps.rend() || std::next(last) == steps.rend() ? 0 : std::next(last)->seq;
}

Restored rewind(const Moment& moment, const Resources& resources) {
  Origin origin(moment, resources);
  journal::RunRecord& run = origin.run;
  const auto hold = origin.journal->hold(run.id);
  auto notes = put_settings_back(origin.home, *origin.journal, run.id);
  run = *origin.journal->find(run.id);
  const model::Loaded workflow = recorded_workflow(*origin.journal, run);
  const Time now = std::max(SystemClock().now(), run.updated);

  state_to_go_back_to(origin, workflow, resources, moment.seq);
  const auto entries = record::decode(origin.journal->entries(run.id));
  require_no_merge(run.id, entries, moment.seq);
  const auto files = origin.files();
  if (const auto foreign = files->foreign_commits(); !foreign.empty()) {
    throw Error(
        fmt::format("branch {} has commits that are not the run's: {}", run.branch,
                    join(foreign, ", ")),
        fmt::format("keep them on a branch of their own: git branch NAME {} && git -C {} "
                    "reset --keep {}~1; or go on in a run of its own: agneto fork {} --at {}",
                    run.branch, files->path().string(),
                    foreign.back().substr(0, foreign.back().find(' ')), run.id, moment.seq));
  }
  end_processes(*origin.journal, run.id);

  origin.journal->own(run.id, hold->owner());
  // An earlier rewind may have been killed on its way.
  finish_restoring(*origin.journal, run, *files, now);
  const Totals spent = spent_until_now(origin);
  record::RunOptions options = record::options_of(run);
  ++options.rewinds;
  options.restoring = record::Restoring{entry_at(entries, moment.seq).time,
                                        sessions_since(entries, moment.seq), spent};
  run.options = record::to_json(options);
  run.status = "suspended";
  run.wake.reset();
  run.questions = journal::unknown_questions;
  run.outcome = fmt::format("rewound to entry {}", moment.seq);
  origin.journal->rewind(run.id, moment.seq, note(record::Rewound{moment.seq}, now), &run);
  return {run.id, finish_restoring(*origin.journal, run, *files, now), !run.branch.empty(),
          std::move(notes)};
}

Restored fork(const Moment& moment, const Resources& resources) {
  Origin origin(moment, resources);
  const model::Loaded workflow = recorded_workflow(*origin.journal, origin.run);
  const Time now = std::max(SystemClock().now(), origin.run.updated);
  const Json state = state_to_go_back_to(origin, workflow, resources, moment.seq);
  const std::string checkpoint = left_tree(state);

  journal::RunRecord run = origin.run;
  const auto [id, own_hold, mark] = claim_run(origin.root, origin.home, *origin.journal,
                                              run.task.empty() ? run.workflow : run.task);
  auto notes = put_settings_back(origin.home, *origin.journal, id);
  run.id = id;
  std::unique_ptr<workspace::Workspace> files = workspace::plain(origin.checkout());
  try {
    if (!run.branch.empty()) {
      files = origin.copy_for(run.id);
      const Config config =
          read_config(origin.checkout(), Disk(), provider_folders(origin.checkout(), resources));
      HeldRunner runner(resources.guard, *own_hold, id);
      process::Listener quiet;
      if (!checkpoint.empty()) files->restore(checkpoint);
      const Disk disk;
      const auto sandbox = sandbox_for(config.sandbox, origin.root, id, files->path(), runner, disk,
                                       sandbox_folders(origin.checkout(), resources));
      process::Runner& worker = sandbox ? static_cast<process::Runner&>(*sandbox) : runner;
      furnish(files->path(), origin.root, config, worker, quiet, {});
    }
    run.branch = files->branch();
    run.created = run.updated = now;
    run.status = "suspended";
    run.wake.reset();
    run.origin.clear();
    run.questions = journal::unknown_questions;
    run.outcome = fmt::format("forked from {} at entry {}", origin.run.id, moment.seq);
    record::RunOptions options = record::options_of(run);
    options.rewinds = 0;
    options.record.clear();
    const auto at = origin.journal->entries(origin.run.id, moment.seq - 1, moment.seq).front();
    options.restoring = record::Restoring{at.time, all_sessions(state), {}, true};
    run.options = record::to_json(options);
    origin.journal->fork(origin.run.id, moment.seq, run,
                         note(record::Forked{origin.run.id, moment.seq}, now));
  } catch (...) {
    origin.remove(run.id);
    throw;
  }
  origin.journal->own(run.id, own_hold->owner());
  return {run.id, finish_restoring(*origin.journal, run, *files, now), !run.branch.empty(),
          std::move(notes)};
}

// Timers have left what they had then; what was spent since is spent.
std::vector<std::string> finish_restoring(journal::Journal& journal, journal::RunRecord& run,
                                          workspace::Workspace& workspace, Time now) {
  record::RunOptions options = record::options_of(run);
  if (!options.restoring) return {};
  const record::Restoring restoring = *options.restoring;
  Json saved = journal.state(run.id);
  Json& state = saved.at("run");
  std::vector<std::string> kept;
  if (!restoring.placed) kept = workspace.rewind(left_tree(saved));

  saved.at("instance").at("run").at("id") = run.id;
  const std::int64_t then = restoring.at.time_since_epoch().count();
  const std::int64_t today = std::max(now, run.updated).time_since_epoch().count();
  if (state.contains("timers")) {
    for (auto& timer : state["timers"]) {
      const auto due = timer.at("due").get<std::int64_t>();
      const std::int64_t left = std::max<std::int64_t>(0, due - then);
      timer["left"] = left;
      timer["due"] = today + left;
    }
  }
  const std::set<std::string> ended(restoring.sessions.begin(), restoring.sessions.end());
  if (state.contains("threads")) {
    for (auto& conversation : state["threads"]) {
      std::string session = conversation.at("session");
      if (ended.contains(session)) conversation["session"] = "";
    }
  }
  Totals spent = restoring.totals ? *restoring.totals : totals_from(state.at("totals"));
  spent.time.stop(restoring.at);
  state["totals"] = to_json(spent);
  options.restoring.reset();
  run.options = record::to_json(options);
  journal.append(run.id, {note(record::Restored{kept}, now)}, saved, &run);
  return kept;
}

}  // namespace agneto::run
