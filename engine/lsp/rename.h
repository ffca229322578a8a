// Another name for a state, everywhere.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "lsp/outline.h"

namespace agneto::lsp {

// The state's name at the offset, for the person to edit. Throws RequestError where there stands
// none, or one of a file that this one extends.
Target renamable(const OutlinePtr& outline, std::size_t offset, Outlines& outlines);

// What has to be replaced by the name: the state, targets, `initial`, `default`, sessions,
// `state_in("…")` and `done.state.…`; and where the state ends the machine in an outcome of its
// name, the events that `files` take of it where they delegate to the machine; all of it also in
// those of `files` that extend this one. Throws RequestError,
// with the reason, where the name is none or is taken, a file cannot be read as YAML, or another
// state's event would be renamed too.
std::vector<Target> rename(const OutlinePtr& outline, std::size_t offset, const std::string& name,
                           const std::set<fs::path>& files, Outlines& outlines);

// What the renaming leaves as it was, a sentence for each file: scenario tests that hold the name,
// of the machine and of those among `files` that delegate to it.
std::vector<std::string> left_alone(const OutlinePtr& outline, const std::string& name,
                                    const std::set<fs::path>& files, Outlines& outlines);

}  // namespace agneto::lsp
