#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lint/check.h"

namespace agneto::lint {

namespace {

bool is_event_name(const std::string& name) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && is_letter(static_cast<unsigned char>(name[0])) && name.back() != '.' &&
         std::all_of(name.begin(), name.end(), [&](unsigned char c) {
           return is_letter(c) || std::isdigit(c) != 0 || c == '.' || c == '-';
         });
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    for (const Raised& one : subject.raised(machine).all()) {
      if (one.function == "cancel" || !one.name || is_event_name(*one.name)) continue;
      diagnostics
          .warning(bad_event.name, place(*one.piece, *one.call),
                   fmt::format("'{}' is no event's name, and to {} it is an error", *one.name,
                               one.function))
          .help = "a name is letters, digits, '_', '-' and dots, and begins with a letter";
    }
  }
}

}  // namespace

const Check bad_event = {"bad-event", check};

}  // namespace agneto::lint
