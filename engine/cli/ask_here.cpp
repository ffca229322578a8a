#include "cli/ask_here.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "base/clock.h"
#include "run/questions.h"
#include "ui/question_dialogue.h"
#include "ui/readable.h"

namespace agneto::cli {
namespace {

// How often it is looked whether the question is still open.
constexpr Millis between_question_looks{500};

Error unanswered() {
  return Error("nothing was answered", "", ExitStatus::failed);
}

}  // namespace

AskHere::AskHere(Runs& runs, const run::Reader& run)
    : runs_(runs), run_(run), screen_(stdout, ui::Screen::style_of(stdout)) {}

std::string AskHere::which(const std::vector<chart::AskHuman>& open) {
  const auto inbox = run_.inbox();
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
  const auto chosen = dialogue.ask({choice, "", {}, {}});
  if (!chosen) throw unanswered();
  return chosen->option;
}

std::optional<run::Answer> AskHere::ask(const chart::AskHuman& question) {
  SystemClock clock;
  ui::Dialogue dialogue(screen_, STDIN_FILENO, clock, [] { return false; });
  std::jthread watch([&](const std::stop_token& stop) {
    while (clock.sleep(between_question_looks, stop)) {
      if (!is_open(question.path)) return dialogue.abandon();
    }
  });
  auto answer = dialogue.ask(look(question));
  if (dialogue.typed()) screen_.write("  (what you have typed is not taken)\n");
  if (dialogue.ended()) throw unanswered();
  return answer;
}

// What it is made of is without secrets already, but for the work.
run::Question AskHere::look(const chart::AskHuman& question) const {
  const journal::RunRecord run = run_.run();
  const Json state = run_.state();
  const record::Totals totals = record::totals_from(state.at("run").at("totals"));
  run::Question asked{question, "", {}, {totals.calls, totals.usage}};
  const auto workflow = run_.workflow();
  if (!workflow) return asked;
  const record::Timers timers = record::timers_of(state);
  asked.around = record::surroundings_of(
      question.path, {*workflow->system, timers, SystemClock().now(), run.status == "suspended"});
  if (!run.branch.empty()) {
    try {
      asked.diff = run_.redactor().text(
          runs_.diff_for(run, chart::workspace_of(*workflow->system, question.path)));
    } catch (const Error&) {
      // What it has changed is gone, and the question is still there.
    }
  }
  return asked;
}

bool AskHere::is_open(const std::string& path) const {
  const auto open = record::open_questions(run_.state());
  return std::ranges::find(open, path, &chart::AskHuman::path) != open.end() &&
         !run::answer_waiting(run_.inbox(), path);
}

}  // namespace agneto::cli
