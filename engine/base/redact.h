// Secrets taken out of what is shown, logged or exported. The journal itself stays as it was.
//
// Two kinds are found: texts that are known to be secret, wherever they stand, and texts that have
// the shape of a key (docs/runs.md lists them). In their place stands what kind it was and, of a
// long one, its last four characters, so that people can tell two keys apart:
//
//   sk-ant-api03-x7Jd…   ->  [redacted: sk-…a1b2]
//   a known one          ->  [redacted: GITHUB_TOKEN]
#pragma once

#include <bitset>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace agneto {

// Immutable; thread-safe. What has been redacted comes out as it is: done twice is done once.
class Redactor {
 public:
  // Knows the shapes only.
  Redactor() : Redactor(std::map<std::string, std::string>()) {}
  // `known`: what a secret is called, by the secret. One shorter than `shortest` is left alone: it
  // would be found in ordinary words.
  explicit Redactor(const std::map<std::string, std::string>& known);

  // Reads the text once; nothing is copied where nothing is found.
  std::string text(std::string text) const;
  // All texts in it, the names of objects' members too.
  Json json(Json value) const;

  static constexpr std::size_t shortest = 8;

 private:
  struct Known {
    std::string secret, name;
  };
  struct Found {
    std::size_t begin = 0, size = 0;  // of the secret
    std::string instead;
  };
  bool find(std::string_view text, std::size_t from, Found& found) const;
  const Known* known_at(std::string_view text) const;
  void redact(Json& value) const;

  std::vector<Known> known_;   // by first byte, longest first
  std::bitset<65536> begins_;  // the two bytes that something to look at begins with
};

// Is that the name of something secret: API_KEY, apiToken, password? Its last word tells.
bool names_a_secret(std::string_view name);

}  // namespace agneto
