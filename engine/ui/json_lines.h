// Events as JSON lines, for programs.
#pragma once

#include <cstdio>

#include "run/observer.h"

namespace agneto::ui {

class JsonLines : public run::Observer {
 public:
  explicit JsonLines(std::FILE* out) : out_(out) {}
  void event(const run::RunEvent& event) override;

 private:
  std::FILE* out_;
};

}  // namespace agneto::ui
