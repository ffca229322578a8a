// A language server: messages in, messages out. It knows neither threads nor pipes nor time, so
// that what it does depends on the messages alone; serve.h connects it to the world.
#pragma once

#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "lsp/analysis.h"
#include "lsp/answers.h"
#include "lsp/documents.h"
#include "lsp/endpoint.h"
#include "lsp/publisher.h"

namespace agneto::lsp {

// What the server is told of its own program.
struct Program {
  std::string version;
  fs::path library;  // the hook library
  fs::path pages;    // of the rules: E203-undefined-target.md
};

class Server : public Endpoint {
 public:
  // The files on the disk must outlive it and its jobs.
  Server(const Files& disk, FindWorkflows find, Program program);

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

  const std::string version_;
  ClientCapabilities client_;
  Documents documents_;
  Analysis analysis_;
  Publisher publisher_;
  Answers answers_;
  std::vector<fs::path> folders_;
};

}  // namespace agneto::lsp
