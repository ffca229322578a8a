#include "serve/pictures.h"

#include <algorithm>

#include "graph/graphviz.h"

namespace agneto::serve {

namespace {

constexpr std::size_t most_kept = 50;
constexpr Millis patience{20'000};

}  // namespace

std::string Pictures::svg_of(const graph::Picture& picture) const {
  const std::string dot = graph::to_dot(picture);
  const std::lock_guard lock(mutex_);
  auto found = std::ranges::find(drawn_, dot, &std::pair<std::string, std::string>::first);
  if (found == drawn_.end()) {
    drawn_.emplace_front(dot, graph::draw_with_graphviz(dot, "svg", guard_, patience));
    found = drawn_.begin();
    if (drawn_.size() > most_kept) drawn_.pop_back();
  }
  drawn_.splice(drawn_.begin(), drawn_, found);
  return drawn_.front().second;
}

}  // namespace agneto::serve
