// The templates of new workflows: text that is installed with this program.
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

// All templates, sorted by name. `share` holds workflows/ and scripts/.
std::vector<Template> templates(const fs::path& share);

struct NewFile {
  fs::path path;  // below .agneto
  std::string text;
};

// The files of a workflow `name` that is made from the template `from`. Throws Error if there is no
// such template, or a workflow cannot have that name.
std::vector<NewFile> instantiate(const fs::path& share, const std::string& from,
                                 const std::string& name);

}  // namespace agneto::cli
