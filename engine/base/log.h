// The operator's log: what the engine does, for those who find out afterwards why something went
// wrong. What a person at the terminal is told goes elsewhere.
//
// Every layer writes here; a line goes nowhere until the program installs a sink (cli/log_file.h).
// A line never holds prompts, replies, answers, tasks or values of environment variables.
// All of it is thread-safe and throws nothing but std::bad_alloc.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"

namespace agneto::log {

enum class Level { debug, info, warning, error };

// Names and values that go with a message.
using Fields = std::vector<std::pair<std::string, Json>>;

struct Line {
  Level level = Level::info;
  std::string_view message;  // a constant of ours; what comes from elsewhere is a field
  std::string_view run;      // what it concerns: empty where that is no run
  std::string_view path;     // of an effect or a state in it; may be empty
  const Fields& fields;
};

class Sink {
 public:
  virtual ~Sink() = default;
  // Called by any thread, by several at once.
  virtual void write(const Line& line) noexcept = 0;
};

// From now on it gets all lines; null: nobody does.
void install(std::shared_ptr<Sink> sink);

void write(Level level, std::string_view message, const Fields& fields = {});
inline void debug(std::string_view message, const Fields& fields = {}) {
  write(Level::debug, message, fields);
}
inline void info(std::string_view message, const Fields& fields = {}) {
  write(Level::info, message, fields);
}
inline void warning(std::string_view message, const Fields& fields = {}) {
  write(Level::warning, message, fields);
}
inline void error(std::string_view message, const Fields& fields = {}) {
  write(Level::error, message, fields);
}

// While one lives, the lines of its thread concern that run, and that path in it.
class Scope {
 public:
  explicit Scope(std::string run, std::string path = {});
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  std::string run_, path_;  // of the scope around this one
};

}  // namespace agneto::log
