// docs/language.md says nothing that is not so: its machines load, and its messages are real.

#include <gmock/gmock.h>

#include <cstdlib>
#include <regex>

#include "base/text.h"
#include "lint/linting.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

struct Block {
  std::string info;  // what stands behind the ```
  std::string text;
};

std::string read_page() {
  return Disk().read(fs::path(AGNETO_SOURCE_DIR) / "docs" / "language.md").value_or("");
}

std::vector<Block> blocks_of(const std::string& page) {
  std::vector<Block> blocks;
  bool inside = false;
  for (const std::string_view line : split_lines(page)) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({std::string(line.substr(3)), ""});
    } else if (inside) {
      blocks.back().text += std::string(line) + "\n";
    }
  }
  return blocks;
}

// "# review.yaml" as its first line gives a machine its name; else it has none.
std::string file_of(const Block& block) {
  const std::string_view first = split_lines(block.text).front();
  return first.starts_with("# ") && first.ends_with(".yaml") ? std::string(first.substr(2)) : "";
}

// The page's named machines, and every hook module that `text` mentions.
std::map<std::string, std::string> files_for(const std::string& text,
                                             const std::vector<Block>& blocks) {
  std::map<std::string, std::string> files;
  const auto add_hooks = [&](const std::string& in) {
    static const std::regex hooks("hooks: ([^,} \\n]+)");
    for (std::sregex_iterator at(in.begin(), in.end(), hooks), end; at != end; ++at) {
      files[(*at)[1]] =
          "local function text(m) return tostring(m.inputs) .. tostring(m.ctx) end\n"
          "local job = {prompt = text}\n"
          "return {prompt = job.prompt, tasks = {notes = job}}\n";
    }
  };
  add_hooks(text);
  for (const Block& block : blocks) {
    if (block.info != "yaml" || file_of(block).empty()) continue;
    files[file_of(block)] = block.text;
    add_hooks(block.text);
  }
  files["flow.yaml"] = text;
  return files;
}

TEST(LanguagePage, MachinesHaveNoFindings) {
  const std::vector<Block> blocks = blocks_of(read_page());
  int machines = 0;
  for (const Block& block : blocks) {
    if (block.info != "yaml") continue;
    EXPECT_EQ(lint_files(files_for(block.text, blocks)), "") << block.text;
    ++machines;
  }
  EXPECT_EQ(machines, 16);
}

// After a change of messages, with AGNETO_UPDATE in the environment: writes what is said now.
TEST(LanguagePage, MessagesAreReal) {
  const std::string page = read_page();
  const std::vector<Block> blocks = blocks_of(page);
  for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
    if (blocks[i].info != "yaml wrong") continue;
    const std::string messages =
        std::regex_replace(lint_files({{"flow.yaml", blocks[i].text}}), std::regex("/team/"), "");
    ASSERT_EQ(blocks[i + 1].info, "text");
    if (std::getenv("AGNETO_UPDATE")) {
      std::string changed = page;
      const std::string old = "```text\n" + blocks[i + 1].text + "```";
      changed.replace(changed.find(old), old.size(), "```text\n" + messages + "```");
      write_file(fs::path(AGNETO_SOURCE_DIR) / "docs" / "language.md", changed);
    } else {
      EXPECT_EQ(blocks[i + 1].text, messages);
    }
  }
}

}  // namespace
}  // namespace agneto::lint
