// agneto lint

#include "lint/lint.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace agneto::cli {

void add_lint(CLI::App& app, Context& context) {
  auto files = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("lint", "Report every mistake in workflow files");
  command->add_option("FILE", *files, "Workflow files")->required();
  command->footer("Exit status: 0 no errors, 1 errors, 2 usage.");
  command->callback([files, &context] {
    context.action = [files, &context] {
      end_with_the_reader();
      bool errors = false;
      for (const auto& file : *files) {
        auto findings = lint::lint(file, Disk(), context.resources.share / "scripts" / "lib");
        fmt::print("{}", render(findings.diagnostics));
        errors = errors || findings.diagnostics.has_errors();
      }
      return printed(errors ? ExitStatus::failed : ExitStatus::complete);
    };
  });
}

}  // namespace agneto::cli
