// What is known of the agent CLIs that come with a driver.
#pragma once

#include <string>
#include <vector>

namespace agneto::agents {

struct Tool {
  std::string program;  // also its provider's name
  std::string install;  // the command
  // That somebody is signed in shows in any of these: environment variables, and files in the home
  // directory. What it does not show in, such as a keychain, is not looked at.
  std::vector<std::string> keys;
  std::vector<std::string> files;
  std::string sign_in;  // how to: "run 'claude' and …"
};

// In the order in which "auto" looks for them.
const std::vector<Tool>& known_tools();

}  // namespace agneto::agents
