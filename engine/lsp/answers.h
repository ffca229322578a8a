// What is answered to requests about a document: the parameters of a request in, its result out.
// Each throws RequestError where it cannot be answered.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lsp/analysis.h"
#include "lsp/documents.h"
#include "lsp/outline.h"
#include "lsp/publisher.h"

namespace agneto::lsp {

class Answers {
 public:
  // All of them must outlive it. `warn` shows the person a message.
  Answers(const Documents& documents, const Analysis& analysis, const Publisher& publisher,
          const ClientCapabilities& client, std::function<void(const std::string&)> warn)
      : documents_(documents),
        analysis_(analysis),
        publisher_(publisher),
        client_(client),
        warn_(std::move(warn)) {}

  Json hover(const Json& params);
  Json definition(const Json& params);
  Json references(const Json& params);
  Json symbols(const Json& params);
  Json completion(const Json& params);
  Json prepare_rename(const Json& params);
  Json rename(const Json& params);

 private:
  // What the cursor of a request is on; no outline where that is no workflow.
  struct Cursor {
    const Document& document;
    std::size_t offset = 0;
    OutlinePtr outline;
  };
  Cursor cursor(const Json& params);
  const Document& document(const Json& params) const;
  OutlinePtr outline_of(const Document& document);
  // The machines with an agent whose hooks are in the module.
  std::vector<OutlinePtr> machines_of(const Document& module);
  Json locations(const std::vector<Target>& targets) const;
  Json range(const std::string& text, std::size_t begin, std::size_t end) const {
    return LineIndex(text, client_.encoding).range(begin, end);
  }

  const Documents& documents_;
  const Analysis& analysis_;
  const Publisher& publisher_;
  const ClientCapabilities& client_;
  const std::function<void(const std::string&)> warn_;
  Outlines outlines_{documents_};
};

}  // namespace agneto::lsp
