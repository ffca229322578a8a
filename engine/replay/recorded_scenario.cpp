#include "replay/recorded_scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "chart/path.h"
#include "play/played_machine.h"
#include "record/options.h"
#include "yaml/writer.h"

namespace agneto::replay {
namespace {

using yaml::Ordered;

Ordered ordered(const Json& value) {
  return Ordered::parse(to_text(value));
}

std::string to_duration(Millis duration) {
  return std::to_string(std::max<std::int64_t>(duration.count(), 0)) + "ms";
}

class ScenarioWriter {
 public:
  ScenarioWriter(const journal::RunRecord& run, const model::System& system,
                 chart::Evaluator& evaluator)
      : run_(run),
        options_(record::options_of(run)),
        machine_(system, evaluator, {run.id, options_.interactive, options_.auto_merge}) {}

  std::string write(const std::vector<record::Entry>& entries, const std::string& workflow) {
    for (const auto& entry : entries) {
      if (entry.stands) take(entry);
    }
    Ordered all = {{"agneto-test", 1}};
    if (!workflow.empty()) all["workflow"] = workflow;
    Ordered row = {{"name", run_.task.empty() ? run_.id : first_line(run_.task)}};
    row["inputs"] = ordered(inputs_);
    if (!options_.interactive) row["interactive"] = false;
    if (options_.auto_merge) row["auto_merge"] = true;
    row["steps"] = std::move(steps_);
    row["expect"] = expectation();
    all["cases"] = Ordered::array({std::move(row)});
    return "# Recorded from run " + run_.id + ".\n" + yaml::to_yaml(all);
  }

 private:
  static std::string first_line(const std::string& text) {
    return shortened(text.substr(0, text.find('\n')), 100);
  }

  void take(const record::Entry& entry) {
    if (const auto* started = entry.get<record::Started>()) inputs_ = started->inputs;
    if (const auto* reply = entry.get<record::Reply>()) replies_[entry.path].push_back(*reply);
    if (const auto* given = entry.get<record::Answered>()) answers_[entry.path] = *given;
    if (const auto* step = entry.get<record::Macrostep>()) macrostep(*step);
  }

  void macrostep(const record::Macrostep& step) {
    if (!begun_) {
      begun_ = true;
      machine_.start(inputs_);
      initial_ = machine_.instance().data("").at("ctx");
    } else if (!step.event) {
      // Where an abort was taken, another one ends it; else the first did.
      if (aborted_) steps_.push_back({{"event", "abort"}, {"expect", {{"handled", false}}}});
      machine_.force_abort("aborted by a person");
    } else {
      take_event(*step.event);
    }
    note();
  }

  void take_event(const chart::Event& event) {
    using Kind = chart::Event::Kind;
    const bool external = event.kind == Kind::external;
    if (external) {
      Ordered step = {{"event", event.name}};
      if (!event.data.is_null()) step["data"] = ordered(event.data);
      steps_.push_back(std::move(step));
    } else if (event.kind == Kind::timer) {
      Millis due{0};
      for (const play::Timer& timer : machine_.timers()) {
        if (timer.path == event.path) due = timer.due;
      }
      steps_.push_back({{"advance", to_duration(due - machine_.now())}});
    } else if (event.kind == Kind::outcome) {
      outcome(event);
    }
    machine_.step(event);
    const bool handled = machine_.effects().handled;
    if (external && event.name == "abort") aborted_ = handled;
    if (external && !handled) steps_.back()["expect"] = {{"handled", false}};
  }

  template <typename Kind>
  bool is(const std::string& path) const {
    const chart::Effect* activity = machine_.ordered(path);
    return activity && std::holds_alternative<Kind>(*activity);
  }

  void outcome(const chart::Event& event) {
    const std::string at = chart::without_entries(event.path);
    if (is<chart::OpenWorkspace>(event.path) || is<chart::JoinWorkspaces>(event.path)) {
      return;  // a test has no worktrees
    }
    if (is<chart::AskHuman>(event.path) && answers_.contains(event.path)) {
      return answer(at, answers_[event.path]);
    }
    bool replied = false;
    for (const auto& reply : replies_[event.path]) {
      if (!reply.error.empty()) continue;
      steps_.push_back({{"at", at}, {"reply", reply.text}});
      replied = true;
    }
    // A call that failed in the end was not failed by what it said.
    const bool failed = !replies_[event.path].empty() && !replies_[event.path].back().error.empty();
    if (replied && !failed) return;
    Ordered step = {{"at", at}, {"outcome", event.name}};
    if (!event.data.is_null() && !event.data.empty()) step["data"] = ordered(event.data);
    steps_.push_back(std::move(step));
  }

  void answer(const std::string& at, const record::GivenAnswer& given) {
    Ordered step = {{"at", at}};
    if (given.option.empty()) {
      step["text"] = given.feedback;
    } else {
      step["answer"] = given.option;
      if (!given.feedback.empty()) step["feedback"] = given.feedback;
      if (given.edited) step["edited"] = *given.edited;
    }
    if (given.by != "person") step["by"] = given.by;
    steps_.push_back(std::move(step));
  }

  void note() {
    std::set<std::string> atomic;
    for (const auto& state : machine_.instance().configuration()) {
      if (!state.atomic) continue;
      atomic.insert(state.path);
      if (!active_.contains(state.path)) path_.push_back(chart::without_entries(state.path));
    }
    active_ = std::move(atomic);
    for (const auto& problem : machine_.effects().problems) {
      if (std::find(problems_.begin(), problems_.end(), problem.event) == problems_.end()) {
        problems_.push_back(problem.event);
      }
    }
    context_ = machine_.instance().data("").at("ctx");
  }

  Ordered expectation() const {
    Ordered expect = Ordered::object();
    const auto& finish = machine_.finish();
    expect["outcome"] = finish ? Ordered(finish->outcome) : Ordered();
    if (finish) expect["status"] = model::to_text(finish->status);
    expect["path"] = path_;
    if (!problems_.empty()) expect["problems"] = problems_;
    Ordered context = Ordered::object();
    for (const auto& [name, value] : context_.items()) {
      if (!initial_.contains(name) || initial_.at(name) != value) context[name] = ordered(value);
    }
    if (!context.empty()) expect["context"] = std::move(context);
    return expect;
  }

  const journal::RunRecord& run_;
  const record::RunOptions options_;
  play::PlayedMachine machine_;
  bool begun_ = false;
  bool aborted_ = false;  // and the machine took it
  Json inputs_, initial_, context_;
  Ordered steps_ = Ordered::array();
  std::map<std::string, std::vector<agents::ReplyRecord>> replies_;
  std::map<std::string, record::GivenAnswer> answers_;
  std::set<std::string> active_;
  std::vector<std::string> path_, problems_;
};

}  // namespace

std::string to_scenario(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
                        const model::System& system, chart::Evaluator& evaluator,
                        const std::string& workflow) {
  return ScenarioWriter(run, system, evaluator).write(entries, workflow);
}

}  // namespace agneto::replay
