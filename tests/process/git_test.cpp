#include "process/git.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace agneto::process {
namespace {

Captured failed_with(const std::string& words) {
  Captured result;
  result.status = 128;
  result.error = words;
  return result;
}

// What git 2.39 says on a full file system, as far as it says so.
TEST(Git, KnowsWhenThereIsNoRoom) {
  const Git git(std::filesystem::temp_directory_path());
  for (const char* words :
       {"error: unable to write file a: No space left on device", "fatal: Out of diskspace",
        "error: file write error: Disk quota exceeded"}) {
    EXPECT_THROW(git.require_room(failed_with(words), "add"), DiskFull) << words;
  }
  EXPECT_NO_THROW(git.require_room(failed_with("fatal: bad revision 'x'"), "log"));
  EXPECT_NO_THROW(git.require_room({}, "log")) << "it has not failed";
}

}  // namespace
}  // namespace agneto::process
