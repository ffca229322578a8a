// Pictures for browsers: drawn by Graphviz, one at a time, and kept for a while.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include "base/redact.h"
#include "graph/picture.h"
#include "serve/recent.h"
#include "serve/turns.h"

namespace agneto::serve {

// Its function is called on several threads at a time.
class Pictures {
 public:
  // `guard`: the agneto-guard program.
  explicit Pictures(std::filesystem::path guard) : guard_(std::move(guard)) {}

  // An SVG without secrets. `of` says all that the picture depends on. Throws what `draw` throws,
  // Error where there is no Graphviz or it cannot draw that, and NotYet where others keep it busy.
  std::string svg(const std::string& of, const std::function<graph::Picture()>& draw,
                  const Redactor& redactor) const;

 private:
  const std::filesystem::path guard_;
  SystemClock clock_;
  mutable Turns drawing_;
  mutable Recent drawn_{clock_, std::chrono::minutes(1), 50};
};

}  // namespace agneto::serve
