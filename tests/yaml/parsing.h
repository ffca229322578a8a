// Parses a text for the YAML tests and keeps what its spans point into.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "yaml/tree.h"

namespace agneto::yaml {

struct Parsed {
  explicit Parsed(std::string text)
      : source(std::make_shared<const Source>("a.yaml", std::move(text))) {
    root = parse(source, diagnostics);
  }

  std::string bytes(const Span& span) const {
    return source->text().substr(span.begin, span.end - span.begin);
  }
  std::string errors() const { return render(diagnostics); }

  SourcePtr source;
  Diagnostics diagnostics;
  std::unique_ptr<Node> root;
};

}  // namespace agneto::yaml
