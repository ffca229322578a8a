// What the thread of an activity has of its run.
#pragma once

#include <atomic>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "process/process.h"
#include "run/engine/reporter.h"
#include "run/engine/shared_workspace.h"

namespace agneto::run {

struct Job {
  std::string path;    // the activity's
  std::string item;    // what the item of a for_each that it is in is called; may be empty
  SharedTree& tree;    // where it works
  Reporter& reporter;  // to record with; not to publish
  // Tells the observer, soon, where the activity's result is wanted still.
  std::function<void(record::EventBody)> show;
  // How many things the observer is still to be told.
  const std::atomic<std::size_t>& untold;
  // Tells the engine, soon, of an entry that was recorded.
  std::function<void(record::Entry)> recorded;
  // True: what is in the tree is another owner's business by now.
  const std::atomic<bool>& disowned;

  // Records what counts of what the run uses: it is durable on return, and the engine is told.
  // Throws Error.
  void record(record::Body body) const { recorded(reporter.append(path, std::move(body))); }

  // Throws DiskFull where those who work here have no room, so that what has failed may go well
  // once they have.
  void require_room(const std::string& what) const {
    std::error_code none;
    for (const fs::path& folder : {tree.path(), fs::temp_directory_path(none)}) {
      if (has_room(folder)) continue;
      throw DiskFull(what + ", and there is no room in '" + folder.string() + "'");
    }
  }

  // Puts right, as far as that can be, what `who` has done to git behind the engine's back. Returns
  // that, and what somebody has changed for good who may only read; who calls it tells people.
  std::vector<std::string> put_right(const std::string& who, model::Access access) const {
    std::vector<std::string> said;
    if (disowned) return said;
    const auto tell = [&](const char* event, const std::vector<std::string>& deeds) {
      for (const std::string& deed : deeds) {
        said.push_back(who + " " + deed);
        log::warning(event, {{"what", said.back()}});
      }
    };
    tell("git was changed", tree.put_right());
    if (access == model::Access::read_only) tell("files may have changed", tree.left_changed());
    return said;
  }
  void show_notes(const std::vector<std::string>& notes) const {
    for (const std::string& note : notes) show(record::Note{note});
  }
};

// Records the process of a program, so that a next owner can end it; shows its output where that is
// wanted. What it prints faster than it is told is left out, and so is the rest of a long line: a
// flood takes no memory.
class ProgramListener : public process::Listener {
 public:
  static constexpr std::size_t most_untold = 10'000;  // lines
  static constexpr std::size_t longest_shown = 1024;  // bytes of a line

  ProgramListener(const Job& job, bool shows_output) : job_(job), shows_output_(shows_output) {}

  void started(process::ProcessId guard) override { job_.record(record::Process{guard}); }
  bool line(std::string_view text) override {
    if (!shows_output_) return true;
    if (job_.untold >= most_untold) {
      ++left_out_;
      return true;
    }
    tell_left_out();
    const bool is_long = text.size() > longest_shown;
    job_.show(record::CommandOutput{is_long ? valid_utf8(text.substr(0, longest_shown)) + "…"
                                            : std::string(text)});
    return true;
  }
  void error_line(std::string_view text) override { line(text); }
  // After the last line.
  void tell_left_out() {
    if (left_out_ == 0) return;
    const std::string lines = std::to_string(std::exchange(left_out_, 0));
    job_.show(record::CommandOutput{"[lines left out here, too many at once: " + lines + "]"});
  }

 private:
  const Job& job_;
  const bool shows_output_;
  std::size_t left_out_ = 0;
};

}  // namespace agneto::run
