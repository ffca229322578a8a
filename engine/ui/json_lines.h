// Events as JSON lines, for programs.
#pragma once

#include <cstdio>
#include <string>

#include "base/json.h"
#include "record/event.h"

namespace agneto::ui {

// One line that a terminal does not obey: JSON leaves some control characters as they are.
std::string to_line(const Json& json);

class JsonLines : public record::Observer {
 public:
  explicit JsonLines(std::FILE* out) : out_(out) {}
  void event(const record::RunEvent& event) override;

 private:
  std::FILE* out_;
};

}  // namespace agneto::ui
