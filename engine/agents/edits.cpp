#include "agents/edits.h"

#include <cerrno>
#include <fstream>

#include "base/error.h"
#include "process/git.h"

namespace agneto::agents {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw Error("the edit of '" + path + "' is refused: " + why);
}

// The file that a path means, proven to be inside.
fs::path confined(const std::string& path, const fs::path& folder) {
  const fs::path relative(path);
  if (path.empty() || !relative.has_filename() || relative.is_absolute()) {
    refuse(path, "it is not a relative path of a file");
  }
  fs::path place = folder;
  for (const fs::path& part : relative) {
    if (part == "..") refuse(path, "it leaves the working folder");
    if (part == ".git") refuse(path, "it is git's own");
    place /= part;
    std::error_code ignored;
    if (fs::is_symlink(place, ignored)) refuse(path, "it leads through a symbolic link");
  }
  return place;
}

}  // namespace

void apply(const Edits& edits, const fs::path& folder) {
  for (const auto& [path, text] : edits) {
    const fs::path place = confined(path, folder);
    std::error_code error;
    if (!text) {
      fs::remove(place, error);
      if (error) refuse(path, error.message());
      continue;
    }
    errno = 0;
    fs::create_directories(place.parent_path(), error);
    std::ofstream file(place, std::ios::binary);
    if (file << *text << std::flush) continue;
    if (is_disk_full(error.value()) || is_disk_full(errno)) {
      throw DiskFull("cannot write '" + place.string() + "'");
    }
    refuse(path, "it cannot be written");
  }
}

void apply_patch(const std::string& patch, const fs::path& folder) {
  const process::Git git(folder);
  const process::Captured applied =
      git.run({"apply", "--binary", "--whitespace=nowarn", "--no-ignore-whitespace", "-"}, patch);
  git.require_room(applied, "apply");
  if (applied.status != 0) {
    throw Error("the patch does not apply: " + process::complaint(applied));
  }
}

}  // namespace agneto::agents
