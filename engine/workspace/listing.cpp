#include "workspace/listing.h"

#include <sys/stat.h>

#include <deque>
#include <set>
#include <system_error>

#include "workspace/git.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

namespace {

class Lister {
 public:
  Lister(const fs::path& folder, std::size_t most) : folder_(folder), most_(most) {}

  Listing list() {
    if (!is_repository(folder_) || !ask_git()) walk();
    return std::move(listing_);
  }

 private:
  // False: git cannot say it.
  bool ask_git() {
    const process::Captured found = Git(folder_).run(
        {"ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"});
    if (found.status != 0) return false;
    for (const std::string& name : split(found.output, '\0')) {
      if (is_full()) break;
      add(name);
    }
    return true;
  }

  void walk() {
    std::deque<fs::path> left = {""};
    for (; !left.empty() && !is_full(); left.pop_front()) {
      std::error_code code;
      for (fs::directory_iterator entry(folder_ / left.front(), code), end;
           !code && entry != end && !is_full(); entry.increment(code)) {
        const fs::path path = left.front() / entry->path().filename();
        if (!is_wanted(path)) continue;
        std::error_code none;
        if (fs::is_directory(entry->symlink_status(none))) {
          left.push_back(path);
        } else {
          add(path.string());
        }
      }
    }
  }

  static bool is_wanted(const fs::path& path) {
    static const std::set<fs::path> of_the_team = {".agneto/config.yaml", ".agneto/lint",
                                                   ".agneto/scripts", ".agneto/workflows"};
    if (path.filename() == ".git") return false;
    return path.parent_path() != ".agneto" || of_the_team.contains(path);
  }

  void add(const std::string& name) {
    struct stat found {};
    if (lstat((folder_ / name).c_str(), &found) != 0 || S_ISDIR(found.st_mode)) return;
    listing_.files.emplace(
        name, Listing::Mark{found.st_ino, found.st_mode, found.st_size,
                            found.st_ctim.tv_sec * 1'000'000'000LL + found.st_ctim.tv_nsec});
  }

  bool is_full() {
    if (listing_.files.size() < most_) return false;
    listing_.whole = false;
    return true;
  }

  const fs::path& folder_;
  const std::size_t most_;
  Listing listing_;
};

}  // namespace

Listing list(const fs::path& folder, std::size_t most) {
  return Lister(folder, most).list();
}

std::vector<std::string> difference(const Listing& before, const Listing& after) {
  std::set<std::string> changed;
  const auto compare = [&](const Listing& one, const Listing& other) {
    for (const auto& [path, mark] : one.files) {
      const auto found = other.files.find(path);
      const bool is_same = found == other.files.end() ? !other.whole : found->second == mark;
      if (!is_same) changed.insert(path);
    }
  };
  compare(before, after);
  compare(after, before);
  return {changed.begin(), changed.end()};
}

}  // namespace agneto::workspace
