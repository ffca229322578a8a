// What differs between two texts, line by line, for people.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace agneto {

// "  same", "- only before", "+ only after", in order, with at most `context` equal lines around
// each change and "  …" for those left out. None where the texts are equal. Texts that differ in
// very many places are given one after the other.
std::vector<std::string> line_diff(std::string_view before, std::string_view after,
                                   std::size_t context = 3);

// What differs as `diff -u` writes it and `patch` reads it; empty where the texts are equal.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace agneto
