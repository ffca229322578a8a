#include "process/pipes.h"

#include <fcntl.h>

#include <fstream>
#include <set>
#include <string>
#include <system_error>

#include "base/files.h"
#include "base/log.h"
#include "base/text.h"
#include "process/fd.h"

namespace agneto::process {
namespace {

namespace fs = std::filesystem;

using Walk = fs::recursive_directory_iterator;

// A pipe that nobody reads, or waits for, cannot be opened for writing. Who waits is at the end of
// it then.
void remove_if_waited_at(const fs::path& pipe) {
  const Fd end(open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (!end) return;
  std::error_code none;
  fs::remove(pipe, none);
  log::warning("a pipe that git waited at was removed", {{"file", pipe.string()}});
}

// In a folder of git's every pipe counts, elsewhere what git opens by its name.
void look_through(const fs::path& folder, bool is_gits) {
  static const std::set<std::string> read = {".gitattributes", ".gitignore", ".gitmodules"};
  std::error_code none;
  for (Walk at(folder, fs::directory_options::skip_permission_denied, none), end;
       !none && at != end; at.increment(none)) {
    const fs::path& path = at->path();
    std::error_code gone;
    const bool counts = is_gits || read.contains(path.filename()) ||
                        path.native().find("/.git/", folder.native().size()) != std::string::npos;
    if (counts && at->is_fifo(gone)) remove_if_waited_at(path);
    // What is there has a git of its own.
    if (path.native().ends_with("/.agneto/worktrees")) at.disable_recursion_pending();
  }
}

// The first line of a small file; empty where it is none.
std::string line_of(const fs::path& file) {
  std::error_code none;
  std::string line;
  if (fs::is_regular_file(file, none)) std::getline(std::ifstream(file), line);
  return line;
}

// Where git has what it knows of the worktree that `folder` is in.
fs::path git_folder(fs::path folder) {
  for (; !is_there(folder / ".git"); folder = folder.parent_path()) {
    if (folder == folder.parent_path()) return {};
  }
  const std::string line = line_of(folder / ".git");
  constexpr std::string_view key = "gitdir: ";
  return line.starts_with(key) ? folder / line.substr(key.size()) : folder / ".git";
}

std::set<fs::path> git_folders(const fs::path& folder, const Environment& env) {
  std::set<fs::path> found;
  const fs::path own = git_folder(folder);
  if (!own.empty()) {
    found.insert(own);
    const std::string common = line_of(own / "commondir");
    if (!common.empty()) found.insert((own / common).lexically_normal());
  }
  for (const auto& [name, value] : env) {
    if (name == "GIT_DIR" || name == "GIT_COMMON_DIR") found.insert(value);
  }
  return found;
}

}  // namespace

void remove_pipes(const fs::path& folder, const Environment& env) {
  try {
    look_through(folder, false);
    for (const fs::path& each : git_folders(folder, env)) look_through(each, true);
  } catch (const std::exception& error) {
    log::warning("pipes that git may wait at cannot be looked for",
                 {{"folder", folder.string()}, {"error", error.what()}});
  }
}

}  // namespace agneto::process
