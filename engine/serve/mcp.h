// The runs of a folder for clients of agents: the Model Context Protocol, version 2025-06-18.
#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "journal/journal.h"
#include "run/assembly.h"
#include "serve/desk.h"
#include "serve/token.h"

namespace agneto::serve {

// Ends a request with that answer.
class Refused : public std::runtime_error {
 public:
  Refused(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

// What answers one client. It is used by one thread.
class Mcp {
 public:
  struct World {
    fs::path folder;
    const run::Resources& resources;  // outlives it
    std::string version;              // of this program
    // What the runs are seen through, which outlives it; nothing: what is made once there are runs.
    const Desk* desk = nullptr;
    // Who asks over the network; nothing: the person who has started this program.
    std::optional<Bearer> bearer = {};
  };
  // Speaks a version of the protocol until another one is agreed upon.
  explicit Mcp(World world, std::string protocol = newest);
  static const char* const newest;
  static bool speaks(std::string_view protocol);

  // The answer to what came in a line; nothing where there is none to be given. Never throws for
  // what is in the line.
  std::optional<Json> answer(std::string_view line);
  // The answer to a line that is longer than this. The rest of it is not to be kept.
  static constexpr std::size_t longest_line = 4 * 1024 * 1024;
  static Json too_long();

 private:
  // What a tool found or did.
  struct Told {
    Json data;
    std::string text = {};  // empty: the data's own
  };
  struct Tool {
    std::string name;
    std::string title;
    std::string description;
    Json properties;
    std::vector<std::string> required;
    Scope scope;    // that a token must have for it
    bool destroys;  // so that clients ask a person before
    Told (Mcp::*call)(Body& arguments);
  };
  static const std::vector<Tool>& tools();  // besides those of the workflows

  std::optional<Json> answer_one(const Json& message);
  Json result_of(const std::string& method, const Json& params);
  Json initialize(const Json& params);
  Json list_tools() const;
  Json call_tool(const Json& params);
  Told called(const std::string& name, Body& arguments);
  Told queue(const std::string& workflow, Body& arguments);
  Json list_resources();
  Json read_resource(const Json& params);

  Told list_runs(Body& arguments);
  Told show_run(Body& arguments);
  Told read_log(Body& arguments);
  Told read_diff(Body& arguments);
  Told answer_question(Body& arguments);
  Told send_event(Body& arguments);
  Told suspend_run(Body& arguments);
  Told resume_run(Body& arguments);
  Told abort_run(Body& arguments);
  using Steering = Json (Desk::*)(const journal::RunRecord&, Body&, const std::string&) const;
  Told steered(Body& arguments, Steering steer);

  bool has_runs();
  bool may(Scope scope) const;
  void require(Scope scope) const;  // throws Error
  // Both throw Error where there are no runs, or not that one.
  const Desk& desk();
  journal::RunRecord run_of(Body& arguments);
  // Who steers, for the record: the person, and the program that speaks for them.
  std::string by() const;

  const World world_;
  // Both nothing where a desk is given, and as long as there has been no run.
  std::shared_ptr<journal::Journal> journal_;
  std::optional<Desk> desk_;
  std::string protocol_;  // its version, as it was agreed upon
  std::string client_;    // what it calls itself
};

// Serves lines of `in` until it ends, or nobody reads `out`. Throws Error where it cannot be read.
void serve(Mcp& mcp, int in, int out);

// What is answered to the messages that one request has: the protocol's "Streamable HTTP", without
// sessions and streams. Throws nothing for what is in the request.
HttpResponse answer_over_http(Mcp::World world, const HttpRequest& request);

}  // namespace agneto::serve
