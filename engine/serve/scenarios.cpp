#include "serve/scenarios.h"

#include "base/error.h"
#include "base/text.h"
#include "process/process.h"

namespace agneto::serve {

namespace {

// The lines of `agneto test --json --coverage`: a case each, and at last the coverage.
class Lines : public process::Listener {
 public:
  bool line(std::string_view text) override {
    Json said = Json::parse(text, nullptr, false);
    if (!said.is_object()) return true;  // it is cut off
    if (said.contains("agneto-coverage")) {
      told["coverage"] = std::move(said);
      return true;
    }
    told["cases"] = told["cases"].get<std::size_t>() + 1;
    if (said.value("passed", true)) return true;
    told["failed"].push_back(said.value("case", ""));
    return true;
  }

  Json told = {{"cases", 0}, {"failed", Json::array()}};
};

}  // namespace

Played Scenarios::play(const std::string& workflow, const std::filesystem::path& test,
                       const std::string& of) const {
  const Json told = Json::parse(played_.answer(of, [&] {
    const auto alone = playing_.take();
    return to_text(played(workflow, test));
  }));
  return {told.at("cases"), told.at("failed"), told.at("coverage")};
}

Json Scenarios::played(const std::string& workflow, const std::filesystem::path& test) const {
  process::Spec spec;
  spec.argv = {program_.string(), "test", test.string(), "--json", "--coverage"};
  spec.cwd = folder_;
  spec.timeout = patience_;
  Lines lines;
  const process::Exit exit = process::GuardedRunner(guard_).run(spec, lines, {});
  if (exit.kind == process::Exit::Kind::timed_out) {
    throw Error("the scenarios of '" + workflow + "' were not played to their end after " +
                    format_duration(patience_),
                "'agneto test " + workflow + "' takes its time");
  }
  if (!lines.told.contains("coverage") || lines.told["cases"] == 0) {
    const std::string said(trim(exit.error));
    throw Error("the scenarios of '" + workflow + "' cannot be played",
                said.empty() ? process::describe(exit, spec) : said);
  }
  return std::move(lines.told);
}

}  // namespace agneto::serve
