// The web pages, as `./dev web` built them: files that are the same for everybody.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "serve/http.h"

namespace agneto::serve {

class Pages {
 public:
  // Reads all files of the folder; where there is none, one page says how to get them.
  explicit Pages(const std::filesystem::path& folder);

  // The file at that path, from what stands compressed beside it where the client takes that. A
  // path that no file has leads to the client's first page, which knows what is meant.
  HttpResponse answer(const HttpRequest& request) const;

 private:
  struct File {
    std::string type;
    std::string text;
    std::string tag;
  };
  std::map<std::string, File> files_;  // by path: "/index.html"
};

}  // namespace agneto::serve
