// What a git repository has at a revision, as texts. Nothing of it is checked out, and nothing
// runs: no hooks, no filters, no submodules.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "process/git_address.h"

namespace agneto::packages {

namespace fs = std::filesystem;

// Where a package comes from.
struct Origin {
  std::string url;     // what git fetches; a local path is relative to where it is fetched from
  std::string folder;  // of the repository; empty: all of it
  std::string rev;     // a branch, a tag or a commit
};
// "URL[//FOLDER]@REV"; throws Error.
Origin origin_of(const std::string& text);
// "URL[//FOLDER]@REV"
std::string to_text(const Origin& origin);
// What is meant by a path that goes on into a folder of a repository, as "../kit/reviews" does;
// nothing where it leads to a repository, or to none. A local path is relative to `from`.
std::optional<Origin> divided(const Origin& origin, const fs::path& from);
using process::is_local;
using process::is_path;
// What the package is called where nobody says: as its folder, else as its repository. Empty where
// that is no name.
std::string name_of(const Origin& origin);

struct Fetched {
  enum class Kind { branch, tag, commit };
  Kind kind = Kind::commit;  // what `rev` is there
  std::string commit;
  std::map<std::string, std::string> files;  // by their path in the folder
  std::set<std::string> executable;          // of these
};

// More is no package.
inline constexpr std::size_t most_files = 2000;
inline constexpr std::size_t most_bytes = 16u << 20;

// A repository that is fetched from; what was fetched goes with it.
class Fetch {
 public:
  // `from`: the folder that a local path is relative to. `local`: may it be a path? That another
  // package names is a path only where that package came from one.
  Fetch(Origin origin, const fs::path& from, bool local);
  ~Fetch();
  Fetch(const Fetch&) = delete;
  Fetch& operator=(const Fetch&) = delete;

  // The folder at the revision as it is there now, and at a commit that it had. Throw Error: the
  // repository cannot be reached, has no such revision or folder, or has in it what no package has.
  Fetched newest();
  Fetched at(const std::string& commit);
  // Is that commit one of those before the other? Both are in the repository.
  bool is_before(const std::string& commit, const std::string& other);

 private:
  // Fetches the refs, to that depth; 0: all that is before them. The error that git had; empty:
  // none.
  std::string bring(const std::vector<std::string>& refs, int depth);
  void bring_all();
  Fetched read(const std::string& commit);

  const Origin origin_;
  std::string source_;  // the URL as git takes it
  fs::path folder_;     // a bare repository
  bool has_all_ = false;
};

}  // namespace agneto::packages
