// agneto test

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/line_diff.h"
#include "base/text.h"
#include "base/xml.h"
#include "cli/agent_settings.h"
#include "cli/commands.h"
#include "cli/test_files.h"
#include "cli/watching.h"
#include "lint/team/rule_test.h"
#include "play/play_case.h"
#include "play/read_scenario.h"
#include "play/snapshots.h"
#include "script/lua_tests.h"
#include "ui/json_lines.h"

namespace agneto::cli {
namespace {

struct TestOptions {
  std::vector<std::string> paths;
  std::string filter;
  std::string junit;
  std::string coverage_file;
  std::optional<int> min_coverage;
  bool json = false;
  bool coverage = false;
  bool watch = false;
  bool update = false;

  bool covers() const { return coverage || min_coverage || !coverage_file.empty(); }
};

struct JunitCase {
  std::string suite;
  std::string name;
  std::string failure;  // all that is wrong; empty: it passed
  std::string message;  // of it, in one line
};

auto failures_of(const std::vector<JunitCase>& cases, const std::string& suite) {
  return std::ranges::count_if(cases, [&](const JunitCase& each) {
    return !each.failure.empty() && (suite.empty() || each.suite == suite);
  });
}

// The results as JUnit XML, which CI servers show. Cases of one suite stand together, in order.
std::string to_junit(const std::vector<JunitCase>& cases) {
  std::string xml = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites tests=\"{}\" failures=\"{}\">\n",
      cases.size(), failures_of(cases, ""));
  for (auto at = cases.begin(); at != cases.end();) {
    const auto end = std::find_if(at, cases.end(),
                                  [&](const JunitCase& each) { return each.suite != at->suite; });
    xml += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\">\n",
                       xml_attribute(at->suite), end - at, failures_of(cases, at->suite));
    for (; at != end; ++at) {
      xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml_attribute(at->suite),
                         xml_attribute(at->name));
      xml += at->failure.empty()
                 ? "/>\n"
                 : fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                               xml_attribute(at->message), xml_text(at->failure));
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

class Report {
 public:
  explicit Report(const TestOptions& options) : options_(options) {}

  void row(const fs::path& file, const play::Case& row, const play::Result& result) {
    std::string text;
    Json failures = Json::array();
    for (const auto& [diagnostic, details] : result.failures) {
      text += render(diagnostic);
      for (const auto& line : details) text += "    " + printable(line) + "\n";
      const Position place = diagnostic.span.position();
      failures.push_back({{"line", place.line},
                          {"column", place.column},
                          {"message", diagnostic.message},
                          {"help", diagnostic.help},
                          {"details", details}});
    }
    const std::string path = result.path.empty() ? "" : "  path: " + join(result.path, ", ") + "\n";
    add({file.string(), row.name.text, text,
         text.empty() ? "" : result.failures.front().diagnostic.message},
        text + path,
        {{"line", row.name.span.line()}, {"path", result.path}, {"failures", std::move(failures)}});
  }

  void row(const fs::path& file, const std::string& name,
           const std::optional<std::string>& failure) {
    Json failures = Json::array();
    if (failure) failures.push_back({{"message", *failure}});
    const std::string text = failure.value_or("");
    add({file.string(), name, text, text}, printable(text) + "\n",
        {{"failures", std::move(failures)}});
  }

  void invalid(const fs::path& file, const std::string& text) {
    ++invalid_;
    junit_.push_back({file.string(), "the file", text, "it is invalid"});
    fmt::print(stderr, "{}", text);
  }

  ExitStatus end() {
    if (!options_.json) {
      std::string counts = fmt::format("{} passed", passed_);
      if (failed_ > 0) counts += fmt::format(", {} failed", failed_);
      if (invalid_ > 0) {
        counts += fmt::format(", {} file{} invalid", invalid_, invalid_ == 1 ? "" : "s");
      }
      fmt::print("{}\n", counts);
    }
    if (!options_.junit.empty()) write_file(options_.junit, to_junit(junit_));
    if (passed_ + failed_ + invalid_ == 0) {
      throw Error("no case is called like '" + options_.filter + "'",
                  "--filter takes a part of 'FILE: NAME'");
    }
    return invalid_ > 0  ? ExitStatus::usage
           : failed_ > 0 ? ExitStatus::failed
                         : ExitStatus::complete;
  }

 private:
  // `wrong`: what a person reads of it where it has failed. `json` has its failures.
  void add(JunitCase result, const std::string& wrong, Json json) {
    const bool passed = json.at("failures").empty();
    ++(passed ? passed_ : failed_);
    if (options_.json) {
      json.update({{"file", result.suite}, {"case", result.name}, {"passed", passed}});
      fmt::print("{}", ui::to_line(json));
    } else {
      fmt::print("{} {}: {}\n", passed ? "ok  " : "FAIL", result.suite, printable(result.name));
      if (!passed) fmt::print("{}\n", wrong);
    }
    if (!passed && result.failure.empty()) result.failure = "it failed without a message";
    junit_.push_back(std::move(result));
  }

  const TestOptions& options_;
  int passed_ = 0, failed_ = 0, invalid_ = 0;
  std::vector<JunitCase> junit_;
};

void call(const fs::path& file, const TestOptions& options, const Context& context,
          const Files& disk, Report& report) {
  const script::LuaTests tests(disk, file, context.resources.library());
  try {
    for (const std::string& name : tests.names()) {
      if ((file.string() + ": " + name).find(options.filter) == std::string::npos) continue;
      report.row(file, name, tests.run(name));
    }
  } catch (const script::HookError& error) {
    report.invalid(file, std::string(error.what()) + "\n");
  }
}

// A test of the team's own rules.
void lint_case(const fs::path& file, const TestOptions& options, const Context& context,
               const Files& disk, Report& report) {
  constexpr const char* name = "findings";
  if ((file.string() + ": " + name).find(options.filter) == std::string::npos) return;
  const auto failures = lint::failures_of_rule_test(file, disk, context.resources.library());
  report.row(file, name, failures.empty() ? std::nullopt : std::optional(join(failures, "\n")));
}

// Writes the prompts that were kept, and shows what is another than before.
void write(const play::Snapshots& snapshots, FILE* out) {
  const std::string page = snapshots.page();
  if (page == snapshots.page_before()) return;
  if (page.empty()) {
    fs::remove(snapshots.file());
  } else {
    write_file(snapshots.file(), page);
  }
  fmt::print(out, "{}",
             printable(unified_diff(snapshots.file().string(), snapshots.page_before(), page)));
}

void play(const fs::path& file, const TestOptions& options, const Context& context,
          const Files& disk, const play::SettingsOf& settings_of, Report& report,
          play::Coverage& coverage) {
  Diagnostics diagnostics;
  const auto text = disk.read(file);
  if (!text) throw Error("cannot read the test file " + file.string(), "look at its permissions");
  const auto source = std::make_shared<Source>(file.string(), *text);
  const auto suite = play::read_suite(file, source, disk, context.resources.library(), diagnostics);
  if (!suite) return report.invalid(file, render(diagnostics));
  auto workflow =
      play::load_workflow(suite->workflow, disk, context.resources.library(), diagnostics);
  if (!diagnostics.has_errors()) play::check_suite(*suite, *workflow.loaded.system, diagnostics);
  if (diagnostics.has_errors()) return report.invalid(file, render(diagnostics));
  workflow.settings_of = settings_of;
  if (options.covers()) coverage.add(workflow.loaded.system);
  play::Snapshots snapshots(disk, file);
  bool whole = true;  // were all cases played to their end?
  for (const auto& row : suite->cases) {
    const std::string name = file.string() + ": " + row.name.text;
    if (name.find(options.filter) == std::string::npos) {
      whole = false;
      continue;
    }
    auto result = play::play_case(row, workflow, options.covers() ? &coverage : nullptr);
    for (auto& failure :
         options.update ? snapshots.update(result) : snapshots.differences(result)) {
      result.failures.push_back(std::move(failure));
    }
    whole = whole && result.failures.empty();
    report.row(file, row, result);
  }
  if (!options.update) return;
  if (whole) snapshots.forget_others();
  write(snapshots, options.json ? stderr : stdout);
}

std::string words_of(const char* name, const play::MachineCoverage::Share& share) {
  return fmt::format("{} of {} {}", share.covered, share.total, name);
}

// Nothing can be asked of a machine that is only delegated to and has tests of its own that are not
// run now.
std::vector<const play::MachineCoverage*> asked_of(const play::Coverage& coverage,
                                                   const std::vector<fs::path>& tests) {
  std::vector<const play::MachineCoverage*> all;
  for (const auto& [name, of] : coverage.machines()) {
    const fs::path file = name;
    const fs::path own = play::scenario_test_of(file);
    const bool run_now = std::ranges::any_of(tests, [&](const fs::path& test) {
      return fs::absolute(test).lexically_normal() == fs::absolute(own).lexically_normal();
    });
    if (run_now || !fs::exists(own)) all.push_back(&of);
  }
  return all;
}

void show(const std::vector<const play::MachineCoverage*>& machines) {
  for (const auto* of : machines) {
    const std::string file = of->machine->file.string();
    fmt::print("\n{}: {}, {}, {}, {}\n", file, words_of("states", of->of_states()),
               words_of("transitions", of->of_transitions()),
               words_of("guards' results", of->of_guards()),
               words_of("verdicts", of->of_verdicts()));
    for (const auto& line : missing(*of)) fmt::print("  {}\n", printable(line));
  }
}

// Throws Error where a machine's tests take too few of its transitions.
void demand(int percent, const std::vector<const play::MachineCoverage*>& machines) {
  std::vector<std::string> below;
  for (const auto* of : machines) {
    const auto share = of->of_transitions();
    if (share.percent() < percent) {
      below.push_back(fmt::format("{} of the {} of {}", share.covered, share.total,
                                  of->machine->file.string()));
    }
  }
  if (below.empty()) return;
  throw Error(
      fmt::format("less than {} % of the transitions were taken: {}", percent, join(below, ", ")),
      "--coverage shows which were not", ExitStatus::failed);
}

ExitStatus test(const TestOptions& options, const Context& context, const Files& files) {
  Report report(options);
  play::Coverage coverage;
  std::set<fs::path> searched;
  const std::vector<fs::path> tests = test_files(options.paths, context, files, searched);
  Diagnostics wrong;
  const play::SettingsOf settings_of = agent_settings(context, files, wrong);
  if (wrong.has_errors()) report.invalid(".agneto/config.yaml", render(wrong));
  for (const auto& file : tests) {
    if (is_lua_test(file)) {
      call(file, options, context, files, report);
    } else if (lint::is_rule_test(file)) {
      lint_case(file, options, context, files, report);
    } else {
      play(file, options, context, files, settings_of, report, coverage);
    }
  }
  const ExitStatus status = report.end();
  if (options.coverage && options.json) fmt::print("{}", ui::to_line(to_json(coverage)));
  if (options.coverage && !options.json) show(asked_of(coverage, tests));
  if (!options.coverage_file.empty()) {
    write_file(context.folder / options.coverage_file, to_json(coverage).dump(2) + "\n");
  }
  printed(status);
  if (options.min_coverage && status == ExitStatus::complete) {
    demand(*options.min_coverage, asked_of(coverage, tests));
  }
  return status;
}

ExitStatus test_again_and_again(const TestOptions& options, const Context& context) {
  const auto scope = [&] {
    Scope now;
    try {
      now.files = test_files(options.paths, context, Disk(), now.folders);
    } catch (const std::exception&) {
      // An argument leads nowhere, as the round says, or a folder has just gone.
    }
    return now;
  };
  const auto round = [&](const Files& files) { return test(options, context, files); };
  return again_and_again(scope, round, options.json ? stderr : stdout);
}

}  // namespace

void add_test(Program& program) {
  auto options = std::make_shared<TestOptions>();
  CommandLine& command =
      program.add_command("test", "Play the scenario tests of workflows, without agents or git");
  command.add("PATHS", &options->paths,
              "Test files, workflows, or folders with *.test.yaml and *.test.lua below "
              "(default: here, or else the repository's)");
  command.add("--filter", &options->filter, "Only cases with this text in 'FILE: NAME'");
  command.add("--junit", &options->junit, "Write the results to this file as JUnit XML");
  command.add("--json", &options->json, "Print each case as a JSON line");
  command.add("--coverage", &options->coverage,
              "Say which states, transitions, guards' results and verdicts no case comes by");
  command.add("--coverage-file", &options->coverage_file,
              "Write the coverage to this file, for 'agneto graph --coverage'");
  command.add("--min-coverage", &options->min_coverage,
              "Fail where less than this many percent of a machine's transitions are taken",
              {.range = {{0, 100}}});
  command.add("--update", &options->update,
              "Write the prompts that cases keep to NAME.prompts.md, and show what is another");
  command.add("--watch", &options->watch, "Play again whenever a file changes, until Ctrl+C");
  command.footer = R"(Examples:
  agneto test                                   all tests below this folder
  agneto test triage                            those of one workflow and of its hooks
  agneto test --filter 'plan gate' --junit results.xml
  agneto test --coverage --min-coverage 100     what they leave out; 1 where they leave out anything

Exit status: 0 all passed, 1 some failed or left out too much, 2 usage or an invalid file.)";
  command.action = [options](const Context& context) {
    end_with_the_reader();
    if (options->watch) return test_again_and_again(*options, context);
    return test(*options, context, Disk());
  };
}

}  // namespace agneto::cli
