#include "lsp/uri.h"

#include <fmt/format.h>

#include <charconv>

namespace agneto::lsp {

namespace {

constexpr std::string_view scheme = "file://";

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      result += static_cast<char>(value);
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::filesystem::path to_path(std::string_view uri) {
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  if (uri.starts_with("localhost/")) uri.remove_prefix(9);
  if (!uri.starts_with('/')) return {};
  return std::filesystem::path(decoded(uri.substr(0, uri.find_first_of("?#")))).lexically_normal();
}

std::string to_uri(const std::filesystem::path& path) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
  std::string result(scheme);
  for (const char c : path.generic_string()) {
    if (plain.find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return result;
}

}  // namespace agneto::lsp
