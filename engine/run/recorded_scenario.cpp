#include "run/recorded_scenario.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "chart/path.h"
#include "chart/step.h"
#include "run/record.h"
#include "yaml/writer.h"

namespace agneto::run {
namespace {

using yaml::Ordered;

Ordered ordered(const Json& value) {
  return Ordered::parse(to_text(value));
}

std::string to_duration(Millis duration) {
  return std::to_string(std::max<std::int64_t>(duration.count(), 0)) + "ms";
}

class Writer {
 public:
  Writer(const journal::RunRecord& run, const model::System& system, chart::Evaluator& evaluator)
      : run_(run),
        chart_(system, evaluator),
        instance_(chart_, {run.id, run.options.value("interactive", true),
                           run.options.value("auto_merge", false)}) {}

  std::string write(const std::vector<journal::Entry>& entries, const std::string& workflow) {
    for (const auto& entry : entries) {
      if (entry.stands) take(entry);
    }
    Ordered all = {{"agneto-test", 1}};
    if (!workflow.empty()) all["workflow"] = workflow;
    Ordered row = {{"name", run_.task.empty() ? run_.id : first_line(run_.task)}};
    row["inputs"] = ordered(inputs_);
    if (!run_.options.value("interactive", true)) row["interactive"] = false;
    if (run_.options.value("auto_merge", false)) row["auto_merge"] = true;
    row["steps"] = std::move(steps_);
    row["expect"] = expectation();
    all["cases"] = Ordered::array({std::move(row)});
    return "# Recorded from run " + run_.id + ".\n" + yaml::to_yaml(all);
  }

 private:
  static std::string first_line(const std::string& text) {
    return shortened(text.substr(0, text.find('\n')), 100);
  }

  void take(const journal::Entry& entry) {
    if (entry.kind == "started") inputs_ = entry.body.at("inputs");
    if (entry.kind == "reply") replies_[entry.path].push_back(reply_record(entry.body));
    if (entry.kind == "answer") answers_[entry.path] = entry.body;
    if (entry.kind == "macrostep") macrostep(entry.body);
  }

  void macrostep(const Json& body) {
    const Json& event = body.at("event");
    if (!begun_) {
      begun_ = true;
      chart::start(instance_, inputs_, out_);
      initial_ = instance_.data("").at("ctx");
    } else if (event.is_null()) {
      // Where an abort was taken, another one ends it; else the first did.
      if (aborted_) steps_.push_back({{"event", "abort"}, {"expect", {{"handled", false}}}});
      chart::force_abort(instance_, "aborted by a person", out_);
    } else {
      take_event(event);
    }
    note();
  }

  void take_event(const Json& json) {
    using Kind = chart::Event::Kind;
    const std::string kind = json.at("kind");
    chart::Event event;
    event.name = json.at("name");
    event.data = json.at("data");
    event.path = json.value("path", "");
    if (kind == "external") {
      Ordered step = {{"event", event.name}};
      if (!event.data.is_null()) step["data"] = ordered(event.data);
      steps_.push_back(std::move(step));
    } else if (kind == "timer") {
      event.kind = Kind::timer;
      const Millis due = due_[event.path];
      steps_.push_back({{"advance", to_duration(due - now_)}});
      now_ = std::max(now_, due);
      due_.erase(event.path);
    } else if (kind == "queued") {
      event.kind = Kind::queued;
    } else {
      event.kind = Kind::outcome;
      outcome(event);
    }
    chart::step(instance_, event, out_);
    if (kind == "external" && event.name == "abort") aborted_ = out_.handled;
    if (kind == "external" && !out_.handled) steps_.back()["expect"] = {{"handled", false}};
  }

  void outcome(const chart::Event& event) {
    const std::string at = chart::without_entries(event.path);
    const std::string kind = kinds_[event.path];
    if (kind == "open workspace" || kind == "join workspaces") return;  // a test has no worktrees
    if (kind == "ask" && answers_.contains(event.path)) return answer(at, answers_[event.path]);
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

  void answer(const std::string& at, const Json& given) {
    const std::string option = given.at("option"), feedback = given.at("feedback");
    Ordered step = {{"at", at}};
    if (option.empty()) {
      step["text"] = feedback;
    } else {
      step["answer"] = option;
      if (!feedback.empty()) step["feedback"] = feedback;
      if (given.contains("edited")) step["edited"] = given["edited"].get<std::string>();
    }
    const std::string by = given.value("by", "person");
    if (by != "person") step["by"] = by;
    steps_.push_back(std::move(step));
  }

  void note() {
    for (const auto& effect : out_.effects) {
      const std::string& path = chart::path_of(effect);
      if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
        due_[path] = now_ + timer->delay;
      } else if (std::holds_alternative<chart::Cancel>(effect)) {
        due_.erase(path);
      } else if (const auto* finish = std::get_if<chart::Finish>(&effect)) {
        finish_ = *finish;
      } else {
        kinds_[path] = chart::to_json(effect, chart_.system()).at("effect");
      }
    }
    std::set<std::string> atomic;
    for (const auto& state : instance_.configuration()) {
      if (!state.atomic) continue;
      atomic.insert(state.path);
      if (!active_.contains(state.path)) path_.push_back(chart::without_entries(state.path));
    }
    active_ = std::move(atomic);
    for (const auto& problem : out_.problems) {
      if (std::find(problems_.begin(), problems_.end(), problem.event) == problems_.end()) {
        problems_.push_back(problem.event);
      }
    }
    context_ = instance_.data("").at("ctx");
  }

  Ordered expectation() const {
    Ordered expect = Ordered::object();
    expect["outcome"] = finish_ ? Ordered(finish_->outcome) : Ordered();
    if (finish_) expect["status"] = model::to_text(finish_->status);
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
  chart::Chart chart_;
  chart::Instance instance_;
  chart::Effects out_;
  bool begun_ = false;
  bool aborted_ = false;  // and the machine took it
  Json inputs_, initial_, context_;
  Ordered steps_ = Ordered::array();
  std::map<std::string, std::vector<agents::ReplyRecord>> replies_;
  std::map<std::string, Json> answers_;
  std::map<std::string, std::string> kinds_;  // of ordered activities
  std::map<std::string, Millis> due_;         // of timers, on a clock that only they move
  Millis now_{0};
  std::set<std::string> active_;
  std::vector<std::string> path_, problems_;
  std::optional<chart::Finish> finish_;
};

}  // namespace

std::string to_scenario(const journal::RunRecord& run, const std::vector<journal::Entry>& entries,
                        const model::System& system, chart::Evaluator& evaluator,
                        const std::string& workflow) {
  return Writer(run, system, evaluator).write(entries, workflow);
}

}  // namespace agneto::run
