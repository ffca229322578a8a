// An editor in a test: its files are in memory, in the folder /team, and analysis is done when the
// test says so.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "lint/report/collect.h"
#include "lsp/position.h"
#include "lsp/server.h"
#include "script/rules.h"

namespace agneto::lsp {

class Client {
 public:
  // Texts by their path under /team.
  explicit Client(const std::map<std::string, std::string>& texts, Json capabilities = nullptr)
      : server_(files_, [this](const fs::path&) { return workflows(); }, {no_typo, no_effort},
                {"1.2.3", "/lib", "/share/docs/rules"}) {
    for (const auto& [path, text] : texts) write(path, text);
    if (capabilities.is_null()) {
      capabilities = Json::parse(R"({"textDocument": {"publishDiagnostics":
        {"relatedInformation": true, "codeDescriptionSupport": true, "versionSupport": true}}})");
    }
    initialized = request("initialize",
                          {{"rootUri", "file:///team"}, {"capabilities", std::move(capabilities)}});
    notify("initialized", Json::object());
  }

  Json initialized;  // what the server said of itself

  // On the disk; the editor tells of it where it watches files.
  void write(const std::string& path, const std::string& text) {
    files_.add("/team/" + path, text);
    texts_["/team/" + path] = text;
  }
  void wrote(const std::string& path, const std::string& text) {
    const int type = texts_.contains("/team/" + path) ? 2 : 1;
    write(path, text);
    const Json change = {{"uri", uri(path)}, {"type", type}};
    notify("workspace/didChangeWatchedFiles", {{"changes", Json::array({change})}});
  }

  static std::string uri(const std::string& path) { return to_uri("/team/" + path); }
  static Json document(const std::string& path) { return {{"textDocument", {{"uri", uri(path)}}}}; }

  void open(const std::string& path) { open(path, texts_.at("/team/" + path)); }
  void open(const std::string& path, const std::string& text) {
    const Json item = {{"uri", uri(path)}, {"languageId", "yaml"}, {"version", 1}, {"text", text}};
    notify("textDocument/didOpen", {{"textDocument", item}});
  }
  void change(const std::string& path, const Json& changes) {
    const Json item = {{"uri", uri(path)}, {"version", ++version_}};
    notify("textDocument/didChange", {{"textDocument", item}, {"contentChanges", changes}});
  }
  // All of it.
  void type(const std::string& path, const std::string& text) {
    change(path, Json::array({{{"text", text}}}));
  }
  void close(const std::string& path) { notify("textDocument/didClose", document(path)); }

  void notify(const std::string& method, const Json& params) {
    send({{"jsonrpc", "2.0"}, {"method", method}, {"params", params}});
  }
  // The result; or {"error": …}.
  Json request(const std::string& method, const Json& params) {
    send({{"jsonrpc", "2.0"}, {"id", ++requests_}, {"method", method}, {"params", params}});
    const Json response = responses.at(requests_);
    return response.contains("result") ? response["result"] : Json{{"error", response["error"]}};
  }
  void send(const Json& message) {
    server_.receive(message.dump());
    drain();
  }

  // Does all analysis that is due.
  void settle() {
    while (const Job job = server_.next_job()) server_.finish(job());
    take();
  }

  // What the editor shows: "flow.yaml 3:4-3:10 error E203/undefined-target there is no …".
  std::vector<std::string> shown() const {
    std::vector<std::string> lines;
    for (const auto& [path, list] : diagnostics) {
      for (const Json& one : list) {
        lines.push_back(fmt::format(
            "{} {} {} {} {}", path, brief(one["range"]), one["severity"] == 1 ? "error" : "warning",
            one["code"].get<std::string>(), one["message"].get<std::string>()));
      }
    }
    return lines;
  }
  static std::string brief(const Json& range) {
    return fmt::format("{}:{}-{}:{}", range["start"]["line"].get<int>(),
                       range["start"]["character"].get<int>(), range["end"]["line"].get<int>(),
                       range["end"]["character"].get<int>());
  }

  Server& server() { return server_; }
  void drain() {
    while (server_.is_waiting()) server_.step();
    take();
  }

  std::map<int, Json> responses;
  std::map<std::string, Json> diagnostics;  // by path under /team
  std::vector<Json> others;                 // what the server sent besides
  std::size_t published = 0;                // how often diagnostics came

  // Every workflow on the disk.
  std::vector<fs::path> workflows() const {
    std::vector<fs::path> found;
    for (const auto& [path, text] : texts_) {
      const bool is_other = !path.ends_with(".yaml") || lint::is_package_file(path);
      if (!is_other && lint::is_workflow(text)) found.emplace_back(path);
    }
    return found;
  }
  const Files& files() const { return files_; }

 private:
  // Reports "typo" where a configuration has it.
  static void no_typo(const fs::path& file, const Files& files, Diagnostics& wrong,
                      std::vector<SourcePtr>& sources) {
    const std::string text = files.read(file).value_or("");
    const std::size_t typo = text.find("typo");
    if (typo == std::string::npos) return;
    sources.push_back(std::make_shared<const Source>(file.string(), text));
    wrong.report(rules::unknown_provider, sources.back()->span(typo, typo + 4), "a typo");
  }

  // Reports an agent's effort where the configuration has no "codex".
  static std::shared_ptr<const void> no_effort(const fs::path& configuration, const Files& files,
                                               const model::System& system, Diagnostics& wrong) {
    const std::string text = files.read(configuration).value_or("");
    if (text.find("codex") != std::string::npos) return nullptr;
    for (const model::Agent& agent : system.main().agents) {
      const Span place = agent.settings.place("effort");
      if (place) wrong.report(rules::unusable_setting, place, "an effort");
    }
    return nullptr;
  }

  void take() {
    for (const Json& message : server_.take_outgoing()) {
      if (message.contains("result") || message.contains("error")) {
        responses[message["id"].is_number() ? message["id"].get<int>() : -1] = message;
      } else if (message["method"] == "textDocument/publishDiagnostics") {
        const fs::path path = to_path(message["params"]["uri"].get<std::string>());
        diagnostics[path.lexically_relative("/team").string()] = message["params"]["diagnostics"];
        ++published;
      } else {
        others.push_back(message);
      }
    }
  }

  MemoryFiles files_;
  std::map<std::string, std::string> texts_;
  Server server_;
  int requests_ = 0;
  int version_ = 1;
};

}  // namespace agneto::lsp
