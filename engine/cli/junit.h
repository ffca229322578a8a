// Test results as JUnit XML, which CI servers show.
#pragma once

#include <string>
#include <vector>

namespace agneto::cli {

struct JunitCase {
  std::string suite;
  std::string name;
  std::string failure;  // all that is wrong; empty: it passed
  std::string message;  // of it, in one line
};

// Cases of one suite stand together, in order.
std::string to_junit(const std::vector<JunitCase>& cases);

}  // namespace agneto::cli
