// What a request says, read key by key: nothing in it is read over.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "serve/http.h"

namespace agneto::serve {

// A request that is wrong whatever the runs are: answered with 422.
class Unusable : public Error {
 public:
  using Error::Error;
};

// A request that says something twice, and might mean either: answered with 400.
class Ambiguous : public Error {
 public:
  using Error::Error;
};

// There is no such thing: answered with 404.
class NotFound : public Error {
 public:
  using Error::Error;
};

// The JSON object in a request's body; an empty body is an empty one. Throws Unusable,
// or Ambiguous where one of its objects has a key twice.
class Body {
 public:
  explicit Body(const std::string& text);
  // One that was read already.
  static Body of(Json object);

  // Each throws Unusable where the value is of another kind.
  std::optional<std::string> text(const std::string& key);
  std::optional<std::int64_t> number(const std::string& key);
  bool flag(const std::string& key, bool unless_said);
  Json value(const std::string& key);
  // The members of an object, those that are no text as JSON; null is as if it were not there.
  std::map<std::string, std::string> texts(const std::string& key);
  // The texts of a list.
  std::vector<std::string> list(const std::string& key);
  // Where there is a key that nobody has read.
  void end() const;

 private:
  Body() = default;
  const Json* find(const std::string& key);

  Json json_;
  std::set<std::string> known_;
};

// "%20" and "+" of a query are spaces.
std::string decoded(const std::string& text, bool of_query);

// A number in the query, from `least` on. Throws Unusable.
std::int64_t number_in(const HttpRequest& request, const std::string& name, std::int64_t least,
                       std::int64_t unless_said);
// Texts of that name in the query, divided by commas.
std::vector<std::string> texts_in(const HttpRequest& request, const std::string& name);
std::string text_in(const HttpRequest& request, const std::string& name);

}  // namespace agneto::serve
