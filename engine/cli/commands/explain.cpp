// agneto explain

#include <fmt/format.h>

#include "cli/commands.h"
#include "lint/parameters.h"
#include "lint/team/team_rules.h"
#include "run/prepare.h"

namespace agneto::cli {

namespace {

std::string explanation(const Rule& rule, const fs::path& share) {
  std::string text = fmt::format("{} ({}): {}.\n\n{}\n", rule.id(), to_text(rule.severity()),
                                 rule.description, rule.explanation);
  if (!rule.parameters.empty()) {
    text += "\nA team may set, in `lint.rules` of .agneto/config.yaml:\n";
  }
  for (const Parameter* one : rule.parameters) {
    text += fmt::format("  {} (unless said {}){}{}\n", one->name, lint::usual_text(*one),
                        one->meaning.empty() ? "" : ": ", one->meaning);
  }
  const fs::path page = share / "docs" / "rules" / fmt::format("{}-{}.md", rule.code, rule.name);
  if (fs::exists(page)) text += fmt::format("\nAn example: {}\n", page.string());
  return text;
}

}  // namespace

void add_explain(Program& program) {
  auto wanted = std::make_shared<std::string>();
  CommandLine& command = program.add_command("explain", "Explain what lint found, by its code");
  command.add("RULE", wanted.get(), "A code or a name: E203, undefined-target", {.required = true});
  command.footer = "'agneto lint --list-rules' shows all rules.";
  command.action = [wanted](const Context& context) {
    end_with_the_reader();
    Diagnostics ignored;
    const fs::path folder =
        run::config_file(run::checkout_of(context.folder)).parent_path() / "lint";
    const auto team = lint::read_team_rules(folder, Disk(), context.resources.library(), ignored);
    const Rule* rule = lint::find_rule(*wanted, team.get());
    if (!rule) {
      throw Error("there is no rule '" + *wanted + "'", lint::rule_suggestion(*wanted, team.get()));
    }
    fmt::print("{}", explanation(*rule, context.resources.share));
    return printed(ExitStatus::complete);
  };
}

}  // namespace agneto::cli
