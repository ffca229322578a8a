#include <algorithm>

#include "base/text.h"
#include "lint/rule.h"

namespace agneto::lint {

namespace {

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

}  // namespace

extern const LintRule unsent_id = {
    {"W511", "unsent-id", "a `cancel` of what is never sent",
     R"(`cancel` takes back what was sent with that `id` and is not due yet. An id that no `send` of the machine
has cancels nothing.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      const std::vector<Raised>& all = context.raised(machine).all();
      std::vector<std::string> ids;
      const bool known = std::ranges::all_of(all, [&](const Raised& one) {
        return one.call && (one.function != "send" || read_id(*one.call, ids));
      });
      if (!known) return;
      for (const Raised& one : all) {
        if (one.function != "cancel" || !one.name) continue;
        if (std::ranges::find(ids, *one.name) != ids.end()) continue;
        report(place(*one.piece, *one.call),
               "nothing is sent with the id '{}', so that nothing is cancelled", *one.name)
            .help(ids.empty() ? "name what is sent: send(\"event\", null, {id = \"x\"})"
                              : suggestion(*one.name, ids, "ids"));
      }
    }};

}  // namespace agneto::lint
