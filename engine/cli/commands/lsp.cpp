// agneto lsp

#include <unistd.h>

#include "cli/commands.h"
#include "lint/report/collect.h"
#include "lsp/serve.h"
#include "run/call_settings.h"
#include "run/prepare.h"

namespace agneto::cli {

namespace {

std::vector<fs::path> workflows_in(const fs::path& folder) {
  try {
    return lint::workflow_files({folder.string()});
  } catch (const Error&) {
    return {};  // there are none
  }
}

}  // namespace

void add_lsp(Program& program) {
  CommandLine& command = program.add_command("lsp", "Tell an editor what lint finds, and more");
  auto stdio = std::make_shared<bool>();
  command.add("--stdio", stdio.get(), "What editors say; there is no other way");
  command.footer =
      R"(An editor starts it and speaks the Language Server Protocol with it on standard input and
output; docs/editors.md says how to set up yours.

Exit status: 0 the editor has ended it, 1 the editor is gone.)";
  command.action = [stdio](const Context& context) {
    const fs::path& share = context.resources.share;
    const Disk disk;
    lsp::Checks checks;
    checks.configuration = [&context](const fs::path& file, const Files& files, Diagnostics& wrong,
                                      std::vector<SourcePtr>& sources) {
      const run::Config config = run::load_config(file, files, wrong);
      if (config.source) sources.push_back(config.source);
      const fs::path checkout = file.parent_path().parent_path();
      run::check_providers(config, files, run::provider_folders(checkout, context.resources),
                           wrong);
    };
    checks.workflow = [&context](const fs::path& configuration, const Files& files,
                                 const model::System& system, Diagnostics& wrong) {
      Diagnostics told_by_the_other;
      const auto config = std::make_shared<const run::Config>(
          run::load_config(configuration, files, told_by_the_other));
      const fs::path folder = system.main().file.parent_path();
      run::check_settings(system, *config, files, run::provider_folders(folder, context.resources),
                          wrong);
      return config;
    };
    lsp::Server server(disk, workflows_in, checks,
                       {AGNETO_VERSION, share / "scripts" / "lib", share / "docs" / "rules"});
    return static_cast<ExitStatus>(lsp::serve(server, STDIN_FILENO, STDOUT_FILENO));
  };
}

}  // namespace agneto::cli
