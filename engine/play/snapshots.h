// Whole prompts that were reviewed: what a test file's cases keep by name, in a page beside it that
// people read. `agneto test --update` writes it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "play/play_case.h"

namespace agneto::play {

// NAME.prompts.md for NAME.test.yaml.
fs::path snapshots_of(const fs::path& test_file);

// Not thread-safe.
class Snapshots {
 public:
  // Those of a test file, or none.
  Snapshots(const Files& files, const fs::path& test_file);

  // How the prompts of a case differ from those that were reviewed.
  std::vector<Failure> differences(const Result& result) const;

  // Takes them as reviewed. Says where another case has kept another prompt under the same name.
  std::vector<Failure> update(const Result& result);
  // Without those that no case keeps any more; for when all were played.
  void forget_others();

  // The page as it is now; empty where it would hold nothing.
  std::string page() const;
  // As it was read; empty where there was none.
  const std::string& page_before() const { return before_; }
  const fs::path& file() const { return file_; }

 private:
  void read(const std::string& page);

  fs::path file_, test_file_;
  std::string before_;
  std::vector<std::string> order_;  // as the page has it, then as the cases have it
  std::map<std::string, std::string> reviewed_;
  std::map<std::string, std::string> seen_;  // in this round
};

}  // namespace agneto::play
