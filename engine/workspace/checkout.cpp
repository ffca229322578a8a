#include "workspace/checkout.h"

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "base/files.h"
#include "workspace/locks.h"

namespace agneto::workspace {

namespace {

// Is it the name of no object: all zeros?
bool is_none(std::string_view object) {
  return object.find_first_not_of('0') == std::string_view::npos;
}

// Writes a path on a line of its own as git reads it.
std::string quoted(const std::string& path) {
  std::string text = "\"";
  for (const char c : path) {
    if (c == '"' || c == '\\') text += '\\';
    if (c == '\n') {
      text += "\\n";
    } else {
      text += c;
    }
  }
  return text + "\"\n";
}

std::string with_nuls(const std::vector<std::string>& paths) {
  std::string text;
  for (const auto& path : paths) text += path + '\0';
  return text;
}

void remove_with_empty_folders(const fs::path& top, const fs::path& path) {
  std::error_code code;
  fs::remove(top / path, code);
  for (fs::path up = path.parent_path(); !up.empty(); up = up.parent_path()) {
    if (::rmdir((top / up).c_str()) != 0) return;
  }
}

}  // namespace

MergeLock::MergeLock(const fs::path& common) : file_(try_lock(common / "agneto-merge.lock")) {}

// A path that differs between the two commits.
struct CheckoutUpdate::Change {
  std::string path;
  std::string old_object, new_object;  // all zeros: there is none
  std::string old_mode, new_mode;

  bool added() const { return is_none(old_object); }
  bool deleted() const { return is_none(new_object); }
  bool is_repository() const { return old_mode == "160000" || new_mode == "160000"; }
};

CheckoutUpdate::CheckoutUpdate(Git git, fs::path common)
    : git_(std::move(git)), note_(common / "agneto-merge"), common_(std::move(common)) {}

std::vector<CheckoutUpdate::Change> CheckoutUpdate::changes(const Step& step) const {
  const std::vector<std::string> parts =
      split(git_.text({"diff-tree", "-r", "-z", "--raw", "--no-renames", "--no-abbrev",
                       "--ignore-submodules=none", step.from, step.to, "--"}),
            '\0');
  std::vector<Change> all;
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    const std::vector<std::string> words = split(std::string_view(parts[i]).substr(1), ' ');
    all.push_back({parts[i + 1], words[2], words[3], words[0], words[1]});
  }
  return all;
}

std::set<std::string> CheckoutUpdate::paths(const Step& step) const {
  std::set<std::string> all;
  for (Change& change : changes(step)) all.insert(std::move(change.path));
  return all;
}

std::set<std::string> CheckoutUpdate::in_the_way(const Step& step) const {
  const Git there = git_.in(step.checkout).with({{"GIT_LITERAL_PATHSPECS", "1"}});
  const std::vector<Change> all = changes(step);
  std::set<std::string> deleted, found;
  for (const Change& change : all) {
    if (change.deleted()) deleted.insert(change.path);
  }
  for (const Change& change : all) {
    if (!change.added()) continue;
    fs::path place;
    for (const fs::path& part : fs::path(change.path)) {
      place /= part;
      if (!is_there(step.checkout / place)) break;
      if (fs::is_directory(fs::symlink_status(step.checkout / place))) continue;
      if (!deleted.contains(place)) found.insert(place);
      break;
    }
    if (place != change.path || change.is_repository() ||
        !fs::is_directory(fs::symlink_status(step.checkout / place))) {
      continue;
    }
    for (auto& file : split(there.text({"ls-files", "-z", "--others", "--", place}), '\0')) {
      found.insert(std::move(file));
    }
  }
  return found;
}

process::Captured CheckoutUpdate::fast_forward(const Step& step, const std::string& reason) {
  write_file(note_, with_nuls({step.checkout.string(), step.branch, step.from, step.to}));
  // What a person's merges into this branch are to do besides is not for this one.
  const std::string name = step.branch.substr(std::string_view("refs/heads/").size());
  const Git there = git_.in(step.checkout)
                        .with({{"GIT_REFLOG_ACTION", reason}})
                        .setting("checkout.workers=1")
                        .setting("branch." + name + ".mergeOptions=");
  process::Captured result;
  std::exception_ptr cut_off;
  bool locked = false;
  try {
    result = there.run(
        {"merge", "--ff-only", "--quiet", "--no-autostash", "--no-overwrite-ignore", step.to});
    there.require_room(result, "merge");
  } catch (const process::Locked&) {
    cut_off = std::current_exception();
    locked = true;  // by somebody else
  } catch (const CutOff&) {
    cut_off = std::current_exception();
  }
  if (cut_off && !locked) remove_stale_locks(step);
  if (cut_off || result.status != 0) take_back(step);  // which makes room again
  fs::remove(note_);
  if (cut_off) std::rethrow_exception(cut_off);
  return result;
}

void CheckoutUpdate::recover() {
  const auto note = Disk().read(note_);
  if (!note) return;
  const std::vector<std::string> parts = split(*note, '\0');
  if (parts.size() == 4 && fs::is_directory(parts[0])) {
    const Step step{parts[0], parts[1], parts[2], parts[3]};
    const Git there = git_.in(step.checkout);
    // Who has gone on from there, or from elsewhere, has dealt with what was left.
    const process::Captured head = there.run({"rev-parse", "--symbolic-full-name", "HEAD"});
    const process::Captured tip = there.run({"rev-parse", "HEAD"});
    if (trim(head.output) == step.branch && trim(tip.output) == step.from) {
      remove_stale_locks(step);
      take_back(step);
    }
  }
  fs::remove(note_);
}

// A git that was killed leaves its lock files: empty, or with the commit that the branch was to
// have. A lock that another git is about to write looks the same, but is open.
void CheckoutUpdate::remove_stale_locks(const Step& step) const {
  const fs::path folder = git_.in(step.checkout).text({"rev-parse", "--absolute-git-dir"});
  for (const fs::path& lock :
       {folder / "index.lock", folder / "HEAD.lock", common_ / (step.branch + ".lock")}) {
    const auto text = Disk().read(lock);
    if (text && (text->empty() || trim(*text) == step.to) && !is_open(fs::canonical(lock))) {
      fs::remove(lock);
    }
  }
}

// git writes each file from its beginning, so what it left is absent, whole, or the beginning of
// what was to be. Everything else was made by others.
void CheckoutUpdate::take_back(const Step& step) {
  const Git there = git_.in(step.checkout).with({{"GIT_LITERAL_PATHSPECS", "1"}});
  const std::vector<Change> all = changes(step);

  std::map<std::string, std::string> on_disk;  // path -> object
  std::vector<std::string> files;
  std::string lines;
  for (const Change& change : all) {
    const fs::path file = step.checkout / change.path;
    const fs::file_status status = fs::symlink_status(file);
    if (fs::is_symlink(status)) {
      on_disk[change.path] =
          there.text({"hash-object", "--stdin"}, fs::read_symlink(file).string());
    } else if (fs::is_regular_file(status)) {
      files.push_back(change.path);
      lines += quoted(change.path);
    }
  }
  if (!files.empty()) {
    const std::vector<std::string> objects =
        split(there.text({"hash-object", "--stdin-paths"}, lines), '\n');
    for (std::size_t i = 0; i < files.size() && i < objects.size(); ++i) {
      on_disk[files[i]] = objects[i];
    }
  }
  const auto is_left = [&](const Change& change) {
    const auto found = on_disk.find(change.path);
    if (found == on_disk.end()) return !is_there(step.checkout / change.path);
    if (found->second == change.new_object) return true;
    if (found->second == change.old_object || change.deleted()) return false;
    const std::string whole =
        there.run({"cat-file", "--filters", "--path=" + change.path, change.new_object}).output;
    return whole.starts_with(Disk().read(step.checkout / change.path).value_or("?"));
  };

  // "TAG MODE OBJECT STAGE\tPATH"; the tag of what a sparse checkout leaves out is S.
  std::map<std::string, std::vector<std::string>> index;  // path -> words
  for (const std::string& line : split(there.text({"ls-files", "-t", "-s", "-z"}), '\0')) {
    const std::size_t tab = line.find('\t');
    index[line.substr(tab + 1)] = split(std::string_view(line).substr(0, tab), ' ');
  }

  std::vector<std::string> staged, restored;
  for (const Change& change : all) {
    const auto entry = index.find(change.path);
    const bool sparse = entry != index.end() && entry->second[0] == "S";
    if (entry == index.end() ? change.deleted() : entry->second[2] == change.new_object) {
      staged.push_back(change.path);
    }
    if (change.is_repository() || sparse || !is_left(change)) continue;
    if (change.added()) {
      remove_with_empty_folders(step.checkout, change.path);
    } else {
      restored.push_back(change.path);
    }
  }
  const auto restore = [&](const char* what, const std::vector<std::string>& paths) {
    if (!paths.empty()) {
      there.text({"restore", "--quiet", "--source=" + step.from, what, "--pathspec-from-file=-",
                  "--pathspec-file-nul"},
                 with_nuls(paths));
    }
  };
  restore("--staged", staged);
  restore("--worktree", restored);
}

}  // namespace agneto::workspace
