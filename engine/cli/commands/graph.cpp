// agneto graph

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/commands.h"
#include "graph/graphviz.h"
#include "graph/picture.h"
#include "graph/trail.h"
#include "model/load.h"
#include "run/reader.h"

namespace agneto::cli {
namespace {

struct GraphOptions {
  std::string file;
  std::string format;
  std::string run;
  std::string coverage;
  bool changes = false;
  std::string output;
  int depth = 0;
};

const std::vector<std::string> formats = {"svg", "png", "mermaid", "dot", "json"};

std::string format_of(const GraphOptions& options) {
  if (!options.format.empty()) return options.format;
  if (options.output.empty()) return "svg";
  std::string ending = fs::path(options.output).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  if (ending == "mmd") return "mermaid";
  if (std::ranges::find(formats, ending) != formats.end()) return ending;
  throw Error("what format is " + options.output + " to be in?",
              "give --format " + join(formats, ", ") + ", or a name that ends like one of them");
}

// With the picture of the workflow that it extends.
graph::Picture compared(graph::Picture picture, const model::System& system,
                        const GraphOptions& options, const Context& context) {
  const auto& sources = system.main().sources;
  if (sources.size() < 2) {
    throw Error(options.file + " extends no other workflow, so that it changes none",
                "leave --changes out");
  }
  Diagnostics diagnostics;
  const auto base = model::load(context.folder / sources[1]->path(), Disk(), diagnostics,
                                context.resources.library());
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  return graph::compare(graph::draw(*base.system, 0, options.depth, {}), std::move(picture));
}

graph::Picture picture_of_file(const GraphOptions& options, const Context& context) {
  Diagnostics diagnostics;
  const auto loaded = model::load(workflow_file(options.file, context), Disk(), diagnostics,
                                  context.resources.library());
  if (diagnostics.has_errors()) throw InvalidFile(render(diagnostics));
  graph::Trail trail;
  if (!options.coverage.empty()) {
    const auto text = Disk().read(context.folder / options.coverage);
    if (!text) {
      throw Error("cannot read the coverage file " + options.coverage,
                  "write one: agneto test --coverage-file " + options.coverage);
    }
    trail = graph::trail_of(*text, options.coverage, *loaded.system, 0);
  }
  graph::Picture picture = graph::draw(*loaded.system, 0, options.depth, trail);
  return options.changes ? compared(std::move(picture), *loaded.system, options, context) : picture;
}

// The machine of a run that a person means: by its name, or its file's.
model::MachineId machine_of(const model::System& system, const std::string& wanted,
                            const std::string& run) {
  if (wanted.empty()) return 0;
  for (const auto& machine : system.machines) {
    if (machine.name == wanted || machine.file.filename() == fs::path(wanted).filename()) {
      return machine.id;
    }
  }
  throw Error("run " + run + " has no machine '" + wanted + "'",
              suggestion(wanted, names_of(system.machines), "machines"));
}

graph::Picture picture_of_run(const GraphOptions& options, const Context& context) {
  const run::Reader reader(context.folder, options.run);
  const auto workflow = reader.workflow();
  if (!workflow) {
    throw Error("the workflow of run " + reader.id() + " cannot be read by this version",
                "draw its file, without --run");
  }
  const auto machine = machine_of(*workflow->system, options.file, reader.id());
  const Json instance = graph::recorded_instance(reader.state());
  return graph::draw(*workflow->system, machine, options.depth,
                     graph::trail_of(reader.entries(), instance, *workflow->system, machine));
}

std::string text_of(const graph::Picture& picture, const std::string& format,
                    const Context& context) {
  if (format == "json") return graph::to_json(picture).dump(2) + "\n";
  if (format == "mermaid") return graph::to_mermaid(picture);
  const std::string dot = graph::to_dot(picture);
  if (format == "dot") return dot;
  try {
    return graph::draw_with_graphviz(dot, format, context.resources.guard);
  } catch (const Error& error) {
    throw Error(error.what(), error.help() + ", or take --format mermaid", error.status());
  }
}

ExitStatus draw(const GraphOptions& options, const Context& context) {
  if (options.file.empty() && options.run.empty()) {
    throw Error("graph needs a WORKFLOW, or a run by --run", "see 'agneto graph --help'");
  }
  const std::string format = format_of(options);
  if (format == "png" && options.output.empty() && isatty(STDOUT_FILENO)) {
    throw Error("a PNG is not for a terminal", "give a file: -o machine.png");
  }
  const std::string text = text_of(
      options.run.empty() ? picture_of_file(options, context) : picture_of_run(options, context),
      format, context);
  if (!options.output.empty()) {
    write_file(context.folder / options.output, text);
    return ExitStatus::complete;
  }
  end_with_the_reader();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return printed(ExitStatus::complete);
}

}  // namespace

void add_graph(Program& program) {
  auto options = std::make_shared<GraphOptions>();
  CommandLine& command =
      program.add_command("graph", "Draw a workflow, or the path that a run took");
  command.add("WORKFLOW", &options->file,
              "A workflow by path or name; with --run one of its machines");
  command.add("--format", &options->format,
              "svg, png (both need Graphviz), mermaid, dot or json (default: as -o ends, "
              "else svg)",
              {.choices = formats});
  command.add("--depth", &options->depth,
              "Draw the machines that it delegates to within, so many levels down",
              {.range = {{0, 100}}, .shown_default = std::to_string(options->depth)});
  command.add("--run", &options->run,
              "Highlight and count what this run took: its id, the start of one, or 'last'");
  command.add("--coverage", &options->coverage,
              "Show what tests leave out: a file of 'agneto test --coverage-file'",
              {.excludes = {"--run"}});
  command.add("--changes", &options->changes,
              "Show what the workflow adds to the one that it extends, changes in it and removes",
              {.excludes = {"--run", "--coverage"}});
  command.add("-o,--output", &options->output, "Write to this file");
  command.footer = R"(Examples:
  agneto graph agneto -o agneto.svg            a picture of the bundled workflow
  agneto graph agneto --depth 1 -o all.png     with its execution drawn within
  agneto graph flow.yaml --format mermaid      for a page in Markdown
  agneto graph --run last -o run.svg           where the last run went
  agneto graph flow --coverage cov.json        what its tests leave out
  agneto graph flow --changes -o changes.svg   what it changes in what it extends

Exit status: 0 drawn, 1 Graphviz could not, 2 usage or an invalid workflow.)";
  command.action = [options](const Context& context) { return draw(*options, context); };
}

}  // namespace agneto::cli
