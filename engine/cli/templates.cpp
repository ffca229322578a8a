#include "cli/templates.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/values.h"

namespace agneto::cli {
namespace {

constexpr std::string_view placeholder = "my_workflow";

std::string read(const fs::path& file) {
  if (auto text = Disk().read(file)) return *text;
  throw Error("cannot read the template's file " + file.string(),
              "install the whole of Agneto again", ExitStatus::failed);
}

// The value of the workflow's "description:".
std::string description_of(const std::string& workflow) {
  for (const std::string_view line : split_lines(workflow)) {
    constexpr std::string_view key = "description: ";
    if (line.starts_with(key)) return std::string(line.substr(key.size()));
  }
  return {};
}

struct Source {
  std::map<std::string, fs::path> files;  // the files to copy, by their new path below .agneto
  std::vector<std::pair<std::string, std::string>> replace;
  std::string description;
};

Source source_of(const fs::path& share, const fs::path& folder) {
  Source source;
  if (const auto text = Disk().read(folder / "template.json")) {
    const Json json = Json::parse(*text);
    source.description = json.at("description");
    for (const auto& [from, to] : json.at("files").items()) source.files[to] = share / from;
    for (const auto& [what, by] : json.at("replace").items()) source.replace.emplace_back(what, by);
    return source;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    source.files[entry.path().lexically_relative(folder).string()] = entry.path();
  }
  source.description = description_of(read(folder / "workflows" / "my_workflow.yaml"));
  return source;
}

}  // namespace

std::vector<Template> templates(const fs::path& share) {
  std::vector<Template> all;
  for (const auto& entry : fs::directory_iterator(share / "workflows" / "templates")) {
    all.push_back({entry.path().filename().string(), source_of(share, entry.path()).description});
  }
  std::ranges::sort(all, {}, &Template::name);
  return all;
}

std::vector<NewFile> instantiate(const fs::path& share, const std::string& from,
                                 const std::string& name) {
  if (!model::is_name(name, false)) {
    throw Error("a workflow cannot be called '" + name + "'",
                "a name begins with a letter or _, and has letters, digits, _ and - only");
  }
  const std::vector<std::string> known = names_of(templates(share));
  if (std::ranges::find(known, from) == known.end()) {
    throw Error("there is no template '" + from + "'", suggestion(from, known, "templates"));
  }
  const Source source = source_of(share, share / "workflows" / "templates" / from);
  std::vector<NewFile> files;
  for (const auto& [to, file] : source.files) {
    std::string text = read(file);
    for (const auto& [what, by] : source.replace) text = replaced(std::move(text), what, by);
    files.push_back(
        {replaced(to, placeholder, name), replaced(std::move(text), placeholder, name)});
  }
  return files;
}

}  // namespace agneto::cli
