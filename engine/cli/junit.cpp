#include "cli/junit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace agneto::cli {
namespace {

// XML knows no control characters, not even escaped ones. An attribute has its line ends escaped.
std::string escaped(const std::string& text, bool attribute = true) {
  std::string result;
  for (const char c : printable(valid_utf8(text))) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\n' && attribute) {
      result += "&#10;";
    } else {
      result += c;
    }
  }
  return result;
}

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
                       escaped(at->suite), end - at, failures_of(cases, at->suite));
    for (; at != end; ++at) {
      xml += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(at->suite),
                         escaped(at->name));
      xml += at->failure.empty()
                 ? "/>\n"
                 : fmt::format(">\n      <failure message=\"{}\">{}</failure>\n    </testcase>\n",
                               escaped(at->message), escaped(at->failure, false));
    }
    xml += "  </testsuite>\n";
  }
  return xml + "</testsuites>\n";
}

}  // namespace agneto::cli
