#include "model/packages.h"

#include <gmock/gmock.h>

#include "loading.h"

namespace agneto::model {
namespace {

constexpr const char* machine = R"(agneto: 1
name: flow
initial: ASK
states:
  ASK: {machine: kit/review.yaml, on: {DONE: END}}
  END: {final: true}
)";
constexpr const char* review = R"(agneto: 1
name: review
initial: DONE
states:
  DONE: {final: true}
)";
constexpr const char* facts = "agneto: 1\ndescription: Reviews\n";

std::string lock(const std::string& tree) {
  return to_yaml({{.name = "kit",
                   .url = "https://example.org/kit.git",
                   .folder = "",
                   .rev = "v1",
                   .commit = "c1",
                   .tree = tree}});
}

// Memory that knows its trees, as a disk does.
class Tree : public MemoryFiles {
 public:
  using MemoryFiles::MemoryFiles;
  std::optional<std::string> tree_hash(const fs::path& folder) const override {
    const auto found = trees.find(folder.string());
    return found == trees.end() ? std::nullopt : std::optional(found->second);
  }
  bool leads_out(const fs::path& path, const fs::path&) const override { return path == link; }

  std::map<std::string, std::string> trees;
  fs::path link;
};

struct Result {
  std::string messages;
  std::string last;  // the file of the last machine
};

Result loaded(std::map<std::string, std::string> texts, const std::string& tree = "t1",
              const std::string& file = ".agneto/workflows/flow.yaml", const fs::path& link = {}) {
  Tree files(texts);
  files.trees[".agneto/packages/kit"] = tree;
  files.link = link;
  Diagnostics diagnostics;
  const Loaded loaded = load(file, files, diagnostics);
  return {render(diagnostics), loaded.system ? loaded.system->machines.back().file.string() : ""};
}

std::map<std::string, std::string> with_kit(const std::string& locked = lock("t1")) {
  return {{".agneto/workflows/flow.yaml", machine},
          {".agneto/agneto.lock", locked},
          {".agneto/packages/kit/package.yaml", facts},
          {".agneto/packages/kit/review.yaml", review}};
}

TEST(Packages, AMachineOfAPackageIsNamedByIt) {
  const Result result = loaded(with_kit());
  EXPECT_EQ(result.messages, "");
  EXPECT_EQ(result.last, ".agneto/packages/kit/review.yaml");
}

TEST(Packages, AFolderThatIsCalledAlikeIsNoPackage) {
  const Result result =
      loaded({{"flow.yaml", machine}, {"kit/review.yaml", review}}, "t1", "flow.yaml");
  EXPECT_EQ(result.messages, "");
  EXPECT_EQ(result.last, "kit/review.yaml");
}

TEST(Packages, WhatIsNotAsTheLockSaysIsNotLoaded) {
  EXPECT_EQ(loaded(with_kit(), "t2").messages,
            ".agneto/workflows/flow.yaml:5:18: error: the package 'kit' is not what "
            ".agneto/agneto.lock says it is [E614/package]\n"
            "  ASK: {machine: kit/review.yaml, on: {DONE: END}}\n"
            "                 ^~~~~~~~~~~~~~~\n"
            "  help: to see what was changed: git status --short .agneto/packages/kit, or where it "
            "was committed git log -p .agneto/packages/kit; to have it as it was: remove that "
            "folder, and "
            "run 'agneto vendor'; to change it, extend it, or take its files for your own\n");
  EXPECT_EQ(loaded(with_kit(), "t2", ".agneto/packages/kit/review.yaml").messages,
            "error: the package 'kit' is not what .agneto/agneto.lock says it is [E614/package]\n"
            "  help: to see what was changed: git status --short .agneto/packages/kit, or where it "
            "was committed git log -p .agneto/packages/kit; to have it as it was: remove that "
            "folder, and "
            "run 'agneto vendor'; to change it, extend it, or take its files for your own\n");
}

std::string message(const std::map<std::string, std::string>& texts, const fs::path& link = {}) {
  const std::string all = loaded(texts, "t1", ".agneto/workflows/flow.yaml", link).messages;
  const auto help = all.find("help: ");
  return all.substr(0, all.find('\n')) +
         (help == std::string::npos ? "" : "\n" + all.substr(help, all.find('\n', help) - help));
}

TEST(Packages, OneThatIsNotThereIsSaid) {
  auto texts = with_kit();
  texts.erase(".agneto/packages/kit/package.yaml");
  EXPECT_EQ(message(texts),
            ".agneto/workflows/flow.yaml:5:18: error: the package 'kit' of .agneto/agneto.lock is "
            "not here [E614/package]\nhelp: bring it: agneto vendor");
  texts = with_kit();
  texts.erase(".agneto/agneto.lock");
  EXPECT_EQ(message(texts),
            ".agneto/workflows/flow.yaml:5:18: error: the package 'kit' is not in "
            ".agneto/agneto.lock [E614/package]\nhelp: bring packages with 'agneto add', or keep "
            "these files in a folder of another name");
  texts[".agneto/agneto.lock"] = "agneto: 2\nparcels: {}\n";
  EXPECT_EQ(message(texts),
            ".agneto/workflows/flow.yaml:5:18: error: .agneto/agneto.lock:1: this file is in "
            "version 2 of the language, and this program knows version 1 [E614/package]\n"
            "help: install a newer agneto");
  texts[".agneto/agneto.lock"] = "agneto: 1\npackages: {kit: {url: x, rev: v1, tree: t1}}\n";
  EXPECT_EQ(
      message(texts),
      ".agneto/workflows/flow.yaml:5:18: error: .agneto/agneto.lock:2: packages.kit needs the "
      "key 'commit' [E614/package]\nhelp: mend it, or take it back from git: git restore "
      ".agneto/agneto.lock");
}

TEST(Packages, ItsFilesAreReachedByItsNameAlone) {
  auto texts = with_kit();
  texts[".agneto/workflows/kit/review.yaml"] = review;
  EXPECT_EQ(message(texts),
            ".agneto/workflows/flow.yaml:5:18: error: 'kit/review.yaml' is a file beside this one, "
            "and 'kit' a package [E614/package]\nhelp: call that folder another name, or the "
            "package: agneto add URL@REV NAME");
  texts = with_kit();
  std::string& flow = texts[".agneto/workflows/flow.yaml"];
  flow.replace(flow.find("kit/"), 4, "../packages/kit/");
  EXPECT_EQ(message(texts),
            ".agneto/workflows/flow.yaml:5:18: error: '../packages/kit/review.yaml' is in the "
            "package 'kit' [E614/package]\nhelp: write kit/review.yaml");
}

TEST(Packages, NothingInAPackageLeavesIt) {
  auto texts = with_kit();
  texts[".agneto/workflows/other.yaml"] = review;
  std::string& file = texts[".agneto/packages/kit/review.yaml"];
  file = machine;
  file.replace(file.find("kit/review.yaml"), 15, "../../workflows/other.yaml");
  EXPECT_EQ(message(texts),
            ".agneto/packages/kit/review.yaml:5:18: error: '../../workflows/other.yaml' is outside "
            "of the package '.agneto/packages/kit' [E602/outside-root]\nhelp: a package names "
            "files of its "
            "own, and of packages that it has itself");
  EXPECT_EQ(message(with_kit(), ".agneto/packages/kit/review.yaml"),
            ".agneto/workflows/flow.yaml:5:18: error: 'kit/review.yaml' is a link, or in one, that "
            "leads out of the folder '.agneto/packages/kit' [E602/outside-root]\nhelp: put the "
            "file itself there");
}

TEST(Packages, APackageHasPackagesOfItsOwn) {
  auto texts = with_kit();
  std::string& file = texts[".agneto/packages/kit/review.yaml"];
  file = machine;
  const std::string inner = ".agneto/packages/kit/packages/kit/";
  texts[".agneto/packages/kit/agneto.lock"] = lock("t2");
  texts[inner + "package.yaml"] = facts;
  texts[inner + "review.yaml"] = review;
  const Result result = loaded(texts);
  EXPECT_EQ(result.messages, "");
  EXPECT_EQ(result.last, inner + "review.yaml");
}

TEST(Packages, ALockIsWrittenAsItIsRead) {
  const std::string text =
      to_yaml({{.name = "a",
                .url = "../kit",
                .folder = "reviews",
                .rev = "v1",
                .commit = "c1",
                .tree = "t1"},
               {.name = "b", .url = "u", .folder = "", .rev = "r", .commit = "c", .tree = "t"}});
  EXPECT_EQ(text,
            "# The packages beside this file; 'agneto add', 'update' and 'remove' change it.\n"
            "agneto: 1\n"
            "packages:\n"
            "  a: {url: '../kit', folder: reviews, rev: v1, commit: c1, tree: t1}\n"
            "  b: {url: u, rev: r, commit: c, tree: t}\n");
  Diagnostics diagnostics;
  const auto read = read_lock(std::make_shared<Source>("agneto.lock", text), diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].folder, "reviews");
  EXPECT_EQ(to_yaml(read), text);
}

TEST(Packages, APackageSaysWhatItIs) {
  Diagnostics diagnostics;
  const PackageFacts read = read_package(
      std::make_shared<Source>("package.yaml",
                               "agneto: 1\ndescription: Reviews\nneeds: {programs: [npm]}\n"),
      diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  EXPECT_EQ(read.description, "Reviews");
  EXPECT_THAT(read.programs, ::testing::ElementsAre("npm"));
  read_package(std::make_shared<Source>("package.yaml", "agneto: one\nneeds: {program: [npm]}\n"),
               diagnostics);
  std::string messages;
  for (const auto& problem : diagnostics.sorted()) messages += problem.message + "\n";
  EXPECT_EQ(messages,
            "package.yaml needs the key 'description'\n"
            "'agneto' must be 1, the version that this program knows\n"
            "unknown key 'program' in needs\n");
}

}  // namespace
}  // namespace agneto::model
