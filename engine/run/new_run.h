// What a run has before it is recorded: an id that is its own, and that somebody works on it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "journal/holds.h"
#include "journal/journal.h"

namespace agneto::run {

// A file that stands as long as its run is not recorded: where nobody holds that any more, what
// is there of the run is a start that was killed.
class StartMark {
 public:
  explicit StartMark(std::filesystem::path file);
  ~StartMark();
  StartMark(const StartMark&) = delete;
  StartMark& operator=(const StartMark&) = delete;

 private:
  const std::filesystem::path file_;
};

struct NewRun {
  std::string id;
  std::unique_ptr<journal::Hold> hold;
  std::unique_ptr<StartMark> mark;  // to be kept until the run is recorded, or all of it is removed
};

// Can it be the id of a run? Words and digits with hyphens between, which need no quotes anywhere.
bool is_run_id(std::string_view text);

// Hexadecimal digits by chance.
std::string random_hex(int digits);

// An id for a run of this task, which is held: words that a person recognises, since it names a
// branch, and digits until no run of this journal has had it and no other process is just claiming
// it. First removes what starts that were killed before their run was recorded have left. `home` is
// the .agneto of the repository at `root`. Throws Error where it cannot be held.
NewRun claim_run(const std::filesystem::path& root, const std::filesystem::path& home,
                 journal::Journal& journal, const std::string& task,
                 const std::function<std::string(int)>& hex = random_hex);

}  // namespace agneto::run
