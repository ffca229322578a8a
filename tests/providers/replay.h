// Plays what a real CLI printed (tests/e2e/fixtures) through a bundled driver.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "script/driver.h"
#include "support/paths.h"

namespace agneto::script {

inline std::string fixture(const std::string& name) {
  std::ifstream file(std::filesystem::path(AGNETO_SOURCE_DIR) / "tests/e2e/fixtures" / name);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << "no fixture " << name;
  return text.str();
}

inline Driver bundled(const std::string& name) {
  static const Disk disk;
  return Driver(name, disk, {std::filesystem::path(AGNETO_SOURCE_DIR) / "scripts/providers"});
}

inline DriverCall call_with(const std::string& access) {
  DriverCall call;
  call.agent = "coder";
  call.access = access;
  call.prompt = "Do it.";
  call.options = Json::object();
  return call;
}

// "tool Bash: make; end; result Done" and so on: one word a part, in the order in which they count.
inline std::string told(const std::vector<DriverEvent>& events) {
  std::string all;
  auto add = [&](const std::string& part) { all += (all.empty() ? "" : "\n") + part; };
  for (const auto& event : events) {
    if (event.session) add("session " + *event.session);
    if (event.tool_end) add("end");
    if (event.tool_denied) add("denied " + *event.tool_denied);
    if (event.note) add("note " + *event.note);
    if (event.tool_failed) add("failed " + *event.tool_failed);
    if (event.tool_start) add("tool " + *event.tool_start);
    if (event.text) add("text " + *event.text);
    if (event.cost) add(fmt::format("cost {:.4f}", *event.cost));
    if (event.input_tokens) add(fmt::format("in {}", *event.input_tokens));
    if (event.cached_tokens.value_or(0) > 0) add(fmt::format("cached {}", *event.cached_tokens));
    if (event.output_tokens) add(fmt::format("out {}", *event.output_tokens));
    if (event.session_lost) add("lost");
    if (event.error) add("error " + *event.error);
    if (event.away) add("away " + *event.away);
    if (event.wait) add("wait " + format_duration(*event.wait));
    if (event.refused) add("refused " + *event.refused);
    if (event.result) add("result " + *event.result);
  }
  return all;
}

// All that the driver makes of the lines, up to and including the one that ends the call.
inline std::string read(Driver& driver, const std::string& output) {
  std::vector<DriverEvent> all;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    for (auto& event : driver.event(line)) {
      all.push_back(event);
      if (event.result || event.error || event.away || event.refused) return told(all);
    }
  }
  return told(all);
}

// Why the driver gives no such tool; empty: it gives it.
inline std::string refusal_of_tool(const std::string& driver, const std::string& name) {
  return bundled(driver).refusal_of_tool(name).value_or("");
}

inline std::string argv(const DriverCommand& command) {
  std::string all;
  for (const auto& argument : command.argv) all += (all.empty() ? "" : " ") + argument;
  return all;
}

}  // namespace agneto::script
