// Which file stands at a path: another one may come to stand there by the same name.
#pragma once

#include <filesystem>
#include <optional>
#include <utility>

namespace agneto {

using Inode = std::pair<unsigned long, unsigned long>;  // device and number

// Nothing where there is no file, or it cannot be seen.
std::optional<Inode> inode_of(const std::filesystem::path& file);
// Of a file that is open.
Inode inode_of(int descriptor);

}  // namespace agneto
