// The questions of one step that cannot be worked out. Each way of answering them is tried in turn.
#pragma once

#include <cstddef>
#include <vector>

namespace agneto::lint {

class ChoicePoints {
 public:
  bool ask() {
    if (at_ == answers_.size()) answers_.push_back(false);
    return answers_[at_++];
  }
  // On to the next way; false: all were tried.
  bool next() {
    answers_.resize(at_);
    while (!answers_.empty() && answers_.back()) answers_.pop_back();
    at_ = 0;
    if (answers_.empty()) return false;
    answers_.back() = true;
    return true;
  }
  // To the first way.
  void reset() { answers_.clear(), at_ = 0; }
  bool was_asked() const { return at_ > 0; }

 private:
  std::vector<bool> answers_;
  std::size_t at_ = 0;
};

}  // namespace agneto::lint
