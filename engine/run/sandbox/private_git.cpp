#include "run/sandbox/private_git.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "base/files.h"
#include "process/git.h"
#include "run/sandbox/private_home.h"
#include "workspace/worktree/git_folder.h"

namespace agneto::run {

namespace fs = std::filesystem;

namespace {

// Settings that the program's git has from the repository and its person.
constexpr const char* shared_settings =
    "^(core\\.(repositoryformatversion|filemode|autocrlf|eol|safecrlf|ignorecase|symlinks|"
    "precomposeunicode|sparsecheckout|sparsecheckoutcone)|extensions\\.objectformat|user\\.(name|"
    "email))$";

std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') text += '\\';
    text += c == '\n' ? ' ' : c;
  }
  return text + '"';
}

}  // namespace

std::string private_git_config(const fs::path& git) {
  std::string text =
      "[core]\n\tbare = false\n\trepositoryformatversion = 0\n"
      "[user]\n\tname = agneto\n\temail = agneto@localhost\n";
  // "core.eol\nlf", each ended by a NUL.
  std::istringstream entries(
      process::Git(git).run({"config", "-z", "--get-regexp", shared_settings}).output);
  for (std::string entry; std::getline(entries, entry, '\0');) {
    const std::size_t dot = entry.find('.'), end = entry.find('\n');
    if (end == entry.npos) continue;
    text += "[" + entry.substr(0, dot) + "]\n\t" + entry.substr(dot + 1, end - dot - 1) + " = " +
            quoted(entry.substr(end + 1)) + "\n";
  }
  return text;
}

PrivateGit::PrivateGit(const fs::path& parent, const fs::path& git, const fs::path& worktree,
                       const std::string& config) {
  std::error_code failure;
  fs::create_directories(parent, failure);
  std::string name = parent / "XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    if (is_disk_full(errno)) throw DiskFull("cannot make a folder in " + parent.string());
    throw Error("cannot make a folder in " + parent.string() + ": " + std::strerror(errno));
  }
  folder_ = name;
  try {
    fill(git, worktree);
    put("config", config);
  } catch (...) {
    remove_tree(folder_);
    throw;
  }
}

PrivateGit::~PrivateGit() {
  remove_tree(folder_);
}

void PrivateGit::fill(const fs::path& git, const fs::path& worktree) const {
  const auto own = workspace::find_git_folder(git, worktree);
  if (!own) throw Error("the worktree " + worktree.string() + " has no git folder");
  for (const char* folder : {"objects/info", "refs", "info"}) {
    std::error_code ignored;
    fs::create_directories(folder_ / folder, ignored);
  }
  copy_refs(git);
  put("objects/info/alternates", (git / "objects").string() + "\n");
  put("agneto-link", "gitdir: " + folder_.string() + "\n");
  const Disk disk;
  for (const char* name : {"HEAD", "index", "info/sparse-checkout"}) {
    if (const auto text = disk.read(*own / name)) put(name, *text);
  }
  for (const char* name : {"info/exclude", "packed-refs", "shallow"}) {
    if (const auto text = disk.read(git / name)) put(name, *text);
  }
}

void PrivateGit::copy_refs(const fs::path& git) const {
  for (const char* kind : {"refs/heads", "refs/tags", "refs/remotes"}) {
    std::error_code failure;
    if (!fs::exists(git / kind, failure)) continue;
    fs::copy(git / kind, folder_ / kind,
             fs::copy_options::recursive | fs::copy_options::copy_symlinks, failure);
    if (is_disk_full(failure.value())) throw DiskFull("cannot copy " + (git / kind).string());
    if (failure) throw Error("cannot copy " + (git / kind).string() + ": " + failure.message());
  }
}

void PrivateGit::put(const char* name, const std::string& text) const {
  if (std::ofstream(folder_ / name) << text << std::flush) return;
  const std::string what = "cannot write '" + (folder_ / name).string() + "'";
  if (!has_room(folder_)) throw DiskFull(what);
  throw Error(what + ": " + std::strerror(errno));
}

}  // namespace agneto::run
