#include "model/packages.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/load.h"
#include "model/rules.h"
#include "model/values.h"
#include "yaml/reader.h"
#include "yaml/tree.h"
#include "yaml/writer.h"

namespace agneto::model {

namespace {

using yaml::Node;
using yaml::Reader;

void require(Reader& reader, const Node& node, const std::string& what,
             std::initializer_list<const char*> keys) {
  if (node.kind != yaml::Kind::map) return;
  for (const char* key : keys) {
    if (!node.find(key)) reader.mistake(node.span, fmt::format("{} needs the key '{}'", what, key));
  }
}

Reader::Key text_key(Reader& reader, const char* key, std::string& out) {
  return {key, [&reader, &out, key](const Node& node) { reader.text(node, key, out); }};
}

Reader::Key version_key(Reader& reader) {
  return {"agneto", [&reader](const Node& node) {
            if (as_integer(node)) return;  // check_version has looked at it
            reader.wrong(node, "agneto",
                         fmt::format("{}, the version that this program knows", language_version));
          }};
}

}  // namespace

fs::path lock_of(const fs::path& root) {
  return root / "agneto.lock";
}

fs::path package_folder(const fs::path& root, const std::string& name) {
  return (root / "packages" / name).lexically_normal();
}

fs::path package_root(const fs::path& root, const fs::path& file) {
  fs::path found = root;
  const fs::path below = file.lexically_relative(root);
  for (auto part = below.begin(); part != below.end(); ++part) {
    if (*part != "packages" || ++part == below.end() || std::next(part) == below.end()) break;
    found = package_folder(found, *part);
  }
  return found;
}

std::vector<Package> read_lock(const SourcePtr& source, Diagnostics& diagnostics) {
  std::vector<Package> packages;
  const auto root = yaml::parse(source, diagnostics);
  if (!root || !check_version(*root, diagnostics)) return packages;
  Reader reader(diagnostics);
  const auto read = [&](const Node& name, const Node& node) {
    Package& package = packages.emplace_back();
    package.name = name.text;
    const std::string what = "packages." + name.text;
    if (!is_name(name.text, false)) reader.wrong(name, "a package", "called by a name");
    reader.map(node, what,
               {text_key(reader, "url", package.url), text_key(reader, "folder", package.folder),
                text_key(reader, "rev", package.rev), text_key(reader, "commit", package.commit),
                text_key(reader, "tree", package.tree)});
    require(reader, node, what, {"url", "rev", "commit", "tree"});
  };
  reader.map(*root, "agneto.lock", {version_key(reader), {"packages", [&](const Node& node) {
                                                            reader.each(node, "packages", read);
                                                          }}});
  require(reader, *root, "agneto.lock", {"agneto", "packages"});
  return packages;
}

std::string to_yaml(const std::vector<Package>& packages) {
  yaml::Ordered all = yaml::Ordered::object();
  for (const Package& package : packages) {
    yaml::Ordered one = {{"url", package.url}};
    if (!package.folder.empty()) one["folder"] = package.folder;
    one["rev"] = package.rev;
    one["commit"] = package.commit;
    one["tree"] = package.tree;
    all[package.name] = std::move(one);
  }
  return "# The packages beside this file; 'agneto add', 'update' and 'remove' change it.\n" +
         yaml::to_yaml({{"agneto", language_version}, {"packages", std::move(all)}});
}

PackageFacts read_package(const SourcePtr& source, Diagnostics& diagnostics) {
  PackageFacts facts;
  const auto root = yaml::parse(source, diagnostics);
  if (!root || !check_version(*root, diagnostics)) return facts;
  Reader reader(diagnostics, yaml::Findings::of_rules);
  const auto programs = [&](const Node& node) {
    reader.list(node, "programs", [&](const Node& item) {
      if (reader.text(item, "programs", facts.programs.emplace_back())) return;
      facts.programs.pop_back();
    });
  };
  reader.map(*root, "package.yaml",
             {version_key(reader),
              text_key(reader, "description", facts.description),
              {"needs", [&](const Node& node) {
                 reader.map(node, "needs", {{"programs", programs}});
               }}});
  const auto expect = [&](const char* key, std::string_view help) {
    if (root->kind != yaml::Kind::map || root->find(key)) return;
    const Span& place = root->entries.empty() ? root->span : root->entries.front().key.span;
    diagnostics.report(rules::missing_key, place,
                       fmt::format("package.yaml needs the key '{}'", key), help);
  };
  expect("agneto", fmt::format("agneto: {}, the version of the language", language_version));
  expect("description", "description: What the package is for");
  return facts;
}

const Packages::Lock& Packages::lock(const fs::path& root) {
  const auto [known, added] = locks_.try_emplace(root);
  Lock& lock = known->second;
  if (!added) return lock;
  const fs::path file = lock_of(root);
  auto text = files_.read(file);
  if (!text) return lock;
  Diagnostics diagnostics;
  const auto source = std::make_shared<Source>(file.string(), std::move(*text));
  lock.packages = read_lock(source, diagnostics);
  const auto problems = diagnostics.sorted();
  if (!problems.empty()) {
    const Diagnostic& first = problems.front();
    lock.problem = fmt::format("{}:{}: {}", file.string(), first.span.line(), first.message);
    lock.help = first.rule == &rules::version
                    ? first.help
                    : "mend it, or take it back from git: git restore " + file.string();
  }
  return lock;
}

const Packages::Found& Packages::find(const fs::path& root, const std::string& name) {
  const auto [known, added] = found_.try_emplace(package_folder(root, name));
  if (added) known->second = look(root, name);
  return known->second;
}

Packages::Found Packages::look(const fs::path& root, const std::string& name) {
  const Lock& has = lock(root);
  const auto locked = std::ranges::find(has.packages, name, &Package::name);
  const fs::path folder = package_folder(root, name);
  const bool is_here = files_.read(folder / "package.yaml").has_value();
  const std::string lock_name = lock_of(root).string();
  if (locked == has.packages.end() && !is_here) return {};
  if (!has.problem.empty()) {
    return {{}, has.problem, has.help};
  }
  if (locked == has.packages.end()) {
    return {{},
            fmt::format("the package '{}' is not in {}", name, lock_name),
            "bring packages with 'agneto add', or keep these files in a folder of another name"};
  }
  if (!is_here) {
    return {{},
            fmt::format("the package '{}' of {} is not here", name, lock_name),
            "bring it: agneto vendor"};
  }
  const auto hash = files_.tree_hash(folder);
  if (hash && *hash != locked->tree) {
    return {{},
            fmt::format("the package '{}' is not what {} says it is", name, lock_name),
            fmt::format("to see what was changed: git status --short {0}, or where it was "
                        "committed git log -p {0}; to have it as it was: remove that folder, and "
                        "run 'agneto vendor'; to change it, extend it, or take its files for your "
                        "own",
                        folder.string())};
  }
  return {folder};
}

}  // namespace agneto::model
