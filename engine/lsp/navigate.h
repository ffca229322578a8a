// Finds where a word is declared, and where else it stands.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "lsp/outline.h"
#include "lsp/position.h"

namespace agneto::lsp {

// A function that a hook module's text holds.
struct HookFunction {
  std::string task;  // empty: of the only job
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Where the jobs of a module are written: `prompt` of the table that it returns, and each of its
// `tasks`. None where the text is no Lua at the moment.
std::vector<HookFunction> hook_functions(std::string_view text);

// Where the word at the offset is declared. A state, an agent, an option, an input and a context
// entry are declared where they get their name; an event where something makes it; a task and hooks
// at the function in the Lua file; a file at its beginning. Empty where there is none.
std::vector<Target> definitions(const OutlinePtr& outline, std::size_t offset, Outlines& outlines);

// Every mention of what stands there, in the file that it comes from and in those of `files` that
// extend that one; of a machine, a hook module or a task of one in all of `files`.
std::vector<Target> references(const OutlinePtr& outline, std::size_t offset, bool declarations,
                               const std::set<fs::path>& files, Outlines& outlines);

// What calls the job whose function stands there in a hook module: tasks in `machines`, or their
// agents where it is the only job.
std::vector<Target> callers(const fs::path& module, std::string_view text, std::size_t offset,
                            const std::vector<OutlinePtr>& machines);

// Where the hook module of the agent is named that is called at this place; null where none is.
const yaml::Node* hooks_of(const Outline& outline, const NodeContext& place);

// The machine that the mention names as the one to delegate to, or to extend; null: it is not
// there.
OutlinePtr machine_of(const OutlinePtr& outline, const Mention& mention, Outlines& outlines);

// The events that the transition around the place takes; none where there is no such transition.
std::vector<std::string> events_around(const NodeContext& place);

// How a mention of a state leads there: "`A` on `REVISE`", "`initial` of the machine"; empty where
// it does not.
std::string way(const Mention& mention);

// What a person wants to know of the word there, as Markdown, and where the word stands.
struct Hover {
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::optional<Hover> hover(const OutlinePtr& outline, std::size_t offset, Outlines& outlines);

// What a machine's file declares, for an overview: its data, its agents and its states, one inside
// of the other, as the protocol's DocumentSymbol[].
Json symbols(const Outline& outline, const LineIndex& lines);

}  // namespace agneto::lsp
