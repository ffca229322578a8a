// agneto export

#include "run/export.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/export_formats.h"
#include "ui/json_lines.h"
#include "ui/summary.h"

namespace agneto::cli {
namespace {

struct Options {
  std::string run;
  std::string format = "json";
  std::string file;
};

std::string text_of(const Context& context, const Options& options, const run::Reader& reader) {
  if (options.format == "cassette") return export_cassette(context, reader);
  if (options.format == "scenario") return export_scenario(context, reader, options.file);
  const Json exported = run::export_run(reader, "agneto " AGNETO_VERSION, SystemClock().now());
  return options.format == "json" ? ui::to_line(exported) : ui::markdown_summary(exported);
}

// An export is evidence: what was altered must not pass for what was recorded.
void require_sound(const run::Reader& reader) {
  try {
    reader.check();
  } catch (const Error& error) {
    throw Error(error.what(),
                error.help() + "; a copy of that, made by 'agneto fork " + reader.id() +
                    " --at SEQ --no-start', can be exported",
                error.status());
  }
}

ExitStatus export_one(const Context& context, const Options& options) {
  end_with_the_reader();
  const run::Reader reader(context.folder, options.run);
  require_sound(reader);
  const std::string text = text_of(context, options, reader);
  if (options.file.empty() || options.file == "-") {
    std::fwrite(text.data(), 1, text.size(), stdout);
    return printed(ExitStatus::complete);
  }
  write_file(context.folder / options.file, text);
  return ExitStatus::complete;
}

}  // namespace

void add_export(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "export", "Write all of a run as one document: prompts, replies, answers, commits, cost");
  command->add_option("RUN", options->run, "Its id, the start of one, or 'last'")->required();
  command
      ->add_option("--format", options->format,
                   "json: all of it; markdown: a summary for people; cassette: for 'agneto run "
                   "--cassette'; scenario: a test for 'agneto test'")
      ->check(CLI::IsMember({"json", "markdown", "cassette", "scenario"}))
      ->capture_default_str();
  command->add_option("-o,--output", options->file, "Write this file (default: standard output)");
  command->footer(R"(Examples:
  agneto export last -o run.json
  agneto export last --format markdown > run.md
  agneto export last --format cassette -o again.yaml
  agneto export last --format scenario -o .agneto/workflows/mine.test.yaml
  agneto export last | jq -r '.calls[].attempts[].prompt'

Keys, tokens and passwords are left out. docs/export.md describes the JSON.)");
  command->callback([options, &context] {
    context.action = [options, &context] { return export_one(context, *options); };
  });
}

}  // namespace agneto::cli
