#include "run/secrets.h"

#include <unistd.h>

#include <algorithm>
#include <system_error>

#include "model/settings_json.h"
#include "run/assembly.h"

namespace agneto::run {
namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::string_view capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz";

bool has_any(std::string_view text, std::string_view bytes) {
  return text.find_first_of(bytes) != std::string_view::npos;
}

// A file, an address without a password, "$NAME", "{env:NAME}" or NAME_OF_A_VARIABLE.
bool only_names_something(const std::string& value) {
  if (has_any(value, "$") || value.starts_with("{")) return true;
  if (value.find("://") != std::string::npos) return true;
  if (value.starts_with("/") || value.starts_with("~") || value.starts_with(".")) {
    std::error_code ignored;
    return value.front() != '/' || fs::exists(value, ignored);
  }
  const bool variable = value.find_first_not_of(std::string(capitals) + std::string(digits) +
                                                "_") == std::string::npos;
  return variable && has_any(value, "_") && has_any(value, capitals);
}

bool looks_random(const std::string& value) {
  constexpr std::size_t long_enough = 16;
  return value.size() >= long_enough && has_any(value, digits) && has_any(value, capitals) &&
         has_any(value, small_letters) && !has_any(value, " \t\n");
}

class Collector {
 public:
  void value(const std::string& name, const std::string& value) {
    const bool number = value.find_first_not_of(digits) == std::string::npos;
    if (value.size() < Redactor::shortest || number || only_names_something(value)) return;
    found.emplace(value, name.substr(std::min(name.find_first_not_of('-'), name.size())));
  }

  // `among_variables`: they go to a provider's environment.
  void options(const std::string& name, const Json& json, bool among_variables) {
    if (json.is_string()) {
      const auto& text = json.get_ref<const std::string&>();
      if (names_a_secret(name) || (among_variables && looks_random(text))) value(name, text);
      words(text);
    } else if (json.is_array()) {
      std::string before;
      for (const auto& item : json) {
        options(before.starts_with("-") ? before : name, item, false);
        before = item.is_string() ? item.get<std::string>() : "";
      }
    } else if (json.is_object()) {
      for (const auto& [key, item] : json.items()) options(key, item, name == "env");
    }
  }

  // NAME=VALUE, as in a shell's text.
  void words(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find_first_of(" \t\n;&|", at), text.size());
      const auto word = text.substr(at, end - at);
      at = end + 1;
      const auto equals = word.find('=');
      if (equals == std::string_view::npos || !names_a_secret(word.substr(0, equals))) continue;
      auto given = word.substr(equals + 1);
      while (!given.empty() && has_any(given.substr(0, 1), "\"'")) given.remove_prefix(1);
      while (!given.empty() && has_any(given.substr(given.size() - 1), "\"'")) {
        given.remove_suffix(1);
      }
      value(std::string(word.substr(0, equals)), std::string(given));
    }
  }

  std::map<std::string, std::string> found;
};

std::map<std::string, std::string> environment() {
  std::map<std::string, std::string> all;
  for (char** variable = environ; variable && *variable; ++variable) {
    const std::string_view text = *variable;
    const auto equals = text.find('=');
    if (equals != std::string_view::npos) {
      all.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return all;
}

}  // namespace

std::map<std::string, std::string> known_secrets(
    const Config& config, const std::map<std::string, std::string>& environment) {
  Collector collector;
  for (const auto& [provider, options] : config.providers) {
    collector.options(provider, options, false);
  }
  const auto settings_of = [&](const AgentSettings& all,
                               const std::map<std::string, AgentSettings>& agents) {
    collector.options("", model::to_json(all), false);
    for (const auto& [agent, settings] : agents) {
      collector.options(agent, model::to_json(settings), false);
    }
  };
  settings_of(config.all, config.agents);
  for (const auto& [name, own] : config.workflows) settings_of(own.all, own.agents);
  for (const Way& way : config.ways) {
    if (!way.secret.starts_with('$')) collector.value("secret", way.secret);
  }
  collector.words(config.setup);
  collector.words(config.verify);
  for (const auto& [name, value] : environment) {
    if (names_a_secret(name)) collector.value(name, value);
  }
  return collector.found;
}

Redactor redactor_of(const Config& config) {
  return Redactor(known_secrets(config, environment()));
}

Redactor redactor_for(const fs::path& folder) {
  Diagnostics diagnostics;
  const Config config = load_config(config_file(checkout_of(folder)), Disk(), diagnostics);
  return redactor_of(config);
}

}  // namespace agneto::run
