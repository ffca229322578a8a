// agneto answer

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/ask_here.h"
#include "cli/commands.h"
#include "cli/runs.h"
#include "cli/served.h"
#include "cli/work.h"
#include "run/questions.h"
#include "ui/readable.h"
#include "ui/ways_to_answer.h"

namespace agneto::cli {
namespace {

struct AnswerOptions {
  std::string run;
  std::vector<std::string> words;  // [QUESTION] OPTION
  std::string feedback;
  std::string text;
  std::string edited;
  bool resume = false;
};

struct Given {
  std::string question;  // as it was typed; empty: the only one
  run::Answer answer;
};

Given given(const AnswerOptions& options) {
  Given given;
  std::vector<std::string> words = options.words;
  if (options.text.empty() && !words.empty()) {
    given.answer.option = words.back();
    words.pop_back();
  }
  if (words.size() > 1) {
    throw Error("an answer is one option" + std::string(options.text.empty() ? "" : ", or words") +
                    ", but was given " + join(options.words, " "),
                "agneto answer RUN [QUESTION] OPTION, or agneto answer RUN [QUESTION] --text TEXT");
  }
  if (!words.empty()) given.question = words.front();
  if (!options.text.empty() && !options.feedback.empty()) {
    throw Error("--text and --feedback are the same words", "give one of them");
  }
  given.answer.feedback = options.text.empty() ? options.feedback : options.text;
  if (!options.edited.empty()) {
    given.answer.edited = read_text(options.edited, "edited text", "--edited");
  }
  return given;
}

// Throws Error where the question that is meant was answered before, and is not open any more.
void require_no_answer(const run::Reader& run, const std::vector<chart::AskHuman>& open,
                       const std::string& wanted) {
  const auto is_meant = [&](const std::string& path) {
    return wanted.empty() || ui::means_path(wanted, path);
  };
  if (std::ranges::any_of(open, is_meant, &chart::AskHuman::path)) return;
  const auto entries = run.entries();
  const auto old = std::find_if(entries.rbegin(), entries.rend(), [&](const auto& entry) {
    return entry.template get<record::Answered>() && entry.stands && is_meant(entry.path);
  });
  if (old == entries.rend()) return;
  const auto& given = *old->get<record::Answered>();
  std::vector<std::string> paths;
  for (const auto& question : open) paths.push_back(question.path);
  throw Error(fmt::format("{} was answered at {}: {}{}", old->path, ui::local_time(old->time),
                          run::describe(given),
                          given.by == "elsewhere" ? " by " + given.name
                          : given.by == "default" ? ", its default"
                                                  : ""),
              paths.empty() ? "no question is open now" : "open now: " + join(paths, ", "));
}

// Throws Error where the words of an option are given as if the question asked for words.
void require_words(const std::vector<chart::AskHuman>& open, const std::string& wanted) {
  for (const auto& question : open) {
    for (const auto& option : question.options) {
      if (option.name != wanted) continue;
      throw Error("the words that go with " + wanted + " are given by --feedback, not by --text",
                  "agneto answer RUN " + wanted + " --feedback TEXT");
    }
  }
}

// One that nobody has taken yet.
void require_unanswered(const run::Reader& run, const std::string& question) {
  const auto inbox = run.inbox();
  if (const auto waiting = run::answer_waiting(inbox, question)) {
    throw Error(fmt::format("{} is answered already: {} by {} at {}", question,
                            run::describe(waiting->answer), waiting->answer.by,
                            ui::local_time(waiting->posted)),
                "the answer is taken when the run goes on: agneto resume " + run.id());
  }
}

// Is a question named at most, and no answer given?
bool is_unsaid(const AnswerOptions& options, const std::vector<chart::AskHuman>& open) {
  const auto& words = options.words;
  if (words.size() > 1 || !options.text.empty() || !options.feedback.empty() ||
      !options.edited.empty()) {
    return false;
  }
  const auto means = [&](const chart::AskHuman& question) {
    return ui::means_path(words.front(), question.path) &&
           !chart::find_option(question, words.front());
  };
  return words.empty() || std::ranges::any_of(open, means);
}

// Asks the person at this terminal. Where the question is not open any more by then, the answer is
// none.
Given asked(Runs& runs, const run::Reader& run, const AnswerOptions& options,
            const std::vector<chart::AskHuman>& open) {
  AskHere here(runs, run);
  const std::string wanted = options.words.empty() ? here.which(open) : options.words.front();
  require_no_answer(run, open, wanted);
  const chart::AskHuman& question = ui::find_question(run.id(), open, wanted);
  require_unanswered(run, question.path);
  return {question.path, here.ask(question).value_or(run::Answer())};
}

ExitStatus answer(const Context& context, const AnswerOptions& options) {
  const auto runs = runs_of(context);
  auto reader = runs->steer(options.run);
  const journal::RunRecord run = reader->run();
  const std::string& id = run.id;
  auto open = record::open_questions(reader->state());
  const bool ask = somebody_there() && is_unsaid(options, open);
  const Given wanted = ask ? asked(*runs, *reader, options, open) : given(options);
  if (ask) open = record::open_questions(reader->state());
  if (!options.text.empty()) require_words(open, wanted.question);
  require_no_answer(*reader, open, wanted.question);
  const chart::AskHuman& question = ui::find_question(id, open, wanted.question);
  require_unanswered(*reader, question.path);
  if (std::string why = run::refusal(question, wanted.answer); !why.empty()) {
    throw Error("that does not answer " + question.path + ": " + why,
                "'agneto show " + id + "' shows the question");
  }

  if (!ask) {
    fmt::print("{}: {}\n", question.path, ui::first_line(question.question, ui::any_width));
    printed(ExitStatus::complete);  // before it waits
  }
  const auto delivery = runs->answer(run, question.path, wanted.answer);
  if (delivery.fate == run::Delivery::Fate::taken) {
    fmt::print("answered: {}\n", run::describe(wanted.answer));
  } else if (options.resume) {
    printed(ExitStatus::complete);
    reader.reset();
    if (!context.server.url.empty()) return submit_again(context, id, {});
    return resume(context, {.folder = context.folder, .run = id});
  } else if (run.status == "parked" && !runs->lack_of(run.id)) {
    fmt::print("answered: {}; the server takes it as soon as it has room for the run\n",
               run::describe(wanted.answer));
  } else {
    fmt::print(
        "answered: {}; nobody works on the run now, so it is taken when it goes on:\n"
        "    agneto resume {}\n",
        run::describe(wanted.answer), id);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_answer(Program& program) {
  auto options = std::make_shared<AnswerOptions>();
  CommandLine& command =
      program.add_command("answer", "Answer a question of a run, from any terminal");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("OPTION", &options->words,
              "The option to choose; before it the question's id or state, where several are "
              "open",
              {.shown_as = "[QUESTION] OPTION"});
  command.add("--feedback", &options->feedback, "Words that go with the option");
  command.add("--text", &options->text, "The words, where the question asks for words");
  command.add("--edited", &options->edited,
              "The edited text, where the option is one that edits ('-': standard input)");
  command.add("--resume", &options->resume, "Go on with the run where nobody works on it");
  command.footer = R"(At a terminal, and without an answer, it asks the question there.

Examples:
  agneto answer last
  agneto answer last CURMUDGEON_APPROVED
  agneto answer last CURMUDGEON_SIMPLIFY --feedback "one file is enough"
  agneto answer add-a-shout-flag-3f2a PLAN_GATE#2 PLAN_EDITED --edited plan.md
  agneto answer last --text "Very loud." --resume)";
  program.add_server_options(command);
  command.action = [options](const Context& context) { return answer(context, *options); };
}

}  // namespace agneto::cli
