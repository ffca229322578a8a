#include "play/play_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "model/outcomes.h"
#include "play/activity_end.h"
#include "play/compare.h"
#include "play/compare_prompt.h"
#include "play/simulator.h"
#include "script/evaluator.h"
#include "script/hook_data.h"

namespace agneto::play {

namespace {

using Problem = chart::Effects::Problem;

Options options_of(const Case& row) {
  Options options;
  options.shallow = row.shallow;
  options.run = {"scenario", row.interactive, row.auto_merge};
  return options;
}

// More than 25 names: each kind of step has a function, and a failure is explained by all that was
// noted before.
class Player {
 public:
  Player(const Case& row, const Workflow& workflow, Coverage* coverage)
      : row_(row),
        system_(*workflow.loaded.system),
        settings_of_(workflow.settings_of),
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
    for (Failure& failure : result_.failures) note_extended(failure.diagnostic.help);
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
    const Json described = to_json(step, system_, settings_of_);
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
    FoundPrompt& made = prompts_[call.path];
    made = {call.path, agent_of(call, system_).name, {}, {}};
    try {
      made.text =
          hooks_.prompt(agent_of(call, system_).hooks, activity_of(call, system_).task,
                        script::hook_data(call, system_, simulator_.machine().instance()), [&] {
                          looked = true;
                          return script::empty_workspace();
                        });
    } catch (const script::HookError& error) {
      made.problem = error.what();
      if (looked) return;
      unrendered_ =
          "the prompt of '" + agent_of(call, system_).name + "' cannot be made: " + error.what();
    }
  }

  // The prompts of the calls that have not ended.
  std::vector<FoundPrompt> prompts() const {
    std::vector<FoundPrompt> all;
    for (const chart::Effect* effect : simulator_.machine().running()) {
      const auto made = prompts_.find(chart::path_of(*effect));
      if (made != prompts_.end()) all.push_back(made->second);
    }
    return all;
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
        Span span = step.at.span;
        try {
          const chart::Effect effect = simulator_.activity(step.at.text);
          span = step.text.span ? step.text.span : step.span;
          asked_again = !end(effect, step);
        } catch (const Error& error) {
          return fail(span, error.what(), error.help());
        }
    }
    if (!result_.failures.empty()) return;
    if (asked_again) handled_ = true;
    Found found = case_;
    found.handled = handled_;
    if (!step.expect.prompts.empty()) found.prompts = prompts();
    for (std::size_t i = effects; i < effects_.size(); ++i) found.effects.push_back(effects_[i]);
    for (std::size_t i = problems; i < problems_.size(); ++i) {
      if (!is_expected(problems_[i])) found.problems.push_back(problems_[i]);
    }
    take(compare(step.expect, found, step.span, "after this step"));
    keep(step.expect, found);
  }

  // False: the agent would be asked again. Throws Error where the activity cannot end so.
  bool end(const chart::Effect& effect, const Step& step) {
    const auto* call = std::get_if<chart::CallAgent>(&effect);
    const auto* ask = std::get_if<chart::AskHuman>(&effect);
    ActivityEnd made;
    if (step.kind == Step::Kind::answer) {
      if (!ask) {
        throw Error("nothing is asked there",
                    "write 'outcome: NAME', or 'reply: TEXT' of an agent");
      }
      const chart::Answer answer{step.words ? "" : step.text.text,
                                 step.words ? step.text.text : step.feedback.value_or(""),
                                 step.edited};
      made = end_of(*ask, answer, {"'text'", "'feedback'", "'edited'"}, step.by);
    } else if (step.kind == Step::Kind::outcome) {
      if (ask && !model::is_error(step.text.text)) {
        throw Error("a question is answered", "write 'answer: OPTION', or 'text: WORDS'");
      }
      made = end_of(effect, step.text.text, step.data.json, system_);
    } else if (call) {
      ReadReply read = read_reply(*call, step.text.text, ++replies_[call->path], hooks_, system_,
                                  simulator_.machine().instance());
      if (!read.problem.empty()) unread_ = Unread{step.text.span, read.problem};
      if (!read.end) return false;
      made = *std::move(read.end);
    } else {
      throw Error("no agent is called there", "write 'outcome: NAME', or 'answer: OPTION'");
    }
    if (call && coverage_) {
      coverage_->verdict(system_.machine(call->machine), call->state, made.event);
    }
    input({made.event, std::move(made.data), chart::path_of(effect), {}});
    return true;
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
    if (!row_.expect.prompts.empty()) found.prompts = prompts();
    for (const Problem& problem : problems_) {
      if (is_expected(problem)) found.problems.push_back(problem);
    }
    take(compare(row_.expect, found, row_.name.span, "at the end"));
    keep(row_.expect, found);
  }

  void take(std::vector<Failure> failures) {
    for (Failure& failure : failures) result_.failures.push_back(std::move(failure));
    explain();
  }

  void keep(const Expectation& expect, const Found& found) {
    for (const PromptExpectation& wanted : expect.prompts) {
      if (wanted.snapshot.text.empty()) continue;
      const FoundPrompt* prompt = meant(wanted, found.prompts);
      if (prompt && prompt->problem.empty()) {
        result_.prompts.push_back({wanted.snapshot, prompt->text});
      }
    }
  }

  // Says of a case of another file's what can be done in the file that extends it.
  void note_extended(std::string& help) const {
    if (!row_.extends) return;
    if (!help.empty()) help += "; ";
    help += fmt::format(
        "{}:{} inherits this case; where it is another there, write one called '{}', or leave it "
        "out: without: {{{}: WHY}}",
        row_.extends.source->path(), row_.extends.line(), row_.name.text, row_.name.text);
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
  const SettingsOf& settings_of_;
  Coverage* coverage_;
  script::Hooks hooks_;
  std::unique_ptr<WatchedEvaluator> watched_;
  Simulator simulator_;
  Result result_;
  Found case_;
  std::vector<std::string> atomic_;  // active now; with entry numbers
  Json effects_ = Json::array();
  std::vector<Problem> problems_;
  std::map<std::string, std::size_t> replies_;  // by call
  std::map<std::string, FoundPrompt> prompts_;  // the same
  std::optional<Unread> unread_;                // the last reply without a usable verdict
  std::string unrendered_;                      // why the prompt of a call cannot be made
  bool handled_ = true;
  int number_ = 0;
};

}  // namespace

Workflow load_workflow(const fs::path& file, const Files& files, const fs::path& library,
                       Diagnostics& diagnostics) {
  Workflow workflow{model::load(file, files, diagnostics, library), nullptr, files, {}, {}};
  const auto& system = workflow.loaded.system ? workflow.loaded.system : workflow.loaded.draft;
  if (!system) return workflow;
  workflow.evaluator = script::make_evaluator(*system, diagnostics);
  workflow.modules = {system->roots, library};
  return workflow;
}

Result play_case(const Case& row, const Workflow& workflow, Coverage* coverage) {
  return Player(row, workflow, coverage).play();
}

}  // namespace agneto::play
