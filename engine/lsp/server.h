// A language server: messages in, messages out. It knows neither threads nor pipes nor time, so
// that what it does depends on the messages alone; serve.h connects it to the world.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/json.h"
#include "lsp/analysis.h"
#include "lsp/documents.h"
#include "lsp/outlines.h"
#include "lsp/position.h"

namespace agneto::lsp {

// What is this program's own.
struct Program {
  std::string version;
  fs::path library;  // the hook library
  fs::path pages;    // of the rules: E203-undefined-target.md
};

class Server {
 public:
  // The files on the disk must outlive it and its jobs.
  Server(const Files& disk, FindWorkflows find, Program program);

  // A message's content. It waits for `step`, in which time the client may cancel it.
  void receive(const std::string& content);
  // Something that was no message; the client is told why.
  void refuse(const std::string& why);

  bool is_waiting() const { return !inbox_.empty(); }
  // Answers the message that waits longest.
  void step();

  // Analysis that is due; null where there is none. `finish` is called with what came of it before
  // the next is asked for.
  Job next_job();
  void finish(const Completion& completion);

  // To be sent, in this order.
  std::vector<Json> take_outgoing() { return std::exchange(outgoing_, {}); }

  // The program's exit status, once the client has asked for the end. Whoever goes without asking
  // leaves it at 1.
  std::optional<int> exit_status() const { return exit_status_; }

 private:
  enum class Phase { created, running, shut_down };
  struct Incoming {
    Json message;
    bool cancelled = false;
  };
  struct Client {
    bool related_information = false;
    bool code_description = false;
    bool version = false;
    bool watches_files = false;
    bool markdown = false;
  };
  using Request = std::function<Json(const Json& params)>;
  using Notification = std::function<void(const Json& params)>;

  void send(Json message) { outgoing_.push_back(std::move(message)); }
  void notify(const char* method, Json params);
  void respond(const Json& id, Json result);
  void respond(const Json& id, int code, const std::string& message);
  void log(const std::string& message);

  void answer(const Incoming& incoming);
  void take(const std::string& method, const Json& params);
  Json initialize(const Json& params);

  // What the cursor of a request is on; no outline where that is no workflow.
  struct Cursor {
    OutlinePtr outline;
    std::size_t offset = 0;
  };
  Cursor cursor(const Json& params);
  Json hover(const Json& params);
  Json definition(const Json& params);
  Json references(const Json& params);
  Json symbols(const Json& params);
  Json completion(const Json& params);
  Json prepare_rename(const Json& params);
  Json rename(const Json& params);
  // Those with an agent whose hooks are in the module.
  std::vector<OutlinePtr> machines_of(const Document& module);
  // Why what is underlined there is wrong, as Markdown; empty where nothing is.
  std::string explanation(const fs::path& path, const Json& position) const;
  Json locations(const std::vector<Target>& targets) const;

  // The lines of each text are found once.
  using LinesOf = std::map<const Source*, Lines>;
  const Lines& lines_of(const Source& source, LinesOf& known) const;

  void initialized();
  void folders_changed(const Json& params);
  void files_changed(const Json& params);

  void publish();
  Json diagnostic(const Diagnostic& found, LinesOf& known) const;
  std::string uri_of(const fs::path& path) const;

  const Program program_;
  Documents documents_;
  Outlines outlines_{documents_};
  Analysis analysis_;
  std::map<std::string, Request> requests_;
  std::map<std::string, Notification> notifications_;
  Encoding encoding_ = Encoding::utf16;
  Client client_;
  std::vector<fs::path> folders_;
  std::map<fs::path, Json> published_;  // diagnostics that the client shows
  std::deque<Incoming> inbox_;
  std::vector<Json> outgoing_;
  Phase phase_ = Phase::created;
  std::optional<int> exit_status_;
};

}  // namespace agneto::lsp
