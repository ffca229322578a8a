// What a run has made: its changes, its machines and its way through them.
#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "chart/path.h"
#include "graph/trail.h"
#include "run/hub.h"
#include "run/queue.h"
#include "run/reader.h"
#include "serve/desk.h"
#include "workspace/inspect.h"

namespace agneto::serve {

namespace {

// `path`: of the instance.
void list_machines(const Json& instance, const std::string& path, Json& machines) {
  if (!instance.is_object()) return;
  machines.push_back({{"path", path},
                      {"machine", instance.at("machine")},
                      {"states", instance.at("active")},
                      {"data", instance.at("data")}});
  for (const auto& [owner, child] : member(instance, "children").items()) {
    list_machines(child, chart::within(path, owner), machines);
  }
}

// "at 0:38", "at 1:02:03": what a watch shows that was started then.
std::string since(Time begun, Time time) {
  const auto seconds = std::max<std::int64_t>(0, (time - begun).count() / 1000);
  const std::string rest = fmt::format("{:02}", seconds % 60);
  const auto minutes = seconds / 60;
  return minutes < 60 ? fmt::format("at {}:{}", minutes, rest)
                      : fmt::format("at {}:{:02}:{}", minutes / 60, minutes % 60, rest);
}

}  // namespace

Json Desk::files(const journal::RunRecord& run) const {
  std::vector<std::string> files;
  if (!run.branch.empty()) files = workspace::files_of(place_of(run), run.status == "complete");
  return {{"files", redactor().json(files)}};
}

Json Desk::commits(const journal::RunRecord& run) const {
  Json commits = Json::array();
  if (!run.branch.empty()) {
    for (const auto& commit : workspace::commits_of(place_of(run))) {
      commits.push_back({{"commit", commit.name},
                         {"time", commit.time},
                         {"subject", redactor().text(commit.subject)}});
    }
  }
  return {{"commits", std::move(commits)}};
}

std::string Desk::diff(const journal::RunRecord& run, const std::string& commit) const {
  const auto unknown = [&] {
    return NotFound("run " + run.id + " has no commit '" + printable(commit) + "'",
                    "/runs/" + run.id + "/commits lists those that it has");
  };
  if (run.branch.empty()) {
    if (!commit.empty()) throw unknown();
    return {};
  }
  const workspace::Place place = place_of(run);
  if (commit.empty()) {
    return redactor().text(workspace::diff_of(place, run.status == "complete"));
  }
  const auto known = workspace::commits_of(place);
  if (std::ranges::find(known, commit, &workspace::Commit::name) == known.end()) throw unknown();
  return redactor().text(workspace::diff_of_commit(place, commit));
}

Json Desk::moment(const journal::RunRecord& run, journal::Seq at) const {
  const journal::Seq newest = world_.journal->newest(run.id);
  const journal::Seq seq = at == 0 ? newest : at;
  if (seq > newest) {
    throw NotFound(fmt::format("run {} has no entry {}", run.id, seq),
                   fmt::format("its last one is {}", newest));
  }
  Json machines = Json::array();
  if (run::has_begun(*world_.journal, run.id)) {
    const Json state = redactor().json(world_.journal->state_at(run.id, seq));
    list_machines(graph::recorded_instance(state), "", machines);
  }
  return {{"seq", seq}, {"machines", std::move(machines)}};
}

graph::Picture Desk::picture(const journal::RunRecord& run, const std::string& machine,
                             int depth) const {
  const run::Reader reader(*world_.journal, redactor(), run.id, world_.folder);
  const auto workflow = reader.workflow();
  if (!workflow) {
    throw Error("the workflow of run " + run.id + " cannot be read by this version");
  }
  const model::System& system = *workflow->system;
  const auto found = machine.empty()
                         ? system.machines.begin()
                         : std::ranges::find(system.machines, machine, &model::Machine::name);
  if (found == system.machines.end()) {
    throw NotFound("run " + run.id + " has no machine '" + printable(machine) + "'",
                   suggestion(machine, names_of(system.machines), "machines"));
  }
  // The ids in it are those of this text of the workflow.
  std::string text;
  for (const SourcePtr& source : workflow->sources) text += sha256(source->text());
  graph::Trail trail =
      walked_.look(run.id + " " + found->name + " " + sha256(text),
                   [&](Walked& walked) { return trail_of(run.id, system, found->id, walked); });
  trail.active = graph::active_in(graph::recorded_instance(reader.state()), system, found->id);
  for (const auto& [key, time] : trail.last) trail.remarks[key] = since(run.created, time);
  return graph::draw(system, found->id, depth, trail);
}

// A rewind undoes what was counted; then all is counted anew.
graph::Trail Desk::trail_of(const std::string& run, const model::System& system,
                            model::MachineId machine, Walked& walked) const {
  constexpr journal::Seq at_a_time = 1000;
  for (;;) {
    if (walked.seen == 0) walked = {{}, 0, world_.journal->newest(run)};
    const auto entries =
        record::decode(world_.journal->entries(run, walked.seen, walked.seen + at_a_time));
    if (entries.empty()) break;
    const bool undoes = std::ranges::any_of(entries, [&](const record::Entry& entry) {
      return entry.get<record::Rewound>() != nullptr && entry.seq > walked.undone;
    });
    if (undoes) {
      walked.seen = 0;
      continue;
    }
    graph::count(entries, system, machine, walked.trail);
    walked.seen = entries.back().seq;
  }
  walked.trail.kind = graph::Trail::Kind::path;
  return walked.trail;
}

workspace::Place Desk::place_of(const journal::RunRecord& run) const {
  return run::place_of(run, world_.folder, world_.resources);
}

}  // namespace agneto::serve
