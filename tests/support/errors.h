// What an Error says, whole: its message, and its help on a line below.
#pragma once

#include <string>

#include "base/error.h"

namespace agneto::testing {

// The message of the Error that `action` throws; empty where it throws none.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.help().empty() ? error.what() : std::string(error.what()) + "\n" + error.help();
  }
  return {};
}

}  // namespace agneto::testing
