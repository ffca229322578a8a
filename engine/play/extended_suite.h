// `extends` in a test file: the cases of another test file, played on the workflow of this one.
#pragma once

#include <memory>
#include <vector>

#include "base/diagnostic.h"
#include "base/files.h"
#include "yaml/tree.h"

namespace agneto::play {

// The test file's tree, laid over that of the file that it extends, and so on: `defaults` and named
// `steps` are merged by key; the other's cases come first, but for those that have the name of one
// here or that `without` names, and without the prompts that are kept for them. Null, and reported,
// where a file cannot be read. `library`: the hook library of this program, beside which are the
// workflows that come with it. `sources`: what the tree's places are in is added.
struct WholeSuite {
  std::unique_ptr<yaml::Node> tree;
  Span extends = {};  // what the file says that it extends; nowhere: nothing
};
WholeSuite whole_suite(const fs::path& file, const SourcePtr& source, const Files& files,
                       const fs::path& library, std::vector<SourcePtr>& sources,
                       Diagnostics& diagnostics);

}  // namespace agneto::play
