// agneto token

#include "serve/token.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands.h"
#include "ui/json_lines.h"
#include "ui/readable.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

struct TokenOptions {
  std::string what;
  std::string name;
  std::string scope = "read";
  bool json = false;
};

ExitStatus list(journal::Journal& journal, bool json) {
  const auto grants = journal.grants();
  for (const auto& grant : grants) {
    if (json) {
      fmt::print("{}", ui::to_line({{"name", grant.name},
                                    {"scope", grant.scope},
                                    {"created", format_time(grant.created)}}));
    } else {
      fmt::print("{:<7} {}  {}\n", grant.scope, ui::local_time(grant.created),
                 printable(grant.name));
    }
  }
  if (grants.empty() && !json) fmt::print("There are no tokens here: agneto token make NAME\n");
  return printed(ExitStatus::complete);
}

ExitStatus token(const Context& context, const TokenOptions& options) {
  if (options.what != "list" && options.name.empty()) {
    throw Error("agneto token " + options.what + " needs the token's NAME");
  }
  workspace::prepare_home(run::home_of(context.folder));
  const auto journal = run::open_journal(context.folder);
  run::require_person(*journal);
  if (options.what == "list") return list(*journal, options.json);
  if (options.what == "revoke") {
    if (!journal->revoke(options.name)) {
      std::vector<std::string> names;
      for (const auto& grant : journal->grants()) names.push_back(grant.name);
      throw Error("there is no token '" + printable(options.name) + "'",
                  suggestion(options.name, names, "tokens"));
    }
    fmt::print("revoked: {}\n", printable(options.name));
    return printed(ExitStatus::complete);
  }
  const std::string made = serve::make_token(*journal, options.name,
                                             *serve::scope_of(options.scope), SystemClock().now());
  if (options.json) {
    fmt::print("{}",
               ui::to_line({{"name", options.name}, {"scope", options.scope}, {"token", made}}));
  } else {
    fmt::print("{}\n", made);
    std::fflush(stdout);
    fmt::print(stderr, "this is shown once, and kept nowhere; it is good for: {}\n", options.scope);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_token(Program& program) {
  auto options = std::make_shared<TokenOptions>();
  CommandLine& command = program.add_command(
      "token", "Tokens, by which this repository's server is reached: make, list, revoke");
  command.add("ACTION", &options->what, "What is to be done",
              {.required = true, .choices = {"make", "list", "revoke"}});
  command.add("NAME", &options->name, "Whose token it is, in a word or two");
  command.add("--scope", &options->scope,
              "What it is good for; each for what those before it are, too: to read, to answer "
              "questions and send events, to submit tasks, to do all that can be done to runs",
              {.choices = {"read", "answer", "submit", "admin"}, .shown_default = options->scope});
  command.add("--json", &options->json, "Print JSON");
  command.footer = R"(Examples:
  agneto token make "Ada's phone" --scope answer
  agneto token list
  agneto token revoke "Ada's phone")";
  command.action = [options](const Context& context) { return token(context, *options); };
}

}  // namespace agneto::cli
