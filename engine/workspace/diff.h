// A diff that is fit to be read: by a model with a limited window, and by a person.
#pragma once

#include <string>
#include <string_view>

#include "workspace/git.h"
#include "workspace/workspace.h"

namespace agneto::workspace {

constexpr std::size_t diff_limit = 200 << 10;  // bytes

// What differs from one commit or tree to another. Binary files and those over 16 MiB are named,
// not shown; the text is cut to diff_limit. `base` and `head` are left for the caller.
Changes compare(const Git& git, const std::string& from, const std::string& to);

// The same without the text.
struct Names {
  std::vector<std::string> files;
  std::vector<std::string> repositories;  // new in `to`, which holds no more than a pointer to each
};
Names changed_names(const Git& git, const std::string& from, const std::string& to);

// At most `limit` bytes of a unified diff, and notes on what was cut: whole lines, and room shared
// fairly among the files.
std::string bounded_diff(std::string_view diff, std::size_t limit);

}  // namespace agneto::workspace
