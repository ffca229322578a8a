#include "workspace/worktree/stage.h"

#include <algorithm>
#include <span>
#include <vector>

namespace agneto::workspace {
namespace {

class Stage {
 public:
  explicit Stage(const Git& git) : git_(git) {}

  std::map<std::string, std::string> all() {
    std::vector<std::string> before = paths({"--others", "--modified", "--deleted"});
    add(before);
    // A folder that was a repository before shows what is in it only now.
    for (;;) {
      const std::vector<std::string> left = paths({"--others"});
      if (left.empty()) break;
      if (std::ranges::includes(before, left)) {
        for (const std::string& path : left) {
          refused_[path] = "git takes no file of that name; remove or rename it";
        }
        break;
      }
      add(left);
      before = left;
    }
    return std::move(refused_);
  }

 private:
  // Sorted; without those that git has refused.
  std::vector<std::string> paths(const Arguments& kinds) const {
    Arguments arguments = {"ls-files", "-z", "--exclude-standard"};
    arguments.insert(arguments.end(), kinds.begin(), kinds.end());
    std::vector<std::string> found = split(git_.text(arguments), '\0');
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [this](const std::string& path) { return refused_.contains(path); });
    return found;
  }

  // Where git refuses some, it takes none; so they are halved until it is known which.
  void add(std::span<const std::string> paths) {
    if (paths.empty()) return;
    std::string input;
    for (const std::string& path : paths) {
      input += path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
      input += '\0';
    }
    const process::Captured added =
        git_.run({"update-index", "-z", "--add", "--remove", "--replace", "--stdin"}, input);
    if (added.status == 0) return;
    git_.require_room(added, "update-index");
    if (paths.size() == 1) {
      refused_[paths.front()] = complaint(added);
      return;
    }
    add(paths.first(paths.size() / 2));
    add(paths.subspan(paths.size() / 2));
  }

  const Git& git_;
  std::map<std::string, std::string> refused_;
};

}  // namespace

std::map<std::string, std::string> stage_all(const Git& git) {
  return Stage(git).all();
}

}  // namespace agneto::workspace
