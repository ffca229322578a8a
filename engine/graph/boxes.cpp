#include "graph/boxes.h"

#include "base/text.h"
#include "graph/words.h"

namespace agneto::graph {
namespace {

constexpr std::size_t note_columns = 34;
constexpr std::size_t title_columns = 100;

}  // namespace

Boxes::Boxes(const Picture& picture) : picture_(picture) {
  add(picture.root);
  std::map<std::tuple<int, int, Change>, std::size_t> known;
  for (const Arrow& arrow : picture.arrows) {
    if (arrow.to.empty()) box(arrow.from).stays.push_back(&arrow);
    for (const std::string& id : arrow.to) {
      const int from = number_of(arrow.from), to = number_of(id);
      const auto [it, added] = known.try_emplace({from, to, arrow.change}, bundles_.size());
      if (added) {
        const bool holds = !node(from).children.empty();
        bundles_.push_back({from, to, holds && (from == to || is_within(to, from))});
        if (bundles_.back().inwards) box(arrow.from).port = true;
      }
      Bundle& bundle = bundles_[it->second];
      bundle.arrows.push_back(&arrow);
      bundle.change = arrow.change;
      if (arrow.kind != Arrow::Kind::failure) bundle.failure = false;
      if (arrow.count > 0) bundle.marked = true;
      if (picture.trail == Trail::Kind::coverage && arrow.count == 0) bundle.missing = true;
    }
  }
}

int Boxes::add(const Node& node) {
  const std::size_t here = boxes_.size();
  boxes_.push_back({&node});
  numbers_[node.id] = static_cast<int>(here);
  int last = static_cast<int>(here);
  for (const Node& child : node.children) last = add(child);
  boxes_[here].last = last;
  return last;
}

std::vector<std::string> Boxes::words_of(const Node& node) const {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view text) {
    for (auto& part : wrapped(text, node.id.empty() ? title_columns : note_columns)) {
      lines.push_back(std::move(part));
    }
  };
  for (const auto& note : node.notes) add(note);
  for (const Arrow* arrow : boxes_[static_cast<std::size_t>(number_of(node))].stays) {
    const std::string words = join(graph::words_of(*arrow, picture_.trail), " ");
    add(words + (words.empty() ? "stays" : ": stays"));
  }
  return lines;
}

std::vector<std::string> Boxes::words_of(const Bundle& bundle) const {
  std::vector<std::string> lines;
  for (const Arrow* arrow : bundle.arrows) {
    Arrow each = *arrow;
    // Beside others a guard alone would look as if it belonged to the event above it.
    if (each.trigger.empty() && bundle.arrows.size() > 1) each.trigger = "always";
    for (auto& line : graph::words_of(each, picture_.trail)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace agneto::graph
