#include "cli/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/xml.h"

namespace agneto::cli {
namespace {

auto failures_of(const std::vector<JunitCase>& cases, const std::string& suite) {
  return std::count_if(cases.begin(), cases.end(), [&](const JunitCase& each) {
    return !each.failure.empty() && (suite.empty() || each.suite == suite);
  });
}

}  // namespace

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

}  // namespace agneto::cli
