// Brings what is told to people: a program of theirs, their desktop, a webhook, a mail.
#pragma once

#include <filesystem>
#include <string>

#include "process/process.h"
#include "serve/notify/notifier.h"

namespace agneto::serve {

class Couriers : public Courier {
 public:
  // Programs run in `folder`. The runner outlives it.
  Couriers(process::Runner& runner, std::filesystem::path folder);

  void bring(const run::Way& way, const Json& told, std::stop_token stop) override;

 private:
  void run(std::vector<std::string> argv, std::string input, const std::stop_token& stop) const;

  process::Runner& runner_;
  const std::filesystem::path folder_;
};

// A mail as `sendmail -t` takes it. Whatever the texts are, each header is one line of ASCII.
std::string mail_of(const std::string& address, const Json& told);

// What a webhook's body is signed with: "sha256=" and the HMAC's hexadecimal digits.
std::string signature_of(const std::string& secret, const std::string& body);

}  // namespace agneto::serve
