#include "lsp/server.h"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/position.h"
#include "lsp/protocol.h"
#include "model/load.h"

namespace agneto::lsp {

namespace {

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

Server::Server(const Files& disk, FindWorkflows find, Checks checks, Program program)
    : version_(std::move(program.version)),
      documents_(disk),
      analysis_(documents_, std::move(find), std::move(checks), program.library),
      publisher_(documents_, client_, std::move(program.pages)),
      outlines_(documents_, model::workflows_beside(program.library)) {
  const auto add_answer = [this](const char* method, Json (Server::*answer)(const Json&)) {
    add(method, [this, answer](const Json& params) { return (this->*answer)(params); });
  };
  add_answer("initialize", &Server::initialize);
  add_answer("textDocument/hover", &Server::hover);
  add_answer("textDocument/definition", &Server::definition);
  add_answer("textDocument/references", &Server::references);
  add_answer("textDocument/documentSymbol", &Server::symbols);
  add_answer("textDocument/completion", &Server::completion);
  add_answer("textDocument/prepareRename", &Server::prepare_rename);
  add_answer("textDocument/rename", &Server::rename);

  add_notification("initialized", [this](const Json&) { initialized(); });
  add_notification("textDocument/didOpen",
                   [this](const Json& params) { analysis_.changed(documents_.open(params)); });
  add_notification("textDocument/didChange", [this](const Json& params) {
    analysis_.changed(documents_.change(params, client_.encoding));
  });
  add_notification("textDocument/didClose",
                   [this](const Json& params) { analysis_.changed(documents_.close(params)); });
  add_notification("workspace/didChangeWatchedFiles",
                   [this](const Json& params) { files_changed(params); });
  add_notification("workspace/didChangeWorkspaceFolders",
                   [this](const Json& params) { folders_changed(params); });
}

Json Server::initialize(const Json& params) {
  client_ = capabilities_of(at(params, "/capabilities"));
  folders_ = folders_of(params);
  analysis_.set_folders(folders_);

  constexpr int incremental = 2;
  const Json sync = {{"openClose", true}, {"change", incremental}};
  return {{"serverInfo", {{"name", "agneto"}, {"version", version_}}},
          {"capabilities",
           {{"positionEncoding", client_.encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
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
  for (const char* pattern : {"**/*.yaml", "**/*.yml", "**/*.lua", "**/*.md"}) {
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
  return is_running() ? analysis_.next() : Job();
}

void Server::finish(const Completion& completion) {
  try {
    completion();
  } catch (const std::exception& error) {
    log(fmt::format("lint failed: {}; that is a mistake of Agneto, please report it",
                    error.what()));
  }
  if (is_running()) handled();
}

void Server::handled() {
  const std::optional<News> news = analysis_.take_news();
  if (!news) return;
  for (Json& params : publisher_.publish(*news)) {
    notify("textDocument/publishDiagnostics", std::move(params));
  }
}

}  // namespace agneto::lsp
