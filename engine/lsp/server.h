// A language server: messages in, messages out. It knows neither threads nor pipes nor time, so
// that what it does depends on the messages alone; serve.h connects it to the world.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "lsp/analysis.h"
#include "lsp/documents.h"
#include "lsp/endpoint.h"
#include "lsp/outline.h"
#include "lsp/publisher.h"

namespace agneto::lsp {

// What the server is told of its own program.
struct Program {
  std::string version;
  fs::path library;  // the hook library
  fs::path pages;    // of the rules: E203-undefined-target.md
};

// More than 25 names: each request that it answers has a function.
class Server : public Endpoint {
 public:
  // The files on the disk must outlive it and its jobs.
  Server(const Files& disk, FindWorkflows find, Checks checks, Program program);

  // Analysis that is due; null where there is none. `finish` is called with what came of it before
  // the next is asked for.
  Job next_job();
  void finish(const Completion& completion);

 private:
  void handled() override;
  Json initialize(const Json& params);
  void initialized();
  void folders_changed(const Json& params);
  void files_changed(const Json& params);

  // answers.cpp: what is answered to requests about a document. Each throws RequestError where it
  // cannot be answered.
  Json hover(const Json& params);
  Json definition(const Json& params);
  Json references(const Json& params);
  Json symbols(const Json& params);
  Json completion(const Json& params);
  Json prepare_rename(const Json& params);
  Json rename(const Json& params);

  // What the cursor of a request is on; no outline where that is no workflow.
  struct Cursor {
    const Document& document;
    std::size_t offset = 0;
    OutlinePtr outline;
  };
  Cursor cursor(const Json& params);
  OutlinePtr outline_of(const Document& document);
  // The machines with an agent whose hooks are in the module.
  std::vector<OutlinePtr> machines_of(const Document& module);
  Json locations(const std::vector<Target>& targets) const;
  Json range(const std::string& text, std::size_t begin, std::size_t end) const {
    return LineIndex(text, client_.encoding).range(begin, end);
  }

  const std::string version_;
  ClientCapabilities client_;
  Documents documents_;
  Analysis analysis_;
  Publisher publisher_;
  Outlines outlines_;
  std::vector<fs::path> folders_;
};

}  // namespace agneto::lsp
