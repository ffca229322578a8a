// agneto resume

#include <unistd.h>

#include <algorithm>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/served.h"
#include "cli/work.h"
#include "ui/program.h"

namespace agneto::cli {
namespace {

struct ResumeOptions {
  run::Reopen request;
  run::Answer answer;
  std::string edited;
  bool non_interactive = false;
  bool json = false;
  bool detach = false;
  LimitOptions limits;

  // Is anything asked for that a server does not do?
  bool is_for_here() const {
    return answers() || request.update || request.any_prompt || non_interactive || json ||
           limits.limits().any();
  }
  bool answers() const {
    return !answer.option.empty() || !answer.feedback.empty() || !edited.empty();
  }
};

// What the command line answers. Where the option edits a text and none was given, a person at the
// terminal edits it now.
run::Answer answer_of(const ResumeOptions& options, const chart::AskHuman& question, bool editor) {
  run::Answer answer = options.answer;
  if (!options.edited.empty()) {
    answer.edited = read_text(options.edited, "edited text", "--edited");
    return answer;
  }
  auto option = std::ranges::find(question.options, answer.option, &chart::AskHuman::Option::name);
  if (option == question.options.end() || !option->edit || !editor) return answer;
  ui::Program program(STDIN_FILENO, STDOUT_FILENO, [] { return false; });
  answer.edited = program.edit(*option->edit, "edit.md");
  return answer;
}

}  // namespace

void add_resume(Program& program) {
  auto options = std::make_shared<ResumeOptions>();
  CommandLine& command =
      program.add_command("resume", "Go on with a run that was suspended or cut off");
  command.add("RUN", &options->request.run, "Its id, the start of one, or 'last'",
              {.required = true});
  command.add("--answer", &options->answer.option, "Choose this option of the open question");
  command.add("--feedback", &options->answer.feedback, "Words that go with the answer");
  command.add("--edited", &options->edited,
              "The edited text, where the answer is one that edits ('-': standard input)");
  command.add("--update", &options->request.update, "Take the workflow's edited files");
  options->limits.add_to(command);
  command.add("--fuzzy", &options->request.any_prompt,
              "Of a run from a cassette: a prompt need not be the recorded one");
  command.add("--non-interactive", &options->non_interactive, "Ask nobody");
  command.add("--json", &options->json, "Print events as JSON lines");
  command.add(
      "--detach", &options->detach,
      "Leave it to a server in the background, which is started where there is none",
      {.excludes = {"--answer", "--feedback", "--edited", "--update", "--max-calls", "--max-cost",
                    "--max-tokens", "--max-time", "--fuzzy", "--non-interactive", "--json"}});
  command.footer = R"(Examples:
  agneto resume last
  agneto resume add-a-shout-flag-3f2a --answer CURMUDGEON_APPROVED
  agneto resume last --answer CURMUDGEON_SIMPLIFY --feedback "one file is enough"
  agneto resume last --answer PLAN_EDITED --edited plan.md)";
  program.add_server_options(command);
  command.action = [options](const Context& context) {
    const bool is_there = !context.server.url.empty();
    if (is_there && options->is_for_here()) {
      throw Error("a server goes on with a run as it is",
                  "give RUN alone, and answer by 'agneto answer'");
    }
    if (is_there) return submit_again(context, options->request.run, {});
    if (options->detach) {
      return submit_again(context, options->request.run, {.start_server = true});
    }
    const Manner manner{.json = options->json, .interactive = !options->non_interactive};
    run::Reopen request = options->request;
    request.folder = context.folder;
    request.limits = options->limits.limits();
    if (options->answers()) {
      bool editor = manner.interactive && !manner.json && somebody_there();
      request.answer = [options, editor](const chart::AskHuman& question) {
        return answer_of(*options, question, editor);
      };
    }
    return resume(context, request, manner);
  };
}

}  // namespace agneto::cli
