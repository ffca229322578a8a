#include "model/places.h"

#include <fmt/format.h>

#include "model/load.h"
#include "model/rules.h"
#include "model/values.h"

namespace agneto::model {

namespace {

// `agneto.yaml` may be in a folder called `workflows` without saying so: then with its whole path.
fs::path with_its_folder(const fs::path& file) {
  const fs::path folder = file.parent_path().filename();
  if (!folder.empty() && folder != "..") return file;
  const fs::path whole = fs::absolute(file).lexically_normal();
  return whole.parent_path().filename() == "workflows" ? whole : file;
}

}  // namespace

Places::Places(const fs::path& given, const Files& files) : files_(files), packages_(files) {
  main_.file = with_its_folder(given.lexically_normal());
  main_.root = root_of(main_.file);
  if (main_.file.is_absolute() && given.is_relative()) shown_from_ = fs::current_path();
}

void Places::check_main(Diagnostics& diagnostics) {
  const fs::path packages = main_.root.parent_path();
  if (packages.filename() != "packages") return;
  check_package(packages.parent_path(), main_.root.filename(), {}, diagnostics);
}

std::string Places::shown(const fs::path& file) const {
  if (shown_from_.empty() || !is_within(file, main_.root)) return file.string();
  return file.lexically_relative(shown_from_).string();
}

std::optional<Places::Place> Places::resolve(const yaml::Node& path, Diagnostics& diagnostics) {
  if (path.text.empty()) return std::nullopt;
  const auto& [in, root] = of(path.span.source);
  Place place{(in.parent_path() / path.text).lexically_normal(), root};
  const auto slash = path.text.find('/');
  const std::string name = path.text.substr(0, slash);
  if (slash != std::string::npos && is_name(name, false)) {
    const auto folder = check_package(root, name, path.span, diagnostics);
    if (!folder) return std::nullopt;
    if (!folder->empty()) {
      if (files_.read(place.file)) return ambiguous(path, name, diagnostics);
      place = {(*folder / path.text.substr(slash + 1)).lexically_normal(), *folder};
    }
  }
  if (!is_within(place.file, place.root)) {
    const bool is_package = place.root.parent_path().filename() == "packages";
    diagnostics.report(
        rules::outside_root, path.span,
        fmt::format("'{}' is outside of the {} '{}'", path.text,
                    is_package ? "package" : "workflow's folder", place.root.string()),
        is_package ? "a package names files of its own, and of packages that it has itself"
                   : "a workflow loads files of its own folder, and of the folder around it where "
                     "its own is called 'workflows'; put the two together");
    return std::nullopt;
  }
  if (files_.leads_out(place.file, place.root)) {
    diagnostics.report(rules::outside_root, path.span,
                       fmt::format("'{}' is a link, or in one, that leads out of the folder '{}'",
                                   path.text, place.root.string()),
                       "put the file itself there");
    return std::nullopt;
  }
  if (package_root(place.root, place.file) != place.root) {
    return in_a_package(path, place, diagnostics);
  }
  return place;
}

std::optional<fs::path> Places::check_package(const fs::path& root, const std::string& name,
                                              Span span, Diagnostics& diagnostics) {
  const Packages::Found& found = packages_.find(root, name);
  if (found.problem.empty()) return found.folder;
  diagnostics.report(rules::package, span, found.problem, found.help);
  return std::nullopt;
}

std::optional<Places::Place> Places::ambiguous(const yaml::Node& path, const std::string& name,
                                               Diagnostics& diagnostics) {
  diagnostics.report(
      rules::package, path.span,
      fmt::format("'{}' is a file beside this one, and '{}' a package", path.text, name),
      "call that folder another name, or the package: agneto add URL@REV NAME");
  return std::nullopt;
}

std::optional<Places::Place> Places::in_a_package(const yaml::Node& path, const Place& place,
                                                  Diagnostics& diagnostics) {
  const fs::path folder = package_root(place.root, place.file);
  const std::string name = folder.filename();
  if (packages_.find(folder.parent_path().parent_path(), name).folder.empty()) return place;
  diagnostics.report(
      rules::package, path.span, fmt::format("'{}' is in the package '{}'", path.text, name),
      fmt::format("write {}/{}", name, place.file.lexically_relative(folder).generic_string()));
  return std::nullopt;
}

}  // namespace agneto::model
