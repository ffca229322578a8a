// Events as JSON lines, for programs.
#pragma once

#include <cstdio>
#include <string>

#include "base/json.h"
#include "run/observer.h"

namespace agneto::ui {

// One line that a terminal does not obey: JSON leaves some control characters as they are.
std::string to_line(const Json& json);

class JsonLines : public run::Observer {
 public:
  explicit JsonLines(std::FILE* out) : out_(out) {}
  void event(const run::RunEvent& event) override;

 private:
  std::FILE* out_;
};

}  // namespace agneto::ui
