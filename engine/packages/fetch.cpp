#include "packages/fetch.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "model/values.h"
#include "process/git.h"

namespace agneto::packages {

namespace {

using process::Captured;
using process::complaint;
using process::Git;

constexpr const char* as_written =
    "write URL@REV, or URL//FOLDER@REV; REV is a tag, a branch or a commit";

bool can_be_rev(const std::string& rev) {
  constexpr std::string_view never = " ~^:?*[\\";
  return !rev.empty() && rev.front() != '-' && rev.front() != '/' &&
         rev.find("..") == std::string::npos && rev.find("@{") == std::string::npos &&
         std::ranges::none_of(rev, [&](unsigned char c) {
           return c <= ' ' || c == 0x7f || never.find(static_cast<char>(c)) != never.npos;
         });
}

void check_url(const Origin& origin) {
  switch (process::fault_of_address(origin.url)) {
    case process::AddressFault::none:
      return;
    case process::AddressFault::no_address:
      throw Error("'" + printable(origin.url) + "' is no URL of a git repository", as_written);
    case process::AddressFault::password:
      throw Error("that URL has a password in it, and agneto.lock is for everybody to read",
                  "leave it out, and give it to git: git help credentials");
  }
}

bool can_be_folder(const std::string& folder) {
  const fs::path path(folder);
  return !path.is_absolute() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

// Nothing of a package is written elsewhere, or where git or the program looks for its own.
bool can_be_in_package(const std::string& path) {
  const fs::path parts(path);
  return std::ranges::none_of(parts,
                              [](const fs::path& part) {
                                return part.empty() || part == "." || part == ".." ||
                                       lower(part.string()) == ".git";
                              }) &&
         std::ranges::none_of(path,
                              [](unsigned char c) { return c < ' ' || c == 0x7f || c == '\\'; });
}

bool is_commit(const std::string& rev) {
  return rev.size() >= 7 && rev.size() <= 64 &&
         std::ranges::all_of(rev, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

struct Entry {
  std::string mode, id, path;
  std::size_t size = 0;
};

// One of `ls-tree -l -z`: "MODE TYPE ID SIZE\tPATH".
Entry entry_of(std::string_view line) {
  const auto tab = line.find('\t');
  std::istringstream facts{std::string(line.substr(0, tab))};
  Entry entry;
  std::string type;
  facts >> entry.mode >> type >> entry.id >> entry.size;  // of a submodule it is "-"
  entry.path = line.substr(tab + 1);
  return entry;
}

// What helps where git cannot fetch it.
std::string help_to_reach(const Origin& origin, const std::string& source) {
  std::string help = "try it by hand: git ls-remote " + source;
  const auto end = origin.url.find(".git/");
  if (is_path(origin.url) || !origin.folder.empty() || end == std::string::npos) return help;
  const auto divide = end + std::string_view(".git").size();
  const Origin meant{origin.url.substr(0, divide), origin.url.substr(divide + 1), origin.rev};
  return help + "; a folder in a repository stands behind //: " + to_text(meant);
}

// As `git fetch` takes a path.
bool is_repository(const fs::path& path) {
  std::error_code none;
  const auto is_bare = [&](const fs::path& folder) {
    return fs::exists(folder / "HEAD", none) && fs::exists(folder / "objects", none);
  };
  return fs::exists(path / ".git", none) || is_bare(path) || is_bare(path.string() + ".git") ||
         fs::is_regular_file(path, none);  // a bundle
}

}  // namespace

std::string to_text(const Origin& origin) {
  return origin.url + (origin.folder.empty() ? "" : "//" + origin.folder) + "@" + origin.rev;
}

Origin origin_of(const std::string& text) {
  Origin origin;
  const std::size_t path = process::path_in(text);
  const auto at = text.rfind('@');
  // What is before the path is a host, and who logs in there.
  const bool has_rev = at != std::string::npos && at > path && can_be_rev(text.substr(at + 1));
  const std::string place = text.substr(0, has_rev ? at : text.size());
  if (has_rev) origin.rev = text.substr(at + 1);
  const auto folder = place.find("//", path);
  origin.url = place.substr(0, folder);
  if (folder != std::string::npos) {
    origin.folder =
        fs::path(place.substr(folder + 2) + "/").lexically_normal().parent_path().string();
  }
  check_url(origin);
  if (!has_rev) {
    throw Error("'" + printable(text) + "' does not say which revision",
                "add it: @v1.2.0 for a tag, @main for a branch, @1a2b3c4 for a commit");
  }
  if (!can_be_folder(origin.folder)) {
    throw Error("'" + printable(origin.folder) + "' is no folder of a repository", as_written);
  }
  return origin;
}

std::optional<Origin> divided(const Origin& origin, const fs::path& from) {
  if (!is_path(origin.url) || !origin.folder.empty()) return std::nullopt;
  fs::path repository = origin.url, folder;
  if (!repository.has_filename()) repository = repository.parent_path();
  while (!is_repository(from / repository)) {
    if (!repository.has_relative_path() || repository.filename() == "..") return std::nullopt;
    folder = folder.empty() ? repository.filename() : repository.filename() / folder;
    repository = repository.parent_path();
  }
  if (folder.empty()) return std::nullopt;
  const std::string url = repository.empty() ? "." : repository.string();
  return Origin{url, folder.lexically_normal().string(), origin.rev};
}

std::string name_of(const Origin& origin) {
  std::string name = fs::path(origin.folder.empty() ? origin.url : origin.folder).filename();
  if (name.ends_with(".git")) name.resize(name.size() - 4);
  return model::is_name(name, false) ? name : "";
}

Fetch::Fetch(Origin origin, const fs::path& from, bool local) : origin_(std::move(origin)) {
  check_url(origin_);
  source_ = is_path(origin_.url) ? (from / origin_.url).lexically_normal().string() : origin_.url;
  if (!local && is_local(origin_.url)) {
    throw Error("a package from elsewhere names the path '" + printable(origin_.url) + "' here",
                "who keeps that package gives a URL that others can reach");
  }
  std::string name = fs::temp_directory_path() / "agneto-fetch-XXXXXX";
  if (!mkdtemp(name.data())) throw Error("cannot make a temporary folder " + name);
  folder_ = name;
  Git(folder_).text({"init", "--quiet", "--bare"});
}

Fetch::~Fetch() {
  std::error_code none;
  fs::remove_all(folder_, none);
}

std::string Fetch::bring(const std::vector<std::string>& refs, int depth) {
  process::Arguments arguments = {"fetch", "--quiet", "--no-tags", "--no-recurse-submodules",
                                  "--no-write-fetch-head"};
  if (depth > 0) {
    arguments.push_back(fmt::format("--depth={}", depth));
  } else if (fs::exists(folder_ / "shallow")) {
    arguments.emplace_back("--unshallow");
  }
  arguments.insert(arguments.end(), {"--", source_});
  arguments.insert(arguments.end(), refs.begin(), refs.end());
  const Captured result = process::on_its_way(Git(folder_), origin_.url).run(arguments);
  return result.status == 0 ? "" : complaint(result);
}

void Fetch::bring_all() {
  if (has_all_) return;
  const std::string why = bring({"+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"}, 0);
  if (!why.empty()) {
    throw Error("cannot fetch " + origin_.url + ": " + why, help_to_reach(origin_, source_),
                ExitStatus::failed);
  }
  has_all_ = true;
}

Fetched Fetch::newest() {
  const std::string& rev = origin_.rev;
  const Git git(folder_);
  const auto found = [&](const std::string& ref, Fetched::Kind kind) {
    Fetched fetched = read(git.text({"rev-parse", "--verify", ref + "^{commit}"}));
    fetched.kind = kind;
    return fetched;
  };
  // A tag goes before a branch of that name, as it does in git.
  for (const auto& [folder, kind] : {std::pair{"refs/tags/", Fetched::Kind::tag},
                                     std::pair{"refs/heads/", Fetched::Kind::branch}}) {
    const std::string ref = folder + rev;
    if (bring({"+" + ref + ":" + ref}, 1).empty()) return found(ref, kind);
  }
  bring_all();
  const auto has = [&](const std::string& name) {
    return git.run({"rev-parse", "--quiet", "--verify", name + "^{commit}"}).status == 0;
  };
  if (is_commit(rev) && (has(rev) || bring({rev}, 1).empty())) {
    return found(rev, Fetched::Kind::commit);
  }
  const std::string names =
      git.text({"for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads", "refs/tags"});
  const auto refs = split_lines(names);
  throw Error(fmt::format("{} has no branch, tag or commit '{}'", origin_.url, rev),
              suggestion(rev, {refs.begin(), refs.end()}, "branches and tags"), ExitStatus::failed);
}

Fetched Fetch::at(const std::string& commit) {
  const Git git(folder_);
  const auto has = [&] { return git.run({"cat-file", "-e", commit + "^{commit}"}).status == 0; };
  if (!is_commit(commit)) {
    throw Error("'" + printable(commit) + "' is no commit",
                "mend agneto.lock, or add the package again");
  }
  if (!has()) bring({commit}, 1);
  if (!has()) bring_all();
  if (!has()) {
    throw Error(fmt::format("{} does not have the commit {} any more", origin_.url, commit),
                fmt::format("its history was rewritten; take what it has now: agneto remove, and "
                            "agneto add {}",
                            to_text(origin_)),
                ExitStatus::failed);
  }
  return read(commit);
}

bool Fetch::is_before(const std::string& commit, const std::string& other) {
  bring_all();
  return Git(folder_).run({"merge-base", "--is-ancestor", commit, other}).status == 0;
}

Fetched Fetch::read(const std::string& commit) {
  const Git git(folder_);
  const std::string where = to_text({origin_.url, origin_.folder, commit.substr(0, 12)});
  const std::string tree = commit + ":" + origin_.folder;
  if (git.run({"cat-file", "-t", tree}).output != "tree\n") {
    throw Error(where + " has no such folder", "look at the repository", ExitStatus::failed);
  }
  Fetched fetched{Fetched::Kind::commit, commit, {}, {}};
  std::vector<Entry> entries;
  std::string ids;
  std::size_t bytes = 0;
  std::string rest = git.text({"ls-tree", "-r", "-l", "-z", "--full-tree", tree});
  for (std::size_t begin = 0; begin < rest.size();) {
    const auto end = std::min(rest.find('\0', begin), rest.size());
    const Entry& entry =
        entries.emplace_back(entry_of(std::string_view(rest).substr(begin, end - begin)));
    begin = end + 1;
    const std::string is = entry.mode == "120000"          ? "a symbolic link"
                           : entry.mode == "160000"        ? "a submodule"
                           : can_be_in_package(entry.path) ? ""
                                                           : "no path for a file";
    if (!is.empty()) {
      throw Error(fmt::format("{}: '{}' is {}, and a package has files alone", where,
                              printable(entry.path), is),
                  "who keeps that package takes it out, or puts the file itself there",
                  ExitStatus::failed);
    }
    ids += entry.id + "\n";
    bytes += entry.size;
  }
  if (entries.size() > most_files || bytes > most_bytes) {
    throw Error(fmt::format("{} has {} files of {} bytes together; a package has at most {} files "
                            "of 16 MB",
                            where, entries.size(), bytes, most_files),
                "name the folder in it that is the package: URL//FOLDER@REV", ExitStatus::failed);
  }
  const std::string blobs = git.run({"cat-file", "--batch"}, ids).output;
  std::size_t at = 0;
  for (const Entry& entry : entries) {  // "ID blob SIZE\nTEXT\n"
    at = blobs.find('\n', at) + 1;
    fetched.files[entry.path] = blobs.substr(at, entry.size);
    at += entry.size + 1;
    if (entry.mode == "100755") fetched.executable.insert(entry.path);
  }
  return fetched;
}

}  // namespace agneto::packages
