#include "cli/ask_here.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/clock.h"
#include "run/questions.h"
#include "run/reader.h"
#include "run/secrets.h"
#include "ui/question_dialogue.h"
#include "ui/readable.h"
#include "ui/redacted.h"
#include "workspace/inspect.h"
#include "workspace/refs.h"

namespace agneto::cli {
namespace {

// How often it is looked whether the question is still open.
constexpr Millis between_looks{500};

Error unanswered() {
  return Error("nothing was answered", "", ExitStatus::failed);
}

}  // namespace

AskHere::AskHere(const Context& context, const Target& target)
    : context_(context), target_(target), screen_(stdout, ui::Screen::style_of(stdout)) {}

std::string AskHere::which(const std::vector<chart::AskHuman>& open) {
  const auto inbox = target_.journal->inbox(target_.run.id);
  chart::AskHuman choice;
  choice.question = "Which question do you answer?";
  for (const auto& question : open) {
    if (run::answer_waiting(inbox, question.path)) continue;
    choice.options.push_back(
        {question.path, ui::first_line(question.question, ui::any_width), {}, {}});
  }
  if (choice.options.empty()) return open.empty() ? "" : open.front().path;
  if (choice.options.size() == 1) return choice.options.front().name;
  const SystemClock clock;
  ui::Dialogue dialogue(screen_, STDIN_FILENO, clock, [] { return false; });
  const Redactor redactor = run::redactor_for(context_.folder);
  const auto chosen = dialogue.ask(ui::redacted({choice}, redactor));
  if (!chosen) throw unanswered();
  return chosen->option;
}

std::optional<run::Answer> AskHere::ask(const chart::AskHuman& question) {
  SystemClock clock;
  ui::Dialogue dialogue(screen_, STDIN_FILENO, clock, [] { return false; });
  std::jthread watch([&](const std::stop_token& stop) {
    while (clock.sleep(between_looks, stop)) {
      if (!is_open(question.path)) return dialogue.abandon();
    }
  });
  auto answer = dialogue.ask(look(question));
  if (dialogue.typed()) screen_.write("  (what you have typed is not taken)\n");
  if (dialogue.ended()) throw unanswered();
  return answer;
}

run::Question AskHere::look(const chart::AskHuman& question) const {
  const journal::RunRecord& run = target_.run;
  const Redactor redactor = run::redactor_for(context_.folder);
  const run::Reader reader(*target_.journal, redactor, run.id);
  const Json state = target_.journal->state(run.id);
  const record::Totals totals = record::totals_from(state.at("run").at("totals"));
  run::Question asked{question, "", {}, {totals.calls, totals.usage}};
  const auto workflow = reader.workflow();
  if (!workflow) return ui::redacted(std::move(asked), redactor);
  const record::Timers timers = record::timers_of(state);
  asked.around = record::surroundings_of(
      question.path, {*workflow->system, timers, SystemClock().now(), run.status == "suspended"});
  if (!run.branch.empty()) {
    const std::string item = chart::workspace_of(*workflow->system, question.path);
    const std::string name = item.empty() ? run.id : workspace::fork_run(run.id, item);
    try {
      asked.diff = workspace::work_of(
          {run::home_of(context_.folder), target_.home / "worktrees" / name, name});
    } catch (const Error&) {
      // What it has changed is gone, and the question is still there.
    }
  }
  return ui::redacted(std::move(asked), redactor);
}

bool AskHere::is_open(const std::string& path) const {
  journal::Journal& journal = *target_.journal;
  const auto open = record::open_questions(journal.state(target_.run.id));
  return std::ranges::find(open, path, &chart::AskHuman::path) != open.end() &&
         !run::answer_waiting(journal.inbox(target_.run.id), path);
}

}  // namespace agneto::cli
