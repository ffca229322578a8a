// What lint finds, told to the client as the protocol's diagnostics, and only where it is news.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/documents.h"
#include "lsp/protocol.h"

namespace agneto::lsp {

class Publisher {
 public:
  // The documents and the client must outlive it. `pages`: the folder of the rules' pages, such as
  // E203-undefined-target.md.
  Publisher(const Documents& documents, const ClientCapabilities& client, fs::path pages)
      : documents_(documents), client_(client), pages_(std::move(pages)) {}

  // The parameters of `publishDiagnostics` for every file of which the client shows something else.
  std::vector<Json> publish(const News& news);

  // Why what is underlined at the position is wrong, as Markdown; empty where nothing is.
  std::string explanation(const fs::path& path, const Json& position) const;

 private:
  Json diagnostic(const Diagnostic& found, LineIndexes& indexes) const;

  const Documents& documents_;
  const ClientCapabilities& client_;
  const fs::path pages_;
  std::map<fs::path, Json> published_;  // the diagnostics that the client shows
};

}  // namespace agneto::lsp
