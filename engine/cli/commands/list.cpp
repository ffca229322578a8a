// agneto list

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/packages.h"
#include "cli/runnable.h"
#include "packages/store.h"
#include "ui/json_lines.h"
#include "ui/readable.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

using packages::Store;

constexpr std::size_t description_columns = 400;

ExitStatus list_workflows(const Context& context, bool json) {
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  for (const Runnable& one : runnables(context)) {
    if (json) {
      Json inputs = Json::array();
      for (const auto& input : one.inputs) {
        inputs.push_back({{"name", input.name},
                          {"required", input.required()},
                          {"default", input.initial.value_or(Json())},
                          {"description", input.description}});
      }
      fmt::print("{}", ui::to_line({{"name", one.name},
                                    {"from", one.from},
                                    {"file", one.file.string()},
                                    {"description", one.description},
                                    {"inputs", std::move(inputs)},
                                    {"problem", one.problem}}));
      continue;
    }
    screen.line(ui::Styled(ui::Color::bold, one.name) + ui::Styled("  (" + one.from + ")"));
    const auto indented = [](const std::string& text) {
      return "    " + ui::first_line(printable(text), description_columns);
    };
    if (!one.problem.empty()) {
      screen.line(ui::Styled(ui::Color::red, indented("it cannot be run: " + one.problem)), 4);
    } else if (!one.description.empty()) {
      screen.line(indented(one.description), 4);
    }
    for (const std::string& input : described(one.inputs)) screen.line("    " + input, 6);
  }
  return printed(ExitStatus::complete);
}

const char* word_for(Store::State state) {
  switch (state) {
    case Store::State::good:
      return "good";
    case Store::State::changed:
      return "changed";
    case Store::State::gone:
      break;
  }
  return "gone";
}

ExitStatus list_packages(const Context& context, bool json) {
  const Store store(packages_of(context.folder));
  const auto all = store.packages();
  ui::Screen screen(stdout, ui::Screen::style_of(stdout));
  for (const model::Package& package : all) {
    const auto state = store.state_of(package);
    const std::string description =
        state == Store::State::gone ? "" : store.facts_of(package.name).description;
    const std::string origin = packages::to_text({package.url, package.folder, package.rev});
    if (json) {
      fmt::print("{}", ui::to_line({{"name", package.name},
                                    {"url", package.url},
                                    {"folder", package.folder},
                                    {"rev", package.rev},
                                    {"commit", package.commit},
                                    {"description", description},
                                    {"state", word_for(state)}}));
      continue;
    }
    screen.line(ui::Styled(ui::Color::bold, package.name) +
                ui::Styled("  " + origin + " (" + package.commit.substr(0, 12) + ")"));
    if (!description.empty()) screen.line("    " + printable(description), 4);
    if (state == Store::State::changed) {
      screen.line(ui::Styled(ui::Color::red, "    it is not what agneto.lock says it is"), 4);
    }
    if (state == Store::State::gone) {
      screen.line(ui::Styled(ui::Color::red, "    it is not here; bring it: agneto vendor"), 4);
    }
  }
  if (all.empty() && !json) screen.line("there are no packages; bring one: agneto add URL@REV");
  return printed(ExitStatus::complete);
}

}  // namespace

void add_list(Program& program) {
  struct Options {
    bool workflows = false;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CommandLine& command =
      program.add_command("list", "List the packages, or the workflows that can be run here");
  command.add("--workflows", &options->workflows,
              "The workflows: what they do, their inputs, and where they come from");
  command.add("--json", &options->json, "One JSON object a line");
  command.action = [options](const Context& context) {
    end_with_the_reader();
    return options->workflows ? list_workflows(context, options->json)
                              : list_packages(context, options->json);
  };
}

}  // namespace agneto::cli
