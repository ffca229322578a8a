// Which test files the arguments of `agneto test` mean.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "cli/commands.h"

namespace agneto::cli {

bool is_lua_test(const fs::path& path);

// Test files as they are, also those of a team's own rules (lint/team/rule_test.h); those below a
// folder, but of hidden folders only a team's own; those of a workflow, by path or name, which are
// its scenarios and what stands beside its hooks. Without arguments those below the current folder,
// or, where there are none, those of the repository around it. In order, each once; `searched` gets
// the folders in which others would be found. Throws Error where there are none.
std::vector<fs::path> test_files(const std::vector<std::string>& wanted, const Context& context,
                                 const Files& files, std::set<fs::path>& searched);

}  // namespace agneto::cli
