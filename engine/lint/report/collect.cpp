#include "lint/report/collect.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"
#include "lint/report/glob.h"
#include "yaml/tree.h"

namespace agneto::lint {

namespace {

bool has_version(const fs::path& file) {
  if (file.extension() != ".yaml" && file.extension() != ".yml") return false;
  const auto text = Disk().read(file);
  return !text || is_workflow(*text);  // one that cannot be read may be one, and is told of
}

// Is all of it {in: braces}?
bool is_flow_mapping(std::string_view text) {
  for (std::string_view line : split_lines(text)) {
    if (line.starts_with("---")) line.remove_prefix(3);
    line = trim(line);
    if (!line.empty() && !line.starts_with('#')) return line.starts_with('{');
  }
  return false;
}

bool is_test(const fs::path& file) {
  if (!file.string().ends_with(".test.yaml")) return false;
  const auto text = Disk().read(file);
  return text && !is_workflow(*text);
}

bool is_left_out(const fs::path& folder) {
  const fs::path name = folder.filename();
  // The worktrees of runs, and the team's own rules with workflows that break them.
  const bool is_of_agneto = folder.parent_path().filename() == ".agneto";
  return name == ".git" || name == "node_modules" ||
         (is_of_agneto && (name == "worktrees" || name == "lint"));
}

using Visit = std::function<void(const fs::path&)>;

void ignore(const fs::path&) {}

// Every file and every folder inside.
void walk(const fs::path& folder, const Visit& each_file, const Visit& each_folder = ignore) {
  using Walk = fs::recursive_directory_iterator;
  std::error_code unreadable;
  Walk at(folder, fs::directory_options::skip_permission_denied, unreadable);
  for (; !unreadable && at != Walk(); at.increment(unreadable)) {
    std::error_code gone;
    if (at->is_directory(gone)) {
      if (is_left_out(at->path())) {
        at.disable_recursion_pending();
      } else {
        each_folder(at->path().lexically_normal());
      }
    } else if (at->is_regular_file(gone)) {
      each_file(at->path().lexically_normal());
    }
  }
}

// The folder in front of a glob's first part that is one.
fs::path fixed_part(const fs::path& glob) {
  fs::path result;
  for (const fs::path& part : glob) {
    if (is_glob(part.string())) break;
    result /= part;
  }
  return result.empty() ? "." : result;
}

std::vector<fs::path> meant_by(const std::string& argument) {
  const fs::path path = fs::path(argument).lexically_normal();
  std::vector<fs::path> files;
  std::error_code gone;
  if (fs::is_directory(path, gone)) {
    walk(path, [&](const fs::path& file) {
      if (has_version(file)) files.push_back(file);
    });
    if (files.empty()) {
      throw Error("there is no workflow in the folder " + argument,
                  "a workflow is a .yaml file with 'agneto: 1' in it");
    }
  } else if (fs::exists(path, gone) || !is_glob(argument)) {
    if (!fs::exists(path, gone)) {
      throw Error("there is no file " + argument,
                  "give a file, a folder, or a pattern such as 'workflows/**/*.yaml'");
    }
    if (is_test(path)) {
      throw Error(argument + " is a test, and no workflow", "play it: agneto test " + argument);
    }
    files.push_back(path);
  } else {
    walk(fixed_part(path), [&](const fs::path& file) {
      if (glob_matches(path.generic_string(), file.generic_string()) && has_version(file)) {
        files.push_back(file);
      }
    });
    if (files.empty()) {
      throw Error("no workflow's path matches " + argument,
                  "'*' stays within a folder, '**' goes through folders; a workflow is a .yaml "
                  "file with 'agneto: 1' in it");
    }
  }
  return files;
}

std::set<fs::path> meant_by(const std::vector<std::string>& arguments) {
  // A shell makes of *.yaml the tests beside the workflows, too.
  const bool only_tests = std::ranges::all_of(arguments, is_test);
  std::set<fs::path> all;
  for (const std::string& argument : arguments) {
    if (!only_tests && is_test(argument)) continue;
    for (fs::path& file : meant_by(argument)) all.insert(std::move(file));
  }
  return all;
}

}  // namespace

bool is_workflow(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (is_flow_mapping(text)) {
    Diagnostics wrong;
    const auto root = yaml::parse(std::make_shared<const Source>("", std::string(text)), wrong);
    return root ? root->find("agneto") != nullptr : text.find("agneto:") != text.npos;
  }
  const auto lines = split_lines(text);
  return std::ranges::any_of(lines, [](std::string_view line) {
    for (const std::string_view key : {"agneto", "\"agneto\"", "'agneto'"}) {
      if (line.starts_with(key) && trim(line.substr(key.size())).starts_with(':')) return true;
    }
    return false;
  });
}

std::vector<fs::path> workflow_files(const std::vector<std::string>& arguments) {
  std::set<fs::path> all = meant_by(arguments);
  std::erase_if(all, is_package_file);
  return {all.begin(), all.end()};
}

std::vector<fs::path> package_files(const std::vector<std::string>& arguments) {
  std::set<fs::path> all = meant_by(arguments);
  std::erase_if(all, std::not_fn(is_package_file));
  return {all.begin(), all.end()};
}

bool is_package_file(const fs::path& file) {
  return file.filename() == "package.yaml";
}

std::set<fs::path> workflow_folders(const std::vector<std::string>& arguments) {
  std::set<fs::path> all;
  std::error_code gone;
  for (const std::string& argument : arguments) {
    const fs::path path = fs::path(argument).lexically_normal();
    const bool folder = fs::is_directory(path, gone);
    if (!folder && (fs::exists(path, gone) || !is_glob(argument))) {
      all.insert(path.parent_path());
      continue;
    }
    const fs::path top = folder ? path : fixed_part(path);
    all.insert(top);
    walk(top, ignore, [&](const fs::path& inside) { all.insert(inside); });
  }
  return all;
}

}  // namespace agneto::lint
