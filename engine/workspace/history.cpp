#include "workspace/history.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "workspace/diff.h"
#include "workspace/git.h"
#include "workspace/refs.h"

namespace agneto::workspace {
namespace {

// "TREE BRANCH [LAST]": what a checkpoint's commit says.
std::vector<std::string> saved(const Git& git, const std::string& checkpoint) {
  std::vector<std::string> parts = tree_and_parents(git, checkpoint);
  if (parts.size() < 2) {
    throw Error(
        "the checkpoint " + checkpoint.substr(0, 12) + " is not in this repository any more",
        "'agneto clean' takes a run's checkpoints away");
  }
  return parts;
}

// `below`: a file or folder; empty: all.
std::string diff(const Git& git, const std::string& from, const std::string& to,
                 const std::string& below = {}) {
  std::vector<std::string> command = {"--literal-pathspecs",
                                      "diff-tree",
                                      "-r",
                                      "-p",
                                      "--binary",
                                      "--full-index",
                                      "--no-renames",
                                      "--no-ext-diff",
                                      "--no-textconv",
                                      "--no-color",
                                      "--ignore-submodules=none",
                                      from,
                                      to,
                                      "--"};
  if (!below.empty()) command.push_back(below);
  std::string text = git.text(command);
  if (!text.empty()) text += '\n';
  return text;
}

// Attributes that make git take every file for a binary one, as long as this lives.
class AllBinary {
 public:
  AllBinary() {
    std::string name = (fs::temp_directory_path() / "agneto-attributes-XXXXXX").string();
    const int descriptor = mkstemp(name.data());
    if (descriptor < 0) throw Error("cannot make a file in " + fs::temp_directory_path().string());
    close(descriptor);
    file_ = name;
    std::ofstream(file_) << "* -diff\n";
  }
  ~AllBinary() {
    std::error_code ignored;
    fs::remove(file_, ignored);
  }
  AllBinary(const AllBinary&) = delete;
  AllBinary& operator=(const AllBinary&) = delete;
  std::string setting() const { return "core.attributesFile=" + file_.string(); }

 private:
  fs::path file_;
};

}  // namespace

ChangesAt changes_at(const fs::path& repository, const std::string& run,
                     const std::string& checkpoint) {
  forget_caller_repository();
  const Git git(repository);
  const std::vector<std::string> then = saved(git, checkpoint);
  const std::string base = start_of(repository, run);
  if (base.empty()) {
    throw Error("what run " + run + " started from is not in this repository any more",
                "'agneto clean' takes a run's checkpoints away");
  }
  const auto since = [&](const std::string& commit) {
    Changes changes = compare(git, commit, then[0]);
    changes.base = commit;
    changes.head = then[1];
    return changes;
  };
  return {since(base), since(then.back())};
}

std::string start_of(const fs::path& repository, const std::string& run) noexcept {
  try {
    forget_caller_repository();
    return commit_of(Git(repository), Refs(run).base);
  } catch (const std::exception& error) {
    log::warning("a run's first commit cannot be read", {{"error", error.what()}});
    return {};
  }
}

std::string patch(const fs::path& repository, const std::string& from, const std::string& to) {
  if (from == to) return {};
  forget_caller_repository();
  const Git git(repository);
  const std::string before = saved(git, from)[0], after = saved(git, to)[0];
  std::string text = diff(git, before, after);
  if (valid_utf8(text) == text) return text;
  const AllBinary attributes;
  const Git binary = git.setting(attributes.setting());
  const std::string names = git.text({"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                                      "--ignore-submodules=none", before, after, "--"});
  std::string all, last;
  for (const std::string& name : split(names, '\0')) {
    // What a folder has replaced is in the diff of the name of both.
    if (name.empty() || (!last.empty() && name.starts_with(last + "/"))) continue;
    last = name;
    text = diff(git, before, after, name);
    all += valid_utf8(text) == text ? text : diff(binary, before, after, name);
  }
  return all;
}

}  // namespace agneto::workspace
