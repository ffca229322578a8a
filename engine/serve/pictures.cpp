#include "serve/pictures.h"

#include "base/error.h"
#include "graph/graphviz.h"

namespace agneto::serve {

namespace {

constexpr Millis patience{20'000};

// Before it is drawn: Graphviz writes some characters in another way.
void redact(graph::Node& node, const Redactor& redactor) {
  node.name = redactor.text(std::move(node.name));
  for (std::string& note : node.notes) note = redactor.text(std::move(note));
  for (graph::Node& child : node.children) redact(child, redactor);
}

graph::Picture redacted(graph::Picture picture, const Redactor& redactor) {
  redact(picture.root, redactor);
  for (graph::Arrow& arrow : picture.arrows) {
    for (std::string* text : {&arrow.trigger, &arrow.guard, &arrow.remark}) {
      *text = redactor.text(std::move(*text));
    }
  }
  return picture;
}

}  // namespace

std::string Pictures::svg(const std::string& of, const std::function<graph::Picture()>& draw,
                          const Redactor& redactor) const {
  return drawn_.answer(of, [&] {
    const auto alone = drawing_.take();
    return graph::draw_with_graphviz(graph::to_dot(redacted(draw(), redactor)), "svg", guard_,
                                     patience);
  });
}

}  // namespace agneto::serve
