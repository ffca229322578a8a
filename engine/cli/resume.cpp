// agneto resume

#include "cli/commands.h"
#include "cli/work.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string run;
  std::string answer;
  std::string feedback;
  bool update = false;
  bool non_interactive = false;
  bool json = false;
};

}  // namespace

void add_resume(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("resume", "Go on with a run that was suspended or cut off");
  command->add_option("RUN", options->run, "Its id, the start of one, or 'last'")->required();
  command->add_option("--answer", options->answer, "Choose this option of the open question");
  command->add_option("--feedback", options->feedback, "Words that go with the answer");
  command->add_flag("--update", options->update, "Take the workflow's edited files");
  command->add_flag("--non-interactive", options->non_interactive, "Ask nobody");
  command->add_flag("--json", options->json, "Print events as JSON lines");
  command->footer(R"(Examples:
  agneto resume last
  agneto resume add-a-shout-flag-3f2a --answer CURMUDGEON_APPROVED
  agneto resume last --answer CURMUDGEON_SIMPLIFY --feedback "one file is enough")");
  command->callback([options, &context] {
    context.action = [options, &context] {
      Manner manner;
      manner.json = options->json;
      manner.interactive = !options->non_interactive;
      run::Reopen request{context.folder, options->run, options->update};
      bool answers = !options->answer.empty() || !options->feedback.empty();
      return work(
          manner,
          [&](run::Human& human, run::Observer& observer) {
            return run::Assembly::reopen(request, context.resources, human, observer);
          },
          [&](run::Engine& engine) {
            if (answers) engine.answer({options->answer, options->feedback, std::nullopt});
          });
    };
  });
}

}  // namespace agneto::cli
