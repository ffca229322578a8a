#include "packages/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>

#include "base/diagnostic.h"
#include "base/error.h"
#include "base/files.h"
#include "model/rules.h"
#include "model/values.h"

namespace agneto::packages {

namespace {

using model::Package;

constexpr int most_deep = 10;  // packages in packages

// Throws Error with the first problem of a file. `help` is for all but a newer version.
void refuse(const Diagnostics& diagnostics, const std::string& file, const std::string& help) {
  const auto problems = diagnostics.sorted();
  if (problems.empty()) return;
  const auto& first = problems.front();
  throw Error(fmt::format("{}:{}: {}", file, first.span ? first.span.line() : 1, first.message),
              first.rule == &rules::version ? first.help : help, ExitStatus::failed);
}

model::PackageFacts facts_in(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>(file, text);
  const auto facts = model::read_package(source, diagnostics);
  refuse(diagnostics, file, "who keeps that package mends it: 'agneto: 1' and a 'description'");
  return facts;
}

std::vector<Package> lock_in(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>(file, text);
  const auto packages = model::read_lock(source, diagnostics);
  refuse(diagnostics, file, "mend it, or take it back from git: git restore " + file);
  return packages;
}

void check_tree(const Package& package, const Fetched& fetched) {
  if (tree_hash_of(fetched.files) == package.tree) return;
  throw Error(fmt::format("the package '{}' at commit {} is not what agneto.lock says it is",
                          package.name, package.commit.substr(0, 12)),
              "somebody has changed that lock by hand; add the package again", ExitStatus::failed);
}

Origin origin_of(const Package& package) {
  return {package.url, package.folder, package.rev};
}

// Puts the packages that one needs into it. A path in its lock is relative to where it is itself;
// `from`: the folder that its own path is relative to.
void complete(Fetched& fetched, const Origin& origin, const fs::path& from, const std::string& name,
              int depth = 1) {
  const auto lock = fetched.files.find("agneto.lock");
  if (lock == fetched.files.end()) return;
  if (depth > most_deep) {
    throw Error(fmt::format("the package '{}' needs packages that need packages, more than {} deep",
                            name, most_deep),
                "one of them names itself, or they want to be fewer", ExitStatus::failed);
  }
  const bool local = is_local(origin.url);
  const fs::path at = is_path(origin.url) ? from / origin.url / origin.folder : from;
  for (const Package& needed : lock_in(lock->second, name + "/agneto.lock")) {
    const std::string folder = "packages/" + needed.name + "/";
    if (fetched.files.contains(folder + "package.yaml")) continue;
    Fetch fetch(origin_of(needed), at, local);
    Fetched inner = fetch.at(needed.commit);
    check_tree(needed, inner);
    complete(inner, origin_of(needed), at, needed.name, depth + 1);
    for (auto& [path, text] : inner.files) fetched.files[folder + path] = std::move(text);
    for (const auto& path : inner.executable) fetched.executable.insert(folder + path);
  }
  if (fetched.files.size() > most_files) {
    throw Error(fmt::format("the package '{}' has more than {} files, with those that it needs",
                            name, most_files),
                "take another one", ExitStatus::failed);
  }
}

// The package as its origin has it: whole, and found good.
Package brought(const Origin& origin, const std::string& name, Fetched& fetched,
                const fs::path& root) {
  if (!fetched.files.contains("package.yaml")) {
    throw Error(to_text(origin) + " is no package: it has no package.yaml",
                "who keeps it adds one: agneto: 1, and a description; or name the folder that is "
                "the package: URL//FOLDER@REV",
                ExitStatus::failed);
  }
  facts_in(fetched.files.at("package.yaml"), to_text(origin) + ": package.yaml");
  complete(fetched, origin, root, name);
  return {name, origin.url, origin.folder, origin.rev, fetched.commit, tree_hash_of(fetched.files)};
}

}  // namespace

std::vector<Package> Store::packages() const {
  const fs::path file = model::lock_of(root_);
  const auto text = Disk().read(file);
  if (!text) return {};
  auto all = lock_in(*text, file.string());
  std::ranges::sort(all, {}, &Package::name);
  return all;
}

Store::State Store::state_of(const Package& package) const {
  const fs::path folder = model::package_folder(root_, package.name);
  if (!is_there(folder)) return State::gone;
  return Disk().tree_hash(folder) == package.tree ? State::good : State::changed;
}

model::PackageFacts Store::facts_of(const std::string& name) const {
  const fs::path file = model::package_folder(root_, name) / "package.yaml";
  return facts_in(Disk().read(file).value_or(""), file.string());
}

Package Store::find(const std::vector<Package>& all, const std::string& name) const {
  const auto found = std::ranges::find(all, name, &Package::name);
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  std::ranges::transform(all, std::back_inserter(names), &Package::name);
  throw Error(
      fmt::format("there is no package '{}' here", printable(name)),
      names.empty() ? "bring one: agneto add URL@REV" : suggestion(name, names, "packages"));
}

void Store::require_unchanged(const Package& package) const {
  if (state_of(package) != State::changed) return;
  const std::string folder = model::package_folder(root_, package.name).string();
  throw Error(
      fmt::format("the package '{}' is not what agneto.lock says it is, and what was changed "
                  "would be lost",
                  package.name),
      fmt::format("to see it: git status --short {0}, or where it was committed git log -p {0}; "
                  "else remove that folder first, or move it away",
                  folder),
      ExitStatus::failed);
}

void Store::put(const std::string& name, const Fetched& fetched) const {
  const fs::path folder = model::package_folder(root_, name);
  const fs::path draft = folder.parent_path() / ("." + name + ".new");
  std::error_code none;
  if (fs::is_symlink(folder.parent_path(), none)) {
    throw Error(folder.parent_path().string() + " is a link", "make it a folder");
  }
  fs::remove_all(draft, none);
  for (const auto& [path, text] : fetched.files) {
    const fs::path file = draft / path;
    fs::create_directories(file.parent_path());
    write_file(file, text);
    if (fetched.executable.contains(path)) {
      fs::permissions(file, fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec,
                      fs::perm_options::add);
    }
  }
  fs::remove_all(folder);
  fs::rename(draft, folder);
}

void Store::write_lock(std::vector<Package> all) const {
  std::ranges::sort(all, {}, &Package::name);
  write_file(model::lock_of(root_), model::to_yaml(all));
}

Package Store::add(Origin origin, std::string name, const fs::path& from) {
  if (const auto meant = divided(origin, from)) {
    throw Error(fmt::format("'{}' is in a git repository, and none itself", printable(origin.url)),
                "write // between repository and folder: agneto add " + to_text(*meant),
                ExitStatus::failed);
  }
  if (name.empty()) name = name_of(origin);
  if (!model::is_name(name, false)) {
    throw Error(name.empty() ? to_text(origin) + " has no name that a package can have"
                             : fmt::format("'{}' is no name of a package", printable(name)),
                "give it one, of letters, digits, _ and -: agneto add URL@REV NAME");
  }
  auto all = packages();
  const fs::path folder = model::package_folder(root_, name);
  std::error_code none;
  if (std::ranges::find(all, name, &Package::name) != all.end()) {
    throw Error(fmt::format("there is a package '{}' already", name),
                fmt::format("to have another revision: agneto update {0}@REV; to have both, give "
                            "this one another name: agneto add URL@REV NAME",
                            name));
  }
  if (is_there(folder)) {
    throw Error(folder.string() + " is there already, and stays as it is",
                "give the package another name, or move that folder away first");
  }
  if (is_path(origin.url) && !origin.url.starts_with('/')) {
    origin.url = fs::absolute(from / origin.url)
                     .lexically_normal()
                     .lexically_relative(fs::absolute(root_).lexically_normal())
                     .string();
  }
  Fetch fetch(origin, root_, true);
  Fetched fetched = fetch.newest();
  const Package package = brought(origin, name, fetched, root_);
  put(name, fetched);
  all.push_back(package);
  write_lock(std::move(all));
  return package;
}

Store::Updated Store::update(const std::string& name, const std::string& rev) {
  auto all = packages();
  const Package before = find(all, name);
  require_unchanged(before);
  Origin origin = origin_of(before);
  if (!rev.empty()) origin.rev = rev;
  Fetch fetch(origin, root_, true);
  Fetched fetched = fetch.newest();
  if (fetched.commit == before.commit && origin.rev == before.rev &&
      state_of(before) == State::good) {
    return {before, before};
  }
  const std::string was = before.commit.substr(0, 12), is = fetched.commit.substr(0, 12);
  const std::string consent =
      fmt::format("if that is right: agneto update {}@{}", name, origin.rev);
  if (rev.empty() && fetched.commit != before.commit) {
    if (fetched.kind == Fetched::Kind::tag) {
      throw Error(fmt::format("the tag '{}' of {} was {} and is {} now: somebody has moved it",
                              origin.rev, origin.url, was, is),
                  consent, ExitStatus::failed);
    }
    if (!fetch.is_before(before.commit, fetched.commit)) {
      throw Error(fmt::format("{} is not in the history of '{}' of {} any more: it was rewritten",
                              was, origin.rev, origin.url),
                  consent, ExitStatus::failed);
    }
  }
  const Package now = brought(origin, name, fetched, root_);
  put(name, fetched);
  *std::ranges::find(all, name, &Package::name) = now;
  write_lock(std::move(all));
  return {before, now};
}

void Store::remove(const std::string& name) {
  auto all = packages();
  require_unchanged(find(all, name));
  fs::remove_all(model::package_folder(root_, name));
  std::erase_if(all, [&](const Package& package) { return package.name == name; });
  if (!all.empty()) return write_lock(std::move(all));
  fs::remove(model::lock_of(root_));
  std::error_code none;
  fs::remove(root_ / "packages", none);  // where it is empty
}

bool Store::vendor(const Package& package) {
  require_unchanged(package);
  if (state_of(package) == State::good) return false;
  Fetch fetch(origin_of(package), root_, true);
  Fetched fetched = fetch.at(package.commit);
  check_tree(package, fetched);
  complete(fetched, origin_of(package), root_, package.name);
  put(package.name, fetched);
  return true;
}

}  // namespace agneto::packages
