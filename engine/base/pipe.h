// What programs say to each other through file descriptors.
#pragma once

#include <string_view>

namespace agneto {

// False where the reader is gone, or it cannot be written.
bool write_all(int descriptor, std::string_view text);

}  // namespace agneto
