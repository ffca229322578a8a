#include "run/new_run.h"

#include <cctype>
#include <fstream>
#include <random>
#include <system_error>
#include <utility>

#include "run/assembly.h"
#include "run/leftovers.h"

namespace agneto::run {

namespace fs = std::filesystem;

namespace {

std::string id_words_of(const std::string& task) {
  std::string slug;
  for (char c : task.substr(0, task.find('\n'))) {
    bool word = std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<signed char>(c) > 0;
    if (word) slug += static_cast<char>(std::tolower(c));
    if (!word && !slug.empty() && slug.back() != '-') slug += '-';
    if (slug.size() >= 32) break;
  }
  while (slug.ends_with('-')) slug.pop_back();
  return slug.empty() ? "run" : slug;
}

}  // namespace

bool is_run_id(std::string_view text) {
  constexpr std::size_t longest = 100;
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !text.empty() && text.size() <= longest && text.front() != '-' &&
         std::ranges::all_of(text, is_part);
}

std::string random_hex(int digits) {
  static const char* const alphabet = "0123456789abcdef";
  std::random_device device;
  std::string text;
  for (int i = 0; i < digits; ++i) text += alphabet[device() % 16];
  return text;
}

StartMark::StartMark(fs::path file) : file_(std::move(file)) {
  std::ofstream(file_) << "\n";
}

StartMark::~StartMark() {
  std::error_code none;
  fs::remove(file_, none);
}

NewRun claim_run(const fs::path& root, const fs::path& home, journal::Journal& journal,
                 const std::string& task, const std::function<std::string(int)>& hex) {
  for (const auto& id : failed_starts(home, journal)) clear_failed_start(root, home, journal, id);
  const std::string words = id_words_of(task);
  // Where many runs have these words, such as a schedule's, few of the short ones are left.
  constexpr int tries_of_short_ones = 8;
  for (int tries = 0;; ++tries) {
    std::string id = words + "-" + hex(tries < tries_of_short_ones ? 4 : 8);
    try {
      auto hold = journal.hold(id);
      if (journal.find(id)) continue;
      std::error_code told_by_what_is_made_there;
      fs::create_directories(home / "worktrees", told_by_what_is_made_there);
      auto mark = std::make_unique<StartMark>(mark_of_start(home, id));
      return {std::move(id), std::move(hold), std::move(mark)};
    } catch (const journal::Locked&) {
      // Another start took the lock file for one that was left behind, or the same digits.
    }
  }
}

}  // namespace agneto::run
