// The activities that a run has ordered, and which of them have not ended.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/entry.h"

namespace agneto::record {

class PendingActivities {
 public:
  // Entries come in order, from the first.
  void add(const Entry& entry);

  // The effect that was ordered last under that path, whether it has ended or not; null: none.
  const chart::NamedEffect* find(const std::string& path) const;
  // Those without an outcome, by path, with the entry that ordered each.
  const std::map<std::string, Seq>& open() const { return open_; }

 private:
  struct Change {
    Seq seq;
    std::string path;
    bool opens;
  };
  void change(Change change);

  std::map<std::string, chart::NamedEffect> effects_;
  std::map<std::string, Seq> open_;
  std::vector<Change> changes_;  // that stand
};

}  // namespace agneto::record
