#include "run/private_git.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "process/git.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::run {

namespace fs = std::filesystem;

namespace {

// Of a repository with SHA-256 the names of objects are longer.
std::string config_for(std::string_view some_object) {
  const bool is_sha256 = some_object.size() == 64;
  return std::string("[core]\n\trepositoryformatversion = ") + (is_sha256 ? "1" : "0") +
         "\n\tbare = false\n[user]\n\tname = agneto\n\temail = agneto@localhost\n" +
         (is_sha256 ? "[extensions]\n\tobjectformat = sha256\n" : "");
}

}  // namespace

PrivateGit::PrivateGit(const fs::path& place, const fs::path& git, const fs::path& worktree)
    : folder_(place) {
  const auto own = workspace::find_git_folder(git, worktree);
  if (!own) throw Error("the worktree " + worktree.string() + " has no git folder");
  const std::string refs = process::Git(git).text(
      {"for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/", "refs/tags/"});
  std::error_code failure;
  for (const char* folder : {"objects/info", "refs", "info"}) {
    fs::create_directories(folder_ / folder, failure);
  }
  const auto put = [&](const char* name, const std::string& text) {
    if (std::ofstream(folder_ / name) << text << std::flush) return;
    throw Error("cannot write '" + (folder_ / name).string() + "': " + std::strerror(errno));
  };
  put("HEAD", Disk().read(*own / "HEAD").value_or(""));
  put("config", config_for(refs.substr(0, refs.find(' '))));
  put("packed-refs", refs + "\n");
  put("objects/info/alternates", (git / "objects").string() + "\n");
  put("info/exclude", Disk().read(git / "info/exclude").value_or(""));
  if (const auto index = Disk().read(*own / "index")) put("index", *index);
  put("agneto-link", "gitdir: " + folder_.string() + "\n");
}

PrivateGit::~PrivateGit() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

}  // namespace agneto::run
