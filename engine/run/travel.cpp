#include "run/travel.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "chart/effect.h"
#include "process/process.h"
#include "run/prepare.h"
#include "run/state.h"

namespace agneto::run {
namespace {

using journal::Entry;
using journal::Seq;

struct Place {
  fs::path root, home;
  std::unique_ptr<journal::Journal> journal;
  journal::RunRecord line;

  explicit Place(const Travel& travel)
      : root(home_of(travel.folder)), home(root / ".agneto"), journal(journal_of(travel.folder)) {
    if (!journal) throw Error("there are no runs here", "start one with 'agneto run TASK'");
    line = find_run(*journal, travel.run);
  }

  workspace::Create files_of(const std::string& run) const {
    return {root, home / "worktrees" / run, run, line.base};
  }
  // The repository that the run was started in may have been moved.
  fs::path checkout() const {
    const fs::path at = line.options.value("root", root.string());
    return fs::exists(at) ? at : root;
  }
};

Entry note(std::string kind, Json body, Time now) {
  Entry entry;
  entry.time = now;
  entry.kind = std::move(kind);
  entry.body = std::move(body);
  return entry;
}

const Entry& entry_at(const std::vector<Entry>& entries, Seq seq) {
  return entries.at(static_cast<std::size_t>(seq) - 1);
}

bool is_rest(const Entry& entry) {
  return entry.kind == "macrostep";
}

// Items in worktrees of their own are joined, and their worktrees gone, in one step with much else.
void require_no_items(const Json& state, const model::System& system, Seq seq) {
  for (const auto& [path, effect] : member(state.at("run"), "outstanding").items()) {
    const std::string place = chart::workspace_of(system, path);
    if (place.empty()) continue;
    throw Error(
        fmt::format("after entry {}, {} worked in a worktree of its own", seq, place),
        "choose an entry before " + place.substr(0, place.rfind('[')) + " began or after it ended");
  }
}

// `resume --update` may have taken another workflow since.
void require_fit(const Json& state, Place& place, const model::Loaded& workflow,
                 const Resources& resources, Seq seq) {
  const Disk disk;
  const RecordedFiles files(place.journal->sources(place.line.id), disk);
  const model::System& system = *workflow.system;
  const auto evaluator =
      check_scripts(system, files, {system.root, resources.share / "scripts" / "lib"});
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
Json state_to_go_back_to(Place& place, const model::Loaded& workflow, const Resources& resources,
                         Seq seq) {
  require_rest(*place.journal, place.line.id, seq);
  Json state = place.journal->state_at(place.line.id, seq);
  if (state.at("instance").at("finished").get<bool>()) {
    throw Error(fmt::format("run {} had ended after entry {}", place.line.id, seq),
                "choose an earlier entry");
  }
  require_fit(state, place, workflow, resources, seq);
  require_no_items(state, *workflow.system, seq);
  return state;
}

// A merge is in somebody else's branch by now.
void require_no_merge(const std::string& run_id, const std::vector<Entry>& entries, Seq seq) {
  std::set<std::string> merges;
  for (const auto& entry : entries) {
    if (!is_rest(entry)) continue;
    for (const auto& effect : entry.body.at("effects")) {
      if (effect.at("effect") == "workspace" && effect.at("operation") == "merge") {
        merges.insert(effect.at("path").get<std::string>());
      }
    }
    const Json& event = entry.body.at("event");
    if (entry.seq <= seq || !event.is_object() || event.at("name") != "ok" ||
        !merges.contains(event.value("path", ""))) {
      continue;
    }
    throw Error(
        fmt::format("the work was merged at entry {}, which a rewind does not take back",
                    entry.seq),
        fmt::format("go on from there in a run of its own: agneto fork {} --at {}", run_id, seq));
  }
}

// Sessions that agents have gone on with since.
Json sessions_since(const std::vector<Entry>& entries, Seq seq) {
  std::set<std::string> sessions;
  for (const auto& entry : entries) {
    if (entry.seq <= seq || (entry.kind != "prompt" && entry.kind != "reply")) continue;
    sessions.insert(entry.body.value("session", ""));
  }
  sessions.erase("");
  return sessions;
}

// The checkpoint of the run's worktree; empty: nothing has changed there.
std::string left_tree(const Json& state) {
  return state.at("run").value("trees", Json::object()).value("", "");
}

Json all_sessions(const Json& state) {
  Json sessions = Json::array();
  for (const auto& [key, thread] : member(state.at("run"), "threads").items()) {
    sessions.push_back(thread.at("session"));
  }
  return sessions;
}

// What a killed owner's agents still do.
void end_processes(journal::Journal& journal, const std::string& run_id) {
  const Json state = journal.state(run_id);
  for (const auto& [path, effect] : member(state.at("run"), "outstanding").items()) {
    for (const auto& entry : journal.entries_of(run_id, path)) {
      if (entry.kind != "process") continue;
      process::end_tree({entry.body.at("pid"), entry.body.at("start_time")});
    }
  }
}

}  // namespace

void require_rest(journal::Journal& journal, const std::string& run_id, Seq seq) {
  // What comes after it may be damaged.
  const auto at = seq < 1 ? std::vector<Entry>() : journal.entries(run_id, seq - 1, seq);
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

Seq last_rest(journal::Journal& journal, const std::string& run_id, Seq to) {
  const auto entries = journal.entries(run_id, 0, to);
  const auto found = std::find_if(entries.rbegin(), entries.rend(), [](const Entry& entry) {
    if (!is_rest(entry)) return false;
    const Json& effects = entry.body.at("effects");
    return std::none_of(effects.begin(), effects.end(),
                        [](const Json& effect) { return effect.at("effect") == "finish"; });
  });
  return found == entries.rend() ? 0 : found->seq;
}

Arrival rewind(const Travel& travel, const Resources& resources) {
  Place place(travel);
  journal::RunRecord& line = place.line;
  const auto lock = lock_run(place.home, line.id);
  line = *place.journal->find(line.id);
  const model::Loaded workflow = recorded_workflow(*place.journal, line);
  const Time now = std::max(SystemClock().now(), line.updated);

  state_to_go_back_to(place, workflow, resources, travel.seq);
  const auto entries = place.journal->entries(line.id);
  require_no_merge(line.id, entries, travel.seq);
  const auto files = workflow.system->needs_repository() ? workspace::open(place.files_of(line.id))
                                                         : workspace::plain(place.checkout());
  if (const auto foreign = files->foreign_commits(); !foreign.empty()) {
    throw Error(
        fmt::format("branch {} has commits that are not the run's: {}", line.branch,
                    join(foreign, ", ")),
        fmt::format("keep them on a branch of their own: git branch NAME {} && git -C {} "
                    "reset --keep {}~1; or go on in a run of its own: agneto fork {} --at {}",
                    line.branch, files->path().string(),
                    foreign.back().substr(0, foreign.back().find(' ')), line.id, travel.seq));
  }
  end_processes(*place.journal, line.id);

  place.journal->own(line.id, lock->owner());
  arrive(*place.journal, line, *files, now);  // where an earlier rewind was killed on its way
  Totals spent = totals_from(place.journal->state(line.id).at("run").at("totals"));
  spent.stop(line.updated);
  line.options["rewinds"] = line.options.value("rewinds", 0) + 1;
  line.options["travel"] = {{"at", entry_at(entries, travel.seq).time.time_since_epoch().count()},
                            {"sessions", sessions_since(entries, travel.seq)},
                            {"totals", to_json(spent)}};
  line.status = "suspended";
  line.outcome = fmt::format("rewound to entry {}", travel.seq);
  place.journal->rewind(line.id, travel.seq, note("rewound", Json::object(), now), &line);
  return {line.id, arrive(*place.journal, line, *files, now), !line.branch.empty()};
}

Arrival fork(const Travel& travel, const Resources& resources) {
  Place place(travel);
  const model::Loaded workflow = recorded_workflow(*place.journal, place.line);
  const Time now = std::max(SystemClock().now(), place.line.updated);
  const Json state = state_to_go_back_to(place, workflow, resources, travel.seq);
  const std::string checkpoint = left_tree(state);

  journal::RunRecord line = place.line;
  line.id = new_run_id(line.task.empty() ? line.workflow : line.task);
  const auto own_lock = lock_run(place.home, line.id);
  std::unique_ptr<workspace::Workspace> files = workspace::plain(place.checkout());
  try {
    if (workflow.system->needs_repository()) {
      files = workspace::copy(place.files_of(place.line.id), place.files_of(line.id));
      const Config config = read_config(place.checkout() / ".agneto" / "config.yaml", Disk());
      process::GuardedRunner runner(resources.guard);
      process::Listener quiet;
      if (!checkpoint.empty()) files->restore(checkpoint);
      furnish(files->path(), place.root, config, runner, quiet, {});
    }
    line.branch = files->branch();
    line.created = line.updated = now;
    line.status = "suspended";
    line.outcome = fmt::format("forked from {} at entry {}", place.line.id, travel.seq);
    line.options.erase("rewinds");
    line.options.erase("record");
    const Entry at = place.journal->entries(place.line.id, travel.seq - 1, travel.seq).front();
    line.options["travel"] = {{"at", at.time.time_since_epoch().count()},
                              {"sessions", all_sessions(state)},
                              {"placed", true}};
    place.journal->fork(place.line.id, travel.seq, line,
                        note("forked", {{"run", place.line.id}, {"at", travel.seq}}, now));
  } catch (...) {
    workspace::remove(place.files_of(line.id));
    own_lock->discard();
    throw;
  }
  place.journal->own(line.id, own_lock->owner());
  return {line.id, arrive(*place.journal, line, *files, now), !line.branch.empty()};
}

// Timers have left what they had then; what was spent since is spent.
std::vector<std::string> arrive(journal::Journal& journal, journal::RunRecord& line,
                                workspace::Workspace& workspace, Time now) {
  if (!line.options.contains("travel")) return {};
  const Json travel = line.options.at("travel");
  Json state = journal.state(line.id);
  Json& run = state.at("run");
  std::vector<std::string> kept;
  if (!travel.value("placed", false)) kept = workspace.rewind(left_tree(state));

  state.at("instance").at("run").at("id") = line.id;
  const std::int64_t then = travel.at("at");
  const std::int64_t today = std::max(now, line.updated).time_since_epoch().count();
  if (run.contains("timers")) {
    for (auto& timer : run["timers"]) {
      const auto due = timer.at("due").get<std::int64_t>();
      const std::int64_t left = std::max<std::int64_t>(0, due - then);
      timer["left"] = left;
      timer["due"] = today + left;
    }
  }
  const auto ended = travel.at("sessions").get<std::set<std::string>>();
  if (run.contains("threads")) {
    for (auto& thread : run["threads"]) {
      if (ended.contains(thread.at("session").get<std::string>())) thread["session"] = "";
    }
  }
  Totals spent = totals_from(travel.contains("totals") ? travel.at("totals") : run.at("totals"));
  spent.stop(Time(Millis(then)));
  run["totals"] = to_json(spent);
  line.options.erase("travel");
  journal.append(line.id, {note("restored", {{"kept", kept}}, now)}, state, &line);
  return kept;
}

}  // namespace agneto::run
