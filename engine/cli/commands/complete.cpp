// agneto __complete, which the shells' completion scripts ask

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/packages.h"
#include "cli/templates.h"
#include "lint/catalogue.h"
#include "model/outcomes.h"
#include "packages/store.h"
#include "run/prepare.h"
#include "run/reader.h"
#include "run/secrets.h"

namespace agneto::cli {
namespace {

constexpr std::size_t offered = 500;  // of the newest runs

std::vector<Candidate> runs(const Context& context) {
  std::vector<Candidate> all = {{"last", "The newest"}};
  const auto journal = run::journal_of(context.folder);
  if (!journal) return all;
  const Redactor redactor = run::redactor_for(context.folder);
  for (journal::RunRecord& each : journal->list({.most = offered})) {
    const auto run = run::shown(std::move(each), *journal, redactor);
    all.push_back({run.id, run.status + ": " + run.task});
  }
  return all;
}

std::vector<Candidate> options_of(const Context& context, const Typed& typed) {
  std::vector<Candidate> all;
  if (typed.words.empty()) return all;
  const auto journal = run::journal_of(context.folder);
  if (!journal) return all;
  const journal::RunRecord run = run::find_run(*journal, typed.words.front());
  for (const auto& question : record::open_questions(journal->state(run.id))) {
    for (const auto& option : question.options) all.push_back({option.name, option.label});
  }
  return all;
}

std::vector<Candidate> rules() {
  std::vector<Candidate> all;
  for (const Rule* rule : lint::catalogue()) {
    all.push_back({std::string(rule->code), std::string(rule->name)});
    all.push_back({std::string(rule->name), std::string(rule->code)});
  }
  return all;
}

std::vector<Candidate> template_names(const Context& context) {
  std::vector<Candidate> all;
  for (Template& each : templates(context.resources.share)) {
    all.push_back({std::move(each.name), std::move(each.description)});
  }
  return all;
}

std::vector<Candidate> packages_here(const Context& context) {
  std::vector<Candidate> all;
  for (const auto& package : packages::Store(packages_of(context.folder)).packages()) {
    all.push_back({package.name, package.rev});
  }
  return all;
}

// The workflow that the command is about. Throws where it is none.
std::shared_ptr<const model::System> workflow_of(const Context& context, const Typed& typed) {
  std::string name;
  if (typed.command != "run") {
    name = typed.words.at(0);
  } else {
    const auto given = typed.options.find("--workflow");
    name = given == typed.options.end() ? "agneto" : given->second;
  }
  return run::load_workflow(run::find_workflow(name, context.folder, context.resources), Disk(),
                            context.resources.library())
      .system;
}

std::vector<Candidate> inputs(const model::System& system) {
  std::vector<Candidate> all;
  for (const model::Variable& input : system.main().inputs) {
    all.push_back({input.name + "=", input.description});
  }
  return all;
}

std::vector<Candidate> choices(const model::System& system) {
  std::vector<Candidate> all;
  for (const model::Machine& machine : system.machines) {
    for (const model::State& state : machine.states) {
      // Another machine is entered, and so its outcome is not to be chosen.
      if (!state.has_activity() || model::delegate_of(state.activity)) continue;
      for (const auto& outcome : model::outcomes(state, system)) {
        all.push_back({state.name + "=" + outcome.name, std::string(outcome.what)});
      }
      for (const std::string& error : model::engine_errors()) {
        all.push_back({state.name + "=" + error, "error"});
      }
    }
  }
  return all;
}

std::vector<Candidate> all_of(const Context& context, Value value, const Typed& typed) {
  if (value == Value::run) return runs(context);
  if (value == Value::runs_option) return options_of(context, typed);
  if (value == Value::rule) return rules();
  if (value == Value::package) return packages_here(context);
  if (value == Value::new_from) return template_names(context);
  if (value == Value::input) return inputs(*workflow_of(context, typed));
  if (value == Value::choice) return choices(*workflow_of(context, typed));
  std::vector<Candidate> all;
  if (value == Value::workflow_file) {
    for (std::string& name : run::workflow_names(context.folder, context.resources)) {
      all.push_back({std::move(name), "workflow"});
    }
    for (std::string& name : run::packaged_workflows(context.folder)) {
      const std::string package = name.substr(0, name.find('/'));
      all.push_back({std::move(name), "package " + package});
    }
  }
  if (value == Value::agent) {
    for (const char* name :
         {"auto", "claude", "codex", "opencode", "gemini", "command", "offline"}) {
      all.push_back({name, ""});
    }
  }
  return all;
}

// A line is a candidate, and after a tab what it is for; ":files" where files are, too.
void print(const Completion& completion) {
  for (const auto& [text, help] : completion.candidates) {
    std::string line = help.substr(0, help.find('\n'));
    for (char& c : line) {
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    }
    fmt::print("{}\t{}\n", text, line);
  }
  if (completion.files) fmt::print(":files\n");
}

}  // namespace

void add_complete(Program& program) {
  CommandLine& command = program.add_command("__complete", "What a shell can put at the cursor");
  auto words = std::make_shared<std::vector<std::string>>();
  command.add("WORD", words.get(), "");
  command.action = [&program, words](const Context& context) {
    const auto lookup = [&](Value value, const Typed& typed) {
      // A shell has no place for an error message, so nothing is offered.
      try {
        return all_of(context, value, typed);
      } catch (const std::exception&) {
        return std::vector<Candidate>();
      }
    };
    print(complete(program, *words, lookup));
    return printed(ExitStatus::complete);
  };
}

}  // namespace agneto::cli
