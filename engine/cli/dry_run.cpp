#include "cli/dry_run.h"

#include <fmt/format.h>

#include <set>

#include "agents/attached.h"
#include "agents/message.h"
#include "chart/path.h"
#include "play/rehearsal.h"
#include "record/cassette_file.h"
#include "run/prepare.h"
#include "run/request.h"
#include "run/secrets.h"
#include "script/driver.h"
#include "ui/json_lines.h"
#include "ui/screen.h"
#include "workspace/workspace.h"

namespace agneto::cli {

namespace {

using ui::Color;
using ui::Styled;

std::map<std::string, std::vector<std::string>> parsed(const std::vector<std::string>& choices) {
  std::map<std::string, std::vector<std::string>> all;
  for (const std::string& choice : choices) {
    const std::size_t equals = choice.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == choice.size()) {
      throw Error("'--choose " + choice + "' names no outcome", "write --choose STATE=OUTCOME");
    }
    all[choice.substr(0, equals)].push_back(choice.substr(equals + 1));
  }
  return all;
}

std::string at_most(Millis timeout) {
  return timeout == Millis(0) ? "" : ", at most " + play::to_duration(timeout);
}

std::string who(const play::Prompt& prompt) {
  std::string text = prompt.agent;
  if (!prompt.provider.empty() && prompt.provider != "auto") text += ", by " + prompt.provider;
  if (!prompt.model.empty()) text += " " + prompt.model;
  if (!prompt.effort.empty()) text += ", effort " + prompt.effort;
  return text + ", " + std::string(model::to_text(prompt.access)) + at_most(prompt.timeout);
}

class Text : public play::DryRunListener {
 public:
  explicit Text(const Redactor& redactor) : redactor_(redactor) {}

  void prompt(const play::Prompt& prompt) override {
    if (prompt.problem.empty()) ++prompts_;
    asked_ = prompt.path;
    heading(prompt.path, "asks " + who(prompt));
    if (!prompt.problem.empty()) {
      screen_.line(Styled(Color::red, "  the prompt cannot be made: " + prompt.problem));
    }
    if (prompt.saw_no_files) {
      screen_.line(Styled(Color::dim, "  (its hook looks at the worktree, which is empty here)"));
    }
    for (const std::string& pattern : prompt.unmatched) {
      screen_.line(Styled(Color::yellow, "  (no file here matches '" + pattern + "')"));
    }
    const std::string text = redactor_.text(prompt.text);
    for (const auto line : split_lines(text)) {
      screen_.line(Styled(Color::dim, "  | ").add(Color::none, line), ui::Screen::as_is);
    }
  }
  void timer(const play::PlannedTimer& timer) override {
    Styled line(Color::bold, timer.path);
    line.add(Color::none, "  in " + play::to_duration(timer.delay));
    if (!timer.targets.empty()) line.add(Color::none, " → " + join(timer.targets, " or "));
    screen_.line(line);
    asked_.clear();
  }
  void decision(const play::Decision& decision) override {
    // Others that work at the same time may have asked since.
    const bool asked_last = decision.path == asked_;
    if (!asked_last) {
      heading(decision.path, redactor_.text(decision.what) + at_most(decision.timeout));
    }
    Styled line("  → " + decision.outcome);
    if (!decision.others.empty()) line.add(Color::dim, "   or " + join(decision.others, ", "));
    screen_.line(line);
  }
  void problem(const chart::Effects::Problem& problem) override {
    screen_.line(Styled(Color::red, "  " + problem.event + ": " + problem.message));
  }
  void end(const play::DryRunEnd& ending) {
    const std::string sent = prompts_ == 1 ? "1 prompt" : fmt::format("{} prompts", prompts_);
    if (ending.outcome.empty()) {
      screen_.line(Styled(Color::yellow, "It does not end: " + ending.reason));
    } else {
      screen_.line(Styled(Color::bold, ending.outcome)
                       .add(Color::none, fmt::format(" ({})", model::to_text(ending.status))));
    }
    screen_.line(sent + ", and nobody was called");
  }

 private:
  void heading(const std::string& path, const std::string& what) {
    Styled line(Color::bold, chart::without_entries(path));
    screen_.line(line.add(Color::none, "  " + what));
  }

  const Redactor& redactor_;
  ui::Screen screen_{stdout, ui::Screen::style_of(stdout)};
  int prompts_ = 0;
  std::string asked_;  // whose prompt was shown last
};

class JsonLines : public play::DryRunListener {
 public:
  explicit JsonLines(const Redactor& redactor) : redactor_(redactor) {}

  void prompt(const play::Prompt& prompt) override {
    Json json = {{"type", "prompt"},
                 {"path", prompt.path},
                 {"agent", prompt.agent},
                 {"provider", prompt.provider},
                 {"model", prompt.model},
                 {"access", model::to_text(prompt.access)},
                 {"timeout", prompt.timeout.count()},
                 {"text", prompt.text}};
    if (!prompt.effort.empty()) json["effort"] = prompt.effort;
    if (!prompt.problem.empty()) json["problem"] = prompt.problem;
    if (!prompt.unmatched.empty()) json["unmatched"] = prompt.unmatched;
    print(std::move(json));
  }
  void timer(const play::PlannedTimer& timer) override {
    print({{"type", "timer"},
           {"path", timer.path},
           {"delay", timer.delay.count()},
           {"targets", timer.targets}});
  }
  void decision(const play::Decision& decision) override {
    Json json = {{"type", "outcome"},
                 {"path", decision.path},
                 {"what", decision.what},
                 {"outcome", decision.outcome},
                 {"others", decision.others}};
    if (decision.timeout > Millis(0)) json["timeout"] = decision.timeout.count();
    print(std::move(json));
  }
  void problem(const chart::Effects::Problem& problem) override {
    print({{"type", "problem"},
           {"path", problem.path},
           {"event", problem.event},
           {"message", problem.message}});
  }
  void end(const play::DryRunEnd& ending) {
    print({{"type", "end"},
           {"outcome", ending.outcome},
           {"status", ending.outcome.empty() ? "" : model::to_text(ending.status)},
           {"reason", ending.reason}});
  }

 private:
  void print(Json json) {
    const std::string line = ui::to_line(redactor_.json(std::move(json)));
    std::fwrite(line.data(), 1, line.size(), stdout);
  }

  const Redactor& redactor_;
};

// As a run does; but a program that is not here does not matter, since nobody is called.
void choose_who_works(const run::Request& request, const model::System& system, run::Config& config,
                      const Files& files, const Context& context) {
  record::RunOptions options;
  options.chosen = request.provider;
  options.model = request.model;
  if (!request.cassette.empty()) {
    options.chosen = "offline";
    options.cassette = record::load_cassette(request.cassette, files);
  }
  std::set<std::string> wanted = {options.chosen};
  const auto drivers = run::provider_folders(request.folder, context.resources);
  run::choose_providers(system, config, options);
  run::require_settings(system, config, files, drivers);
  for (const auto& [call, settings] : config.settled) wanted.insert(settings.provider);
  for (const std::string& provider : wanted) {
    if (provider.empty() || provider == "auto") continue;
    script::Driver driver(provider, files, drivers);
    if (const auto why = driver.refusal(config.options_of(provider))) {
      throw Error(*why, "do that, or choose another provider with --agent");
    }
  }
}

}  // namespace

ExitStatus dry_run(const run::Request& request, const std::vector<std::string>& choices, bool json,
                   const Context& context) {
  end_with_the_reader();
  const Disk disk;
  const model::Loaded loaded =
      run::load_workflow(run::find_workflow(request.workflow, request.folder, context.resources),
                         disk, context.resources.library());
  const model::System& system = *loaded.system;
  const script::ModulePaths modules{system.roots, context.resources.library()};
  const auto evaluator = run::check_scripts(system, disk, modules);
  const fs::path home = run::home_of(request.folder);
  const auto drivers = run::provider_folders(request.folder, context.resources);
  run::Config config = run::read_config(run::checkout_of(request.folder), disk, drivers);
  for (const std::string& remark :
       run::unknown_agents(config, system, run::workflows(request.folder, context.resources), disk,
                           context.resources.library())) {
    fmt::print(stderr, "agneto: {}\n", printable(remark));
  }
  choose_who_works(request, system, config, disk, context);
  if (!request.base.empty() || request.auto_merge) {
    const auto repository = run::repository_for(system, request);
    if (repository) workspace::require_base(*repository, request.base);
  }
  const Redactor redactor = run::redactor_for(home);

  play::Plan plan;
  plan.inputs = run::read_inputs(system.main(), request, config);
  plan.run = {"dry-run", request.interactive, request.auto_merge};
  plan.choices = parsed(choices);
  script::Hooks hooks(disk, modules);
  const auto prompt_of = [&](const chart::CallAgent& call, const chart::Instance& instance) {
    const agents::Request asked = run::request_of(call, system, instance, config);
    const agents::Preview made = agents::preview(asked, hooks);
    const auto unmatched = agents::attach(run::checkout_of(request.folder), asked.files).unmatched;
    return play::Prompt{call.path,    asked.agent,       asked.provider, asked.model,
                        asked.effort, asked.access,      asked.timeout,  made.text,
                        made.problem, made.saw_no_files, unmatched};
  };
  const auto play = [&](auto listener) {
    auto ending = play::rehearse(plan, system, *evaluator, prompt_of, listener);
    listener.end(ending);
    return ending;
  };
  const play::DryRunEnd ending = json ? play(JsonLines(redactor)) : play(Text(redactor));
  for (const std::string& unused : ending.unused) {
    fmt::print(stderr, "agneto: '--choose {}' was not needed: nothing came to it\n", unused);
  }
  return printed(ending.outcome.empty() ? ExitStatus::failed : ExitStatus::complete);
}

}  // namespace agneto::cli
