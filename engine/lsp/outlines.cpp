#include "lsp/outlines.h"

namespace agneto::lsp {

OutlinePtr Outlines::of(const fs::path& path) {
  auto text = documents_.text(path);
  if (!text) return nullptr;
  Made& made = made_[path];
  if (!made.text || (made.text != text && *made.text != *text)) {
    made.outline = std::make_shared<const Outline>(path, *text);
  }
  made.text = std::move(text);
  return made.outline;
}

Target target(const OutlinePtr& outline, const Span& span) {
  return {std::shared_ptr<const Source>(outline, &outline->source), span.begin, span.end};
}

}  // namespace agneto::lsp
