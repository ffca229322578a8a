#include "serve/token.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/text.h"
#include "run/new_run.h"

namespace agneto::serve {

namespace {

constexpr std::array<std::string_view, 4> names = {"read", "answer", "submit", "admin"};
constexpr int digits = 48;  // hexadecimal ones
constexpr std::size_t longest_token_name = 64;

}  // namespace

std::string_view name_of(Scope scope) {
  return names[static_cast<std::size_t>(scope)];
}

std::optional<Scope> scope_of(std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Scope>(found - names.begin());
}

std::string too_little(const Bearer& bearer, Scope needed) {
  return fmt::format("the token '{}' is for '{}', and this needs '{}'", bearer.name,
                     name_of(bearer.scope), name_of(needed));
}

std::string make_token(journal::Grants& grants, const std::string& name, Scope scope, Time now) {
  const bool is_line = printable(name) == name && name.find_first_of("\t\n") == std::string::npos;
  if (name.empty() || name.size() > longest_token_name || !is_line || trim(name) != name) {
    throw Error("'" + printable(name) + "' cannot be a token's name",
                "it is for people: a word or two that say whose token it is");
  }
  // Its beginning tells those who find it somewhere what it is.
  std::string token = "agneto_" + run::random_hex(digits);
  grants.grant({name, std::string(name_of(scope)), sha256(token), now});
  return token;
}

std::optional<Bearer> bearer_of(journal::Grants& grants, const std::string& token) {
  const std::string hash = sha256(token);
  for (const journal::Grant& grant : grants.grants()) {
    const auto scope = scope_of(grant.scope);
    if (grant.hash == hash && scope) return Bearer{grant.name, *scope};
  }
  return std::nullopt;
}

}  // namespace agneto::serve
