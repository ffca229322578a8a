// What a new workflow can start from: text that is installed with this program.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"

namespace agneto::cli {

// A folder of share/workflows/templates. What it holds is valid as it stands, for a workflow that
// is called `my_workflow`; that name is replaced, in paths too. A template.json in it instead names
// files elsewhere: {"description", "files": {FROM: TO}, "replace": {TEXT: BY}}.
struct Template {
  std::string name;
  std::string description;
};

// By name. `share` holds workflows/ and scripts/.
std::vector<Template> templates(const fs::path& share);

struct NewFile {
  fs::path path;  // below .agneto
  std::string text;
};

// Of a workflow `name` made from that template. Throws Error where there is none such, and where a
// workflow cannot be called so.
std::vector<NewFile> instantiate(const fs::path& share, const std::string& from,
                                 const std::string& name);

}  // namespace agneto::cli
