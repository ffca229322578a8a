// Tokens, by which people and programs reach the runs over the network.
#pragma once

#include <optional>
#include <string>

#include "journal/journal.h"

namespace agneto::serve {

// What a token is good for: each for what those before it are, too.
enum class Scope { read, answer, submit, admin };

std::string_view name_of(Scope scope);
// Nothing where it is none.
std::optional<Scope> scope_of(std::string_view text);

struct Bearer {
  std::string name;
  Scope scope = Scope::read;
};

// That its token is not good for what needs another scope, for people.
std::string too_little(const Bearer& bearer, Scope needed);

// A new token. It can be read here and nowhere else. Throws Error where the name is taken, or is no
// name.
std::string make_token(journal::Grants& grants, const std::string& name, Scope scope, Time now);

// Finds out who has that token; nothing where nobody has.
std::optional<Bearer> bearer_of(journal::Grants& grants, const std::string& token);

}  // namespace agneto::serve
