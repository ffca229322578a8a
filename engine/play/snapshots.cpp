#include "play/snapshots.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/line_diff.h"
#include "base/text.h"

namespace agneto::play {

namespace {

constexpr std::string_view heading = "## ";

// Longer than any in the text.
std::string fence_of(const std::string& text) {
  std::size_t longest = 2, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return std::string(longest + 1, '`');
}

Failure differing(const Text& name, std::string message, std::string help,
                  std::vector<std::string> details) {
  Failure failure;
  failure.diagnostic.message = std::move(message);
  failure.diagnostic.span = name.span;
  failure.diagnostic.help = std::move(help);
  failure.details = std::move(details);
  return failure;
}

}  // namespace

fs::path snapshots_of(const fs::path& test_file) {
  std::string name = test_file.filename().string();
  name = name.substr(0, name.rfind(".test.yaml"));
  return test_file.parent_path() / (name + ".prompts.md");
}

Snapshots::Snapshots(const Files& files, const fs::path& test_file)
    : file_(snapshots_of(test_file)),
      test_file_(test_file),
      before_(files.read(file_).value_or("")) {
  read(before_);
}

// What is no heading with a fenced block below it is passed over.
void Snapshots::read(const std::string& page) {
  std::string name, fence, text;
  bool open = false;
  for (const std::string_view line : split_lines(page)) {
    if (open && line == fence) {
      open = false;
      if (!text.empty()) text.pop_back();
      if (reviewed_.emplace(name, text).second) order_.push_back(name);
      name.clear();
    } else if (open) {
      text += line;
      text += '\n';
    } else if (line.starts_with(heading)) {
      name = line.substr(heading.size());
    } else if (!name.empty() && line.starts_with("```")) {
      fence = line.substr(0, line.find_first_not_of('`'));
      text.clear();
      open = true;
    }
  }
}

std::vector<Failure> Snapshots::differences(const Result& result) const {
  std::vector<Failure> failures;
  for (const auto& [name, text] : result.prompts) {
    const auto reviewed = reviewed_.find(name.text);
    if (reviewed == reviewed_.end()) {
      failures.push_back(
          differing(name, "the prompt '" + name.text + "' is not in " + file_.filename().string(),
                    "'agneto test --update' writes it there; read it then", {}));
    } else if (reviewed->second != text) {
      failures.push_back(differing(
          name, "the prompt '" + name.text + "' is another in " + file_.filename().string(),
          "where it is meant, 'agneto test --update' writes it there",
          line_diff(reviewed->second, text, 1)));
    }
  }
  return failures;
}

std::vector<Failure> Snapshots::update(const Result& result) {
  std::vector<Failure> failures;
  for (const auto& [name, text] : result.prompts) {
    const auto [seen, is_new] = seen_.emplace(name.text, text);
    if (is_new) {
      if (!reviewed_.contains(name.text)) order_.push_back(name.text);
      reviewed_[name.text] = text;
    } else if (seen->second != text) {
      failures.push_back(differing(name, "another prompt is kept as '" + name.text + "', too",
                                   "give this one a name of its own",
                                   line_diff(seen->second, text, 1)));
    }
  }
  return failures;
}

void Snapshots::forget_others() {
  std::erase_if(order_, [&](const std::string& name) { return !seen_.contains(name); });
}

std::string Snapshots::page() const {
  if (order_.empty()) return {};
  std::string page = fmt::format(
      "# What agents are told in {}\n\n"
      "`agneto test --update` writes this page. Read what it changes here as you would read "
      "code.\n",
      test_file_.filename().string());
  for (const std::string& name : order_) {
    const std::string& text = reviewed_.at(name);
    const std::string fence = fence_of(text);
    page += fmt::format("\n{}{}\n\n{}text\n{}\n{}\n", heading, name, fence, text, fence);
  }
  return page;
}

}  // namespace agneto::play
