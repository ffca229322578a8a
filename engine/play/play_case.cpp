#include "play/play_case.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "chart/called.h"
#include "chart/path.h"
#include "play/compare.h"
#include "play/simulator.h"
#include "play/step_outcome.h"
#include "script/evaluator.h"
#include "script/hook_data.h"
#include "script/verdicts.h"

namespace agneto::play {

namespace {

using Problem = chart::Effects::Problem;

// A reply without a usable verdict is asked for again, as in a run.
constexpr int most_reasks = 2;

Options options_of(const Case& row) {
  Options options;
  options.shallow = row.shallow;
  options.run = {"scenario", row.interactive, row.auto_merge};
  return options;
}

class Player {
 public:
  Player(const Case& row, const Workflow& workflow, Coverage* coverage)
      : row_(row),
        system_(*workflow.loaded.system),
        coverage_(coverage),
        hooks_(workflow.files, workflow.modules),
        watched_(coverage
                     ? std::make_unique<WatchedEvaluator>(*workflow.evaluator, system_, *coverage)
                     : nullptr),
        simulator_(system_, watched_ ? *watched_ : *workflow.evaluator, options_of(row),
                   [this](const Macrostep& step) { note(step); }) {}

  Result play() {
    std::vector<std::string> errors;
    const Json inputs = system_.main().check_inputs(row_.inputs.json, errors);
    for (const auto& error : errors) fail(row_.inputs.span, error, "");
    if (errors.empty()) {
      simulator_.start(inputs);
      for (const Problem& problem : problems_) {
        if (!is_expected(problem)) fail(row_.name.span, problem.event + ": " + problem.message, "");
      }
      fail_unrendered(row_.name.span);
      for (const Step& step : row_.steps) {
        if (!result_.failures.empty()) break;
        make(step);
        fail_unrendered(step.span);
      }
    }
    if (result_.failures.empty()) at_the_end();
    for (const auto& path : case_.path) result_.path.push_back(chart::without_entries(path));
    return std::move(result_);
  }

 private:
  void note(const Macrostep& step) {
    if (coverage_) coverage_->note(step, system_);
    case_.context = step.context;
    case_.machines = step.machines;
    case_.finish = step.finish;
    case_.active = step.active;
    std::vector<std::string> atomic;
    for (const auto& state : step.active) {
      if (state.atomic) atomic.push_back(state.path);
    }
    for (const auto& path : atomic) {
      const bool was = std::find(atomic_.begin(), atomic_.end(), path) != atomic_.end();
      if (!was) case_.path.push_back(path);
    }
    atomic_ = std::move(atomic);
    const Json described = to_json(step, system_);
    for (Json effect : described.at("effects")) {
      if (effect.contains("path")) {
        effect["at"] = chart::without_entries(effect["path"].get<std::string>());
      }
      effects_.push_back(std::move(effect));
    }
    for (const auto& problem : step.problems) problems_.push_back(problem);
    handled_ = handled_ || step.handled;
    for (const chart::Effect& effect : step.effects) {
      if (const auto* call = std::get_if<chart::CallAgent>(&effect)) render_prompt(*call);
    }
  }

  // As a run would. A hook that looks at the worktree finds nothing here, and may say so.
  void render_prompt(const chart::CallAgent& call) {
    bool looked = false;
    try {
      hooks_.prompt(agent_of(call, system_).hooks, activity_of(call, system_).task,
                    seen_by_hook(call, 1), [&] {
                      looked = true;
                      return script::empty_workspace();
                    });
    } catch (const script::HookError& error) {
      if (looked) return;
      unrendered_ =
          "the prompt of '" + agent_of(call, system_).name + "' cannot be made: " + error.what();
    }
  }

  void make(const Step& step) {
    const std::size_t effects = effects_.size(), problems = problems_.size();
    handled_ = false;
    bool asked_again = false;
    switch (step.kind) {
      case Step::Kind::advance:
        input({{}, {}, {}, step.advance});
        handled_ = true;
        break;
      case Step::Kind::event:
        input({step.text.text, step.data.json, {}, {}});
        break;
      default:
        try {
          const chart::Effect effect = simulator_.activity(step.at.text);
          asked_again = !end(effect, step);
        } catch (const Error& error) {
          return fail(step.at.span, error.what(), error.help());
        }
    }
    if (!result_.failures.empty()) return;
    if (asked_again) handled_ = true;
    Found found = case_;
    found.handled = handled_;
    for (std::size_t i = effects; i < effects_.size(); ++i) found.effects.push_back(effects_[i]);
    for (std::size_t i = problems; i < problems_.size(); ++i) {
      if (!is_expected(problems_[i])) found.problems.push_back(problems_[i]);
    }
    take(compare(step.expect, found, step.span, "after this step"));
  }

  // False: the agent would be asked again.
  bool end(const chart::Effect& effect, const Step& step) {
    StepOutcome outcome;
    if (step.kind == Step::Kind::answer) {
      outcome = answer_of(effect, step);
    } else if (step.kind == Step::Kind::outcome) {
      outcome = outcome_of(effect, step, system_);
    } else if (const auto* call = std::get_if<chart::CallAgent>(&effect)) {
      const auto read = reply_of(*call, step);
      if (!read) return false;
      outcome = *read;
    } else {
      outcome = {{}, {}, "no agent is called there", "write 'outcome: NAME', or 'answer: OPTION'"};
    }
    if (!outcome.problem.empty()) {
      fail(step.text.span ? step.text.span : step.span, outcome.problem, outcome.help);
    } else {
      if (const auto* call = std::get_if<chart::CallAgent>(&effect); call && coverage_) {
        coverage_->verdict(system_.machine(call->machine), call->state, outcome.event);
      }
      input({outcome.event, std::move(outcome.data), chart::path_of(effect), {}});
    }
    return true;
  }

  // Nothing where the reply has no usable verdict and the agent is asked again.
  std::optional<StepOutcome> reply_of(const chart::CallAgent& effect, const Step& step) {
    const auto& activity = activity_of(effect, system_);
    const auto& agent = agent_of(effect, system_);
    if (activity.verdicts.empty()) return StepOutcome{"done", {{"reply", step.text.text}}, {}, {}};
    int& replies = replies_[effect.path];
    const Json m = seen_by_hook(effect, ++replies);
    try {
      auto read = hooks_.parse(agent.hooks, activity.task, step.text.text, m,
                               [] { return script::empty_workspace(); });
      const auto problem = script::problem_with(activity.verdicts, read);
      if (!problem) return StepOutcome{read->name, std::move(read->fields), {}, {}};
      unread_ = Unread{step.text.span, *problem};
      if (replies <= most_reasks) return std::nullopt;
      return StepOutcome{
          "error.unparsed",
          {{"message", "agent '" + agent.name + "' gave no usable verdict in " +
                           std::to_string(replies) + " replies; of the last: " + *problem},
           {"attempts", replies},
           {"reply", step.text.text}},
          {},
          {}};
    } catch (const script::HookError& error) {
      return StepOutcome{"error.lua", {{"message", error.what()}, {"attempts", replies}}, {}, {}};
    }
  }

  Json seen_by_hook(const chart::CallAgent& call, int attempt) const {
    return script::hook_data(call, system_, simulator_.instance(),
                             static_cast<std::size_t>(attempt));
  }

  void input(const Input& input) { simulator_.input(input, ++number_); }

  // Somewhere in the case.
  bool is_expected(const Problem& problem) const {
    const Texts anywhere = row_.expect.problems.value_or(Texts{});
    return std::any_of(anywhere.begin(), anywhere.end(),
                       [&](const Text& wanted) { return wanted.text == problem.event; });
  }

  void at_the_end() {
    Found found = case_;
    found.effects = effects_;
    for (const Problem& problem : problems_) {
      if (is_expected(problem)) found.problems.push_back(problem);
    }
    take(compare(row_.expect, found, row_.name.span, "at the end"));
  }

  void take(std::vector<Failure> failures) {
    for (Failure& failure : failures) result_.failures.push_back(std::move(failure));
    explain();
  }

  void fail_unrendered(Span span) {
    if (unrendered_.empty()) return;
    fail(span, std::exchange(unrendered_, {}), "a run would end this call in error.lua");
  }

  void fail(Span span, std::string message, std::string help) {
    Failure& failure = result_.failures.emplace_back();
    failure.diagnostic.message = std::move(message);
    failure.diagnostic.span = span;
    failure.diagnostic.help = std::move(help);
    explain();
  }

  // A reply that could not be read is likely why.
  void explain() {
    if (result_.failures.empty() || !unread_) return;
    result_.failures.back().diagnostic.related.push_back(
        {unread_->span, "the hook could not use this reply: " + unread_->problem});
    unread_.reset();
  }

  struct Unread {
    Span span;
    std::string problem;
  };

  const Case& row_;
  const model::System& system_;
  Coverage* coverage_;
  script::Hooks hooks_;
  std::unique_ptr<WatchedEvaluator> watched_;
  Simulator simulator_;
  Result result_;
  Found case_;
  std::vector<std::string> atomic_;  // active now; with entry numbers
  Json effects_ = Json::array();
  std::vector<Problem> problems_;
  std::map<std::string, int> replies_;  // by call
  std::optional<Unread> unread_;        // the last reply without a usable verdict
  std::string unrendered_;              // why the prompt of a call cannot be made
  bool handled_ = true;
  int number_ = 0;
};

}  // namespace

Workflow load_workflow(const fs::path& file, const Files& files, const fs::path& library,
                       Diagnostics& diagnostics) {
  Workflow workflow{model::load(file, files, diagnostics), nullptr, files, {}};
  const auto& system = workflow.loaded.system ? workflow.loaded.system : workflow.loaded.draft;
  if (!system) return workflow;
  workflow.evaluator = script::make_evaluator(*system, diagnostics);
  workflow.modules = {system->root, library};
  return workflow;
}

Result play_case(const Case& row, const Workflow& workflow, Coverage* coverage) {
  return Player(row, workflow, coverage).play();
}

}  // namespace agneto::play
