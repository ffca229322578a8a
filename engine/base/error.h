// An error that a person can act on: thrown across the shell, caught once in `cli`.
//
// Not for findings in a file (Diagnostics) nor for what a run handles (outcomes).
#pragma once

#include <cerrno>
#include <stdexcept>
#include <string>

namespace agneto {

// Which exit status the program ends with; the numbers are documented.
enum class ExitStatus { complete = 0, failed = 1, usage = 2, suspended = 3, aborted = 4 };

class Error : public std::runtime_error {
 public:
  // `what`: what is wrong, one line. `help`: what to do about it, may be empty.
  explicit Error(std::string what, std::string help = {}, ExitStatus status = ExitStatus::usage)
      : std::runtime_error(std::move(what)), help_(std::move(help)), status_(status) {}

  const std::string& help() const { return help_; }
  ExitStatus status() const { return status_; }

 private:
  std::string help_;
  ExitStatus status_;
};

// Findings in files, rendered already (file, line, caret): shown as they are.
class InvalidFile : public Error {
 public:
  explicit InvalidFile(std::string rendered) : Error(std::move(rendered)) {}
};

// Something was cut off by the world around it, and can be done again: that is never an outcome of
// what was to be done.
class CutOff : public Error {
 public:
  using Error::Error;
};

// There is no room to write something; `what` says what, with its path.
class DiskFull : public CutOff {
 public:
  explicit DiskFull(const std::string& what, std::string help = "free some space on it")
      : CutOff(what + ": the disk is full", std::move(help), ExitStatus::failed) {}
};

// Does an errno value mean that?
inline bool is_disk_full(int cause) {
  return cause == ENOSPC || cause == EDQUOT;
}

}  // namespace agneto
