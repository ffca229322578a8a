#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/check.h"

namespace agneto::lint {

namespace {

using lua::Node;

// The `id` in the options of a `send`. False where it cannot be said.
bool read_id(const Node& call, std::vector<std::string>& ids) {
  if (call.children.size() < 4) return true;
  const Node& options = call.children[3];
  if (options.kind != Node::Kind::table) return false;
  for (const Node& field : options.children) {
    if (field.children.size() != 2) continue;
    const std::string* key = lua::literal_text(field.children[0]);
    if (!key) return false;
    if (*key != "id") continue;
    const std::string* id = lua::literal_text(field.children[1]);
    if (!id) return false;
    ids.push_back(*id);
  }
  return true;
}

void check(const Subject& subject, Diagnostics& diagnostics) {
  for (const model::Machine& machine : subject.system.machines) {
    const std::vector<Raised>& all = subject.raised(machine).all();
    std::vector<std::string> ids;
    const bool known = std::all_of(all.begin(), all.end(), [&](const Raised& one) {
      return one.call && (one.function != "send" || read_id(*one.call, ids));
    });
    if (!known) continue;
    for (const Raised& one : all) {
      if (one.function != "cancel" || !one.name) continue;
      if (std::find(ids.begin(), ids.end(), *one.name) != ids.end()) continue;
      diagnostics
          .warning(unsent_id.name, place(*one.piece, *one.call),
                   fmt::format("nothing is sent with the id '{}', so that nothing is cancelled",
                               *one.name))
          .help = ids.empty() ? "name what is sent: send(\"event\", null, {id = \"x\"})"
                              : suggestion(*one.name, ids, "ids");
    }
  }
}

}  // namespace

const Check unsent_id = {"unsent-id", check};

}  // namespace agneto::lint
