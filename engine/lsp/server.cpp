#include "lsp/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "lint/report/format.h"
#include "lsp/members.h"
#include "lsp/protocol.h"
#include "lsp/uri.h"

namespace agneto::lsp {

namespace {

bool is_id(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

Encoding choose_encoding(const Json& capabilities) {
  const Json offered = at(capabilities, "/general/positionEncodings");
  const bool utf8 =
      offered.is_array() && std::find(offered.begin(), offered.end(), "utf-8") != offered.end();
  return utf8 ? Encoding::utf8 : Encoding::utf16;
}

std::vector<fs::path> folders_of(const Json& params) {
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& folder) {
    if (folder.has_relative_path()) folders.push_back(folder);  // never the whole disk
  };
  const Json listed = at(params, "/workspaceFolders");
  if (listed.is_array()) {
    for (const Json& folder : listed) add(to_path(text_at(folder, "/uri")));
  } else if (const std::string uri = text_at(params, "/rootUri"); !uri.empty()) {
    add(to_path(uri));
  } else {
    add(text_at(params, "/rootPath"));
  }
  return folders;
}

}  // namespace

Server::Server(const Files& disk, FindWorkflows find, Program program)
    : program_(std::move(program)),
      documents_(disk),
      analysis_(documents_, std::move(find), program_.library) {
  requests_["initialize"] = [this](const Json& params) { return initialize(params); };
  requests_["shutdown"] = [this](const Json&) {
    phase_ = Phase::shut_down;
    return Json();
  };

  requests_["textDocument/hover"] = [this](const Json& params) { return hover(params); };
  requests_["textDocument/definition"] = [this](const Json& params) { return definition(params); };
  requests_["textDocument/references"] = [this](const Json& params) { return references(params); };
  requests_["textDocument/documentSymbol"] = [this](const Json& params) { return symbols(params); };
  requests_["textDocument/completion"] = [this](const Json& params) { return completion(params); };
  requests_["textDocument/prepareRename"] = [this](const Json& params) {
    return prepare_rename(params);
  };
  requests_["textDocument/rename"] = [this](const Json& params) { return rename(params); };

  notifications_["initialized"] = [this](const Json&) { initialized(); };
  notifications_["textDocument/didOpen"] = [this](const Json& params) {
    analysis_.changed(documents_.open(params));
  };
  notifications_["textDocument/didChange"] = [this](const Json& params) {
    analysis_.changed(documents_.change(params, encoding_));
  };
  notifications_["textDocument/didClose"] = [this](const Json& params) {
    analysis_.changed(documents_.close(params));
  };
  notifications_["workspace/didChangeWatchedFiles"] = [this](const Json& params) {
    files_changed(params);
  };
  notifications_["workspace/didChangeWorkspaceFolders"] = [this](const Json& params) {
    folders_changed(params);
  };
}

void Server::notify(const char* method, Json params) {
  send({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

void Server::respond(const Json& id, Json result) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

void Server::respond(const Json& id, int code, const std::string& message) {
  send({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Server::log(const std::string& message) {
  constexpr int error = 1;
  notify("window/logMessage", {{"type", error}, {"message", message}});
}

void Server::refuse(const std::string& why) {
  respond(nullptr, static_cast<int>(ErrorCode::parse_error), why);
}

void Server::receive(const std::string& content) {
  Json message = Json::parse(content, nullptr, false);
  if (message.is_discarded()) return refuse("the message is not JSON");
  if (text_at(message, "/method") == "$/cancelRequest") {
    const Json id = at(message, "/params/id");
    for (Incoming& waiting : inbox_) waiting.cancelled |= at(waiting.message, "/id") == id;
    return;
  }
  inbox_.push_back({std::move(message)});
}

void Server::step() {
  const Incoming incoming = std::move(inbox_.front());
  inbox_.pop_front();
  if (!exit_status_) answer(incoming);
  if (phase_ == Phase::running) publish();
}

void Server::answer(const Incoming& incoming) {
  const Json& message = incoming.message;
  const Json id = at(message, "/id");
  const std::string method = text_at(message, "/method");
  const Json params = at(message, "/params");
  if (method.empty() || (!id.is_null() && !is_id(id))) {
    const bool is_response = is_id(id) && (message.contains("result") || message.contains("error"));
    if (is_response) return;
    const auto code = static_cast<int>(ErrorCode::invalid_request);
    return respond(is_id(id) ? id : Json(), code,
                   "a message is an object with a 'method', and an 'id' where it is a request");
  }
  if (id.is_null()) return take(method, params);
  try {
    if (incoming.cancelled) {
      throw RequestError(ErrorCode::request_cancelled, "the request was cancelled");
    }
    if (phase_ == Phase::created && method != "initialize") {
      throw RequestError(ErrorCode::server_not_initialized, "'initialize' comes first");
    }
    if (phase_ == Phase::shut_down) {
      throw RequestError(ErrorCode::invalid_request, "after 'shutdown' only 'exit' can come");
    }
    const auto handler = requests_.find(method);
    if (handler == requests_.end()) {
      throw RequestError(ErrorCode::method_not_found,
                         fmt::format("there is no method '{}'", method));
    }
    respond(id, handler->second(params));
  } catch (const RequestError& error) {
    respond(id, static_cast<int>(error.code()), error.what());
  } catch (const std::exception& error) {
    respond(id, static_cast<int>(ErrorCode::internal_error),
            fmt::format("{}; that is a mistake of Agneto, please report it", error.what()));
  }
}

void Server::take(const std::string& method, const Json& params) {
  if (method == "exit") {
    exit_status_ = phase_ == Phase::shut_down ? 0 : 1;
    return;
  }
  const auto handler = notifications_.find(method);
  if (phase_ != Phase::running || handler == notifications_.end()) return;
  try {
    handler->second(params);
  } catch (const std::exception& error) {
    log(fmt::format("{}: {}", method, error.what()));
  }
}

Json Server::initialize(const Json& params) {
  if (phase_ != Phase::created) {
    throw RequestError(ErrorCode::invalid_request, "'initialize' comes only once");
  }
  const Json capabilities = at(params, "/capabilities");
  encoding_ = choose_encoding(capabilities);
  client_.related_information =
      is_set(capabilities, "/textDocument/publishDiagnostics/relatedInformation");
  client_.code_description =
      is_set(capabilities, "/textDocument/publishDiagnostics/codeDescriptionSupport");
  const Json formats = at(capabilities, "/textDocument/hover/contentFormat");
  client_.markdown =
      formats.is_array() && std::find(formats.begin(), formats.end(), "markdown") != formats.end();
  client_.version = is_set(capabilities, "/textDocument/publishDiagnostics/versionSupport");
  client_.watches_files =
      is_set(capabilities, "/workspace/didChangeWatchedFiles/dynamicRegistration");
  folders_ = folders_of(params);
  analysis_.set_folders(folders_);
  phase_ = Phase::running;

  constexpr int incremental = 2;
  const Json sync = {{"openClose", true}, {"change", incremental}};
  return {{"serverInfo", {{"name", "agneto"}, {"version", program_.version}}},
          {"capabilities",
           {{"positionEncoding", encoding_ == Encoding::utf8 ? "utf-8" : "utf-16"},
            {"textDocumentSync", sync},
            {"hoverProvider", true},
            {"definitionProvider", true},
            {"referencesProvider", true},
            {"documentSymbolProvider", true},
            {"renameProvider", {{"prepareProvider", true}}},
            {"completionProvider", {{"triggerCharacters", {".", ":", " ", "\"", "'"}}}},
            {"workspace",
             {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}}}}}}};
}

void Server::initialized() {
  if (!client_.watches_files) return;
  Json watchers = Json::array();
  for (const char* pattern : {"**/*.yaml", "**/*.yml", "**/*.lua"}) {
    watchers.push_back({{"globPattern", pattern}});
  }
  const Json registration = {{"id", "files"},
                             {"method", "workspace/didChangeWatchedFiles"},
                             {"registerOptions", {{"watchers", std::move(watchers)}}}};
  send({{"jsonrpc", "2.0"},
        {"id", "agneto-watch-files"},
        {"method", "client/registerCapability"},
        {"params", {{"registrations", Json::array({registration})}}}});
}

void Server::folders_changed(const Json& params) {
  for (const Json& folder : at(params, "/event/removed")) {
    std::erase(folders_, to_path(text_at(folder, "/uri")));
  }
  for (const fs::path& folder : folders_of({{"workspaceFolders", at(params, "/event/added")}})) {
    folders_.push_back(folder);
  }
  analysis_.set_folders(folders_);
}

void Server::files_changed(const Json& params) {
  constexpr int edited = 2;
  for (const Json& change : at(params, "/changes")) {
    if (at(change, "/type") != edited) analysis_.look_again();
    analysis_.changed(to_path(text_at(change, "/uri")));
  }
}

Job Server::next_job() {
  return phase_ == Phase::running ? analysis_.next() : Job();
}

void Server::finish(const Completion& completion) {
  try {
    completion();
  } catch (const std::exception& error) {
    log(fmt::format("lint failed: {}; that is a mistake of Agneto, please report it",
                    error.what()));
  }
  if (phase_ == Phase::running) publish();
}

std::string Server::uri_of(const fs::path& path) const {
  const Document* document = documents_.find(path);
  return document ? document->uri : to_uri(path);
}

void Server::publish() {
  const std::optional<News> news = analysis_.take_news();
  if (!news) return;
  std::map<fs::path, Json> now;
  for (const auto& [path, document] : published_) now[path] = Json::array();
  for (const auto& [uri, document] : documents_.all()) {
    if (!document.path.empty()) now[document.path] = Json::array();
  }
  LinesOf known_lines;
  for (const auto& [path, findings] : news->files) {
    Json& list = now[path] = Json::array();
    for (const Diagnostic& found : findings) list.push_back(diagnostic(found, known_lines));
  }
  for (auto& [path, list] : now) {
    const auto known = published_.find(path);
    const bool is_known = known != published_.end() && known->second == list;
    const Document* document = documents_.find(path);
    if (!is_known) {
      Json params = {{"uri", uri_of(path)}, {"diagnostics", list}};
      if (document && client_.version) params["version"] = document->version;
      notify("textDocument/publishDiagnostics", std::move(params));
    }
    if (document || !list.empty()) {
      published_[path] = std::move(list);
    } else {
      published_.erase(path);
    }
  }
}

const Lines& Server::lines_of(const Source& source, LinesOf& known) const {
  return known.try_emplace(&source, source.text(), encoding_).first->second;
}

Json Server::diagnostic(const Diagnostic& found, LinesOf& known) const {
  constexpr int error = 1;
  constexpr int warning = 2;
  const Lines& lines = lines_of(*found.span.source, known);
  Json result = {{"range", lines.range(found.span.begin, found.span.end)},
                 {"severity", found.severity == Severity::error ? error : warning},
                 {"code", found.rule->id()},
                 {"source", "agneto"},
                 {"message", lint::whole_message(found)}};
  const fs::path page =
      program_.pages / fmt::format("{}-{}.md", found.rule->code, found.rule->name);
  if (client_.code_description) result["codeDescription"] = {{"href", to_uri(page)}};
  if (!client_.related_information) return result;
  Json related = Json::array();
  for (const Diagnostic::Related& one : found.related) {
    if (!one.span) continue;
    const Source& source = *one.span.source;
    const Lines& other = lines_of(source, known);
    related.push_back(
        {{"location",
          {{"uri", uri_of(source.path())}, {"range", other.range(one.span.begin, one.span.end)}}},
         {"message", one.message}});
  }
  if (!related.empty()) result["relatedInformation"] = std::move(related);
  return result;
}

}  // namespace agneto::lsp
