// How people are told of runs that nobody sits in front of: what .agneto/config.yaml says of it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "yaml/reader.h"

namespace agneto::run {

// What is told.
inline const std::vector<std::string>& occasions() {
  static const std::vector<std::string> all = {"gate", "end", "failure", "limit", "suspended"};
  return all;
}

struct Way {
  enum class Kind { none, command, desktop, webhook, mail };
  Kind kind = Kind::none;
  std::vector<std::string> command = {};
  std::string target = {};  // the webhook's URL, or the address; "$NAME": of the environment
  std::string secret = {};  // the same of what a webhook's body is signed with; empty: it is not
  std::set<std::string> on = {};         // empty: all of them
  std::set<std::string> workflows = {};  // empty: of all of them

  // The same for the same way, also after a restart.
  std::string id() const;
  // "webhook", "command notify.sh": for people, without a secret.
  std::string name() const;
};

struct NamedWorkflow {
  std::string text;
  Span place;
};
// `workflows` gets those that are named.
void read_ways(yaml::Reader& reader, const yaml::Node& node, std::vector<Way>& ways,
               std::vector<NamedWorkflow>& workflows);
// Where people reach the server: `serve.url`, without a slash at its end.
void read_base_url(yaml::Reader& reader, const yaml::Node& node, std::string& url);

// The value of the environment's variable where the text is "$NAME", else the text. Throws Error
// where there is none.
std::string resolved(const std::string& text);

}  // namespace agneto::run
