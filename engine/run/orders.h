// The activities that a run has ordered, as its entries tell.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "journal/journal.h"

namespace agneto::run {

class Orders {
 public:
  // Entries come in order, from the first.
  void add(const journal::Entry& entry);

  // The effect that was ordered last under that path, whether it has ended or not; null: none.
  const Json* find(const std::string& path) const;
  // Those without an outcome, by path.
  const std::map<std::string, journal::Seq>& open() const { return open_; }

 private:
  struct Change {
    journal::Seq seq;
    std::string path;
    bool opens;
  };
  void change(journal::Seq seq, const std::string& path, bool opens);

  std::map<std::string, Json> effects_;
  std::map<std::string, journal::Seq> open_;  // and the entry that ordered it
  std::vector<Change> changes_;               // that stand
};

}  // namespace agneto::run
