// How an agent is reached: with which provider, and what its program is given. A workflow says so
// of an agent and of a state's call, a configuration of everybody and of single agents.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/source.h"
#include "model/retry.h"

namespace agneto::model {

// A server of the Model Context Protocol, whose tools an agent may use: a program that its CLI
// starts, or one at an address.
struct McpServer {
  std::vector<std::string> command;  // the program and its arguments; empty: it is at the address
  std::map<std::string, std::string> env;  // of the program
  std::string url;
  std::map<std::string, std::string> headers;  // of requests to the address

  bool operator==(const McpServer&) const = default;
};

// {"command", "env"} or {"url", "headers"}, as drivers are given it.
Json to_json(const McpServer& server);

// All of it literal. What is empty, or not there, is not said.
struct AgentSettings {
  std::string provider;  // or "auto"
  std::string model;
  std::string effort;
  std::string instructions;
  std::optional<std::vector<std::string>> tools;  // as the provider calls them
  std::optional<std::vector<std::string>> args;   // of its program
  std::map<std::string, std::string> env;         // of its program
  std::map<std::string, McpServer> mcp;
  RetrySettings retry;

  // Where each is written: by its key, and of `env` and `mcp` by "env.NAME" and "mcp.NAME".
  std::map<std::string, Span, std::less<>> places;
  // Nothing where that is not known.
  Span place(std::string_view key) const;

  // Another provider than it had: what it calls a model, an effort or a tool, and the arguments
  // that its program takes, are not this one's.
  void change_provider(const std::string& name);
  // Lays those over these. What they say goes before, but instructions, which come behind these;
  // `env` and `mcp` by their names.
  void lay(const AgentSettings& stronger);
};

// A tool's name goes to a program as an argument, in a list or in a line of text.
bool can_be_tool(std::string_view name);

}  // namespace agneto::model
