#include "agents/scratch.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/error.h"
#include "base/text.h"

namespace agneto::agents {

namespace fs = std::filesystem;

Scratch::Scratch(const std::vector<std::pair<std::string, std::string>>& files) {
  if (files.empty()) return;
  std::string name = fs::temp_directory_path() / "agneto-XXXXXX";
  if (!mkdtemp(name.data())) {
    throw Error("cannot make a folder '" + name + "': " + std::strerror(errno),
                "set TMPDIR to a folder with room in it");
  }
  folder_ = name;
  for (const auto& [file, text] : files) {
    // A driver is code of the team's own, but its files have no business elsewhere.
    if (fs::path(file).filename() != file ||
        !(std::ofstream(folder_ / file) << text << std::flush)) {
      fs::remove_all(folder_);
      throw Error("cannot write the file '" + file + "' in '" + name + "'");
    }
  }
}

Scratch::~Scratch() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

std::string Scratch::resolve(std::string text) const {
  return replaced(std::move(text), "{files}", folder_.string());
}

}  // namespace agneto::agents
