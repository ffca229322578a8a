// The lines of a scalar as they are written, each found again in its text.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "yaml/tree.h"

namespace agneto::model {

struct WrittenLine {
  std::string_view words;  // as written, without the space around them
  std::size_t begin = 0;   // of the words in the scalar's text
  std::size_t whole = 0;   // of the line of the text that they are in
  bool is_joined = false;  // is that the line of the words before them, too?
};

// Those that are not empty, and stand in the text as they are written. They look into the source.
std::vector<WrittenLine> written_lines(const yaml::Node& scalar);

}  // namespace agneto::model
