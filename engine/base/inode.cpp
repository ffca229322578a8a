#include "base/inode.h"

#include <sys/stat.h>

namespace agneto {

std::optional<Inode> inode_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0) return std::nullopt;
  return Inode(status.st_dev, status.st_ino);
}

Inode inode_of(int descriptor) {
  struct stat status {};
  ::fstat(descriptor, &status);
  return {status.st_dev, status.st_ino};
}

}  // namespace agneto
