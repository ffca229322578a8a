// Which entries of a run stand, after its rewinds.
#pragma once

#include <utility>
#include <vector>

#include "journal/journal.h"

namespace agneto::journal {

struct Rewind {
  Seq seq = 0;  // of the entry that says so
  Seq to = 0;   // what came after it, and before `seq`, is undone
};

class RewindView {
 public:
  // As of entry `head`; `rewinds` in the order of their entries.
  RewindView(const std::vector<Rewind>& rewinds, Seq head) {
    for (auto rewind = rewinds.rbegin(); rewind != rewinds.rend(); ++rewind) {
      if (rewind->seq > head) continue;
      undone_.push_back(*rewind);
      head = rewind->to;
    }
  }

  bool stands(Seq seq) const {
    for (const Rewind& gap : undone_) {
      if (gap.to < seq && seq < gap.seq) return false;
    }
    return true;
  }

 private:
  std::vector<Rewind> undone_;  // disjoint
};

}  // namespace agneto::journal
