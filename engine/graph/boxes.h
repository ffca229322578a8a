// A picture made ready to be written: its boxes by number, and its arrows as they are drawn.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "graph/picture.h"

namespace agneto::graph {

// Arrows that go the same way are drawn as one, with words for each.
struct Bundle {
  int from = 0, to = 0;          // boxes
  bool inwards = false;          // from a box with others in it to one of these, or to itself
  bool failure = true;           // all are taken for failures alone
  bool marked = false;           // one of them is on the trail
  bool missing = false;          // of a coverage: one of them is not
  Change change = Change::none;  // that of all of them
  std::vector<const Arrow*> arrows = {};
};

// Boxes are numbered in document order: the root is 0. The picture outlives them.
class Boxes {
 public:
  explicit Boxes(const Picture& picture);

  const Picture& picture() const { return picture_; }
  const Node& root() const { return picture_.root; }
  const Node& node(int number) const { return *boxes_[static_cast<std::size_t>(number)].node; }
  int number_of(const Node& node) const { return number_of(node.id); }
  int number_of(const std::string& id) const { return numbers_.at(id); }
  // Does the one lie inside of the other? None lies inside of itself.
  bool is_within(int inner, int outer) const {
    return inner > outer && inner <= boxes_[static_cast<std::size_t>(outer)].last;
  }

  // In the order of the first arrow of each; without those that only run actions.
  const std::vector<Bundle>& bundles() const { return bundles_; }
  // Does an arrow lead inwards from it? No program draws that from its border: so there is a small
  // box in it for them.
  bool has_port(int number) const { return boxes_[static_cast<std::size_t>(number)].port; }

  // What stands below a box's name: what it does, and what is taken without leaving it.
  std::vector<std::string> words_of(const Node& node) const;
  std::vector<std::string> words_of(const Bundle& bundle) const;
  // What stands on that small box.
  static const char* words_of_port(const Node& node) {
    return node.id.empty() ? "at any time" : "anywhere within";
  }

  // A run did not come there; nothing has changed.
  bool is_faint(const Node& node) const {
    return (picture_.trail == Trail::Kind::path && !node.marked) ||
           (picture_.compared && node.change == Change::none);
  }
  // No test comes there.
  bool is_missing(const Node& node) const {
    return picture_.trail == Trail::Kind::coverage && !node.marked && node.kind != Kind::history;
  }

 private:
  struct Box {
    const Node* node;
    int last = 0;  // of those within
    bool port = false;
    std::vector<const Arrow*> stays = {};  // only run actions
  };
  int add(const Node& node);
  Box& box(const std::string& id) { return boxes_[static_cast<std::size_t>(number_of(id))]; }

  const Picture& picture_;
  std::vector<Box> boxes_;
  std::unordered_map<std::string, int> numbers_;
  std::vector<Bundle> bundles_;
};

}  // namespace agneto::graph
