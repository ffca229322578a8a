// file:///home/ada/flow.yaml and /home/ada/flow.yaml.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace agneto::lsp {

// Lexically normal; empty where the URI names no file of this machine.
std::filesystem::path to_path(std::string_view uri);
std::string to_uri(const std::filesystem::path& path);

}  // namespace agneto::lsp
