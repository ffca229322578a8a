// What a server does beside its runs, which never wait for it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "run/notify.h"

namespace agneto::serve {

class Background {
 public:
  // Works for the folder until it is destroyed. The clock outlives it.
  Background(std::filesystem::path folder, const std::filesystem::path& guard, Clock& clock);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // What the configuration says now: how people are told of runs, where they reach the server, and
  // how long what an ended run has left is kept (nothing: for good).
  void set(std::vector<run::Way> ways, std::string url, std::optional<Millis> keep);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace agneto::serve
