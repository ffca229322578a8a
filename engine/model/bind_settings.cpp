#include "model/bind_settings.h"

#include <fmt/format.h>

#include "model/keys.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"

namespace agneto::model {

namespace {

using yaml::Entry;
using yaml::Kind;
using yaml::Node;

class Settings {
 public:
  Settings(AgentSettings& settings, Diagnostics& diagnostics)
      : settings_(settings), diagnostics_(diagnostics) {}

  void read(std::string_view key, const Node& value) {
    if (key == "provider") settings_.provider = text(value);
    if (key == "model") settings_.model = text(value);
    if (key == "effort") settings_.effort = text(value);
    if (key == "instructions") settings_.instructions = text(value);
    if (key == "args") settings_.args = texts(value);
    if (key == "tools") settings_.tools = tools(value);
    if (key == "retry") settings_.retry.lay(read_retry(value, Tried::agent, diagnostics_));
    if (key == "tries") settings_.retry.tries = read_tries(value, Tried::agent, diagnostics_);
    if (key == "env") {
      settings_.env = named_texts(value);
      note(key, value);
    }
    if (key == "mcp") {
      for (const auto& [name, server] : value.entries) read_server(name, server);
      note(key, value);
    }
    settings_.places.insert_or_assign(std::string(key), value.span);
  }

 private:
  std::string text(const Node& value) {
    std::string written(as_text(value).value_or(""));
    if (written.find("{{") != std::string::npos) {
      diagnostics_.report(rules::literal_setting, value.span,
                          "how an agent is reached is literal, so that '{{' stays as it is",
                          "what changes from call to call belongs into its prompt");
    }
    return written;
  }

  std::vector<std::string> texts(const Node& value) {
    std::vector<std::string> all;
    for (const Node& item : value.items) all.push_back(text(item));
    return all;
  }

  std::vector<std::string> tools(const Node& value) {
    std::vector<std::string> all;
    for (const Node& item : value.items) {
      if (item.kind != Kind::scalar) continue;
      if (!can_be_tool(item.text)) {
        diagnostics_.report(rules::wrong_kind, item.span,
                            "'tools' must be names of tools, such as WebSearch");
      }
      all.push_back(text(item));
    }
    return all;
  }

  std::map<std::string, std::string> named_texts(const Node& value) {
    std::map<std::string, std::string> all;
    for (const auto& [name, each] : value.entries) all[name.text] = text(each);
    return all;
  }

  void note(std::string_view key, const Node& names) {
    for (const Entry& entry : names.entries) {
      settings_.places.insert_or_assign(fmt::format("{}.{}", key, entry.key.text), entry.key.span);
    }
  }

  void read_server(const Node& name, const Node& node) {
    if (!is_name(name.text, false) && is_name(name.text, true)) {
      diagnostics_.report(rules::bad_name, name.span,
                          fmt::format("'{}' cannot name an MCP server", name.text),
                          "its tools are called by its name, which has no dots");
    }
    if (node.kind != Kind::map) return;
    check_server(name, node);
    McpServer server;
    for (const auto& [key, value] : node.entries) {
      if (key.text == "command") server.command = texts(value);
      if (key.text == "url") server.url = text(value);
      if (key.text == "env") server.env = named_texts(value);
      if (key.text == "headers") server.headers = named_texts(value);
    }
    settings_.mcp[name.text] = std::move(server);
  }

  void check_server(const Node& name, const Node& node) {
    const Construct& kind = construct(ConstructId::mcp_server);
    const Node* command = node.find("command");
    const Node* url = node.find("url");
    if (command && url) {
      diagnostics_.report(rules::one_of, url->span,
                          "an MCP server is a program or at an address, and this one is both",
                          "keep one of `command` and `url`");
    } else if (!has_or_means(node, kind, "command") && !has_or_means(node, kind, "url")) {
      diagnostics_.report(rules::one_of, name.span, "an MCP server needs one of command, url");
    }
    const auto misplaced = [&](const Node* there, std::string_view key, std::string_view what,
                               std::string_view help) {
      const Entry* entry = there ? find_entry(node, key) : nullptr;
      if (entry) {
        diagnostics_.report(rules::mcp_server, entry->key.span, std::string(what),
                            std::string(help));
      }
    };
    if (!command) {
      misplaced(url, "env", "`env` is a program's, and this MCP server is at an address",
                "what it must be told goes into `headers`");
    }
    if (!url) {
      misplaced(command, "headers", "`headers` go to an address, and this MCP server is a program",
                "what it must be told goes into `env`");
    }
    const auto address = url ? as_text(*url) : std::nullopt;
    if (address && !address->starts_with("http://") && !address->starts_with("https://")) {
      diagnostics_.report(rules::mcp_server, url->span,
                          "the address of an MCP server begins with http:// or https://",
                          "a program that is started is a `command`: [PROGRAM, ARGUMENT]");
    }
  }

  static const Entry* find_entry(const Node& node, std::string_view key) {
    for (const Entry& entry : node.entries) {
      if (entry.key.text == key) return &entry;
    }
    return nullptr;
  }

  AgentSettings& settings_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_setting(AgentSettings& settings, std::string_view key, const Node& value,
                  Diagnostics& diagnostics) {
  Settings(settings, diagnostics).read(key, value);
}

}  // namespace agneto::model
