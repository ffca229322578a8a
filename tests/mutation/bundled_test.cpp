// Every small mistake that can be made in the bundled workflow is made, one at a time. Lint and the
// tests of the workflow and its hooks find nearly all of them; those that they do not find are
// listed in survivors.yaml, each with why that is right. docs/mutation.md says how many there are.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <cstdlib>
#include <map>
#include <set>
#include <thread>

#include "hook_mutants.h"
#include "judge.h"
#include "kinds.h"
#include "support/paths.h"
#include "yaml_mutants.h"

namespace agneto::mutation {
namespace {

const fs::path source = AGNETO_SOURCE_DIR;

Texts bundled() {
  Texts texts;
  for (const char* folder : {"workflows", "scripts", "scripts/lib"}) {
    for (const auto& entry : fs::directory_iterator(source / folder)) {
      if (!entry.is_regular_file()) continue;
      const fs::path path = fs::path(folder) / entry.path().filename();
      texts[path.string()] = Disk().read(entry.path()).value();
    }
  }
  return texts;
}

bool is_machine(const std::string& file) {
  return file.ends_with(".yaml") && !file.ends_with(".test.yaml");
}

bool is_hooks(const std::string& file) {
  return file.ends_with(".lua") && !file.ends_with(".test.lua") &&
         !file.starts_with("scripts/lib/");
}

// Of the workflow in the form in which the mutants are written, so that a mutant differs from it in
// its mistake alone.
Texts rewritten_workflow() {
  Texts texts = bundled();
  for (auto& [file, text] : texts) {
    if (!is_machine(file)) continue;
    Diagnostics diagnostics;
    text = rewritten(*yaml::parse(std::make_shared<Source>(file, text), diagnostics));
  }
  return texts;
}

std::vector<Mutant> mutants(const Texts& texts) {
  std::vector<Mutant> found;
  for (const auto& [file, text] : texts) {
    if (is_machine(file)) YamlMutants(file, text, found).find();
    if (!is_hooks(file)) continue;
    const LuaMistake mistake = [&, &file = file](const std::string& kind, const std::string& was,
                                                 const std::string& instead) {
      found.push_back({kind, file + " '" + was + "'", file, instead});
    };
    module_mistakes(text, mistake);
    HookMutants(text, mistake).find();
  }
  std::map<std::string, int> times;
  for (Mutant& mutant : found) {
    const int time = ++times[mutant.name()];
    if (time > 1) mutant.place += fmt::format(" ({})", time);
  }
  return found;
}

std::vector<Caught> judged(const std::vector<Mutant>& all, const Texts& texts) {
  std::vector<Caught> caught(all.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    Judge judge(texts);
    for (std::size_t i = next++; i < all.size(); i = next++) {
      caught[i] = judge.judge(all[i].file, all[i].text);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::thread::hardware_concurrency(); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return caught;
}

// Those that nobody finds, and why that is right, as survivors.yaml has them.
struct Reason {
  std::string why;
  std::vector<std::string> mutants;
};

std::vector<Reason> expected_survivors() {
  const fs::path file = source / "tests/mutation/survivors.yaml";
  Diagnostics diagnostics;
  const auto root =
      yaml::parse(std::make_shared<Source>(file.string(), Disk().read(file).value()), diagnostics);
  std::vector<Reason> reasons;
  for (const Json& reason : yaml::to_json(*root, diagnostics)) {
    reasons.push_back({reason.at("why"), reason.at("mutants")});
  }
  EXPECT_EQ(render(diagnostics), "");
  return reasons;
}

// How many of them somebody finds, of those that are of hooks, or are not.
struct Share {
  std::size_t made = 0, found = 0;

  double percent() const { return 100.0 * static_cast<double>(found) / static_cast<double>(made); }
};

Share share_of(const std::vector<Mutant>& all, const std::vector<Caught>& caught, bool hooks) {
  Share share;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_hooks(all[i].file) != hooks) continue;
    ++share.made;
    if (caught[i] != Caught::by_nobody) ++share.found;
  }
  return share;
}

std::string page(const std::vector<Mutant>& all, const std::vector<Caught>& caught,
                 const std::vector<Reason>& survivors) {
  std::map<std::string_view, std::map<Caught, int>> counts;
  std::map<Caught, int> sums;
  std::map<bool, std::map<Caught, int>> of_hooks;
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++counts[all[i].kind][caught[i]];
    ++of_hooks[is_hooks(all[i].file)][caught[i]];
    ++sums[caught[i]];
  }
  const auto row = [](const std::string& name, std::map<Caught, int>& of) {
    const int sum = of[Caught::by_lint] + of[Caught::by_tests] + of[Caught::by_exploring] +
                    of[Caught::by_nobody];
    return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, sum, of[Caught::by_lint],
                       of[Caught::by_tests], of[Caught::by_exploring], of[Caught::by_nobody]);
  };
  const Share yaml = share_of(all, caught, false), hooks = share_of(all, caught, true);
  std::string text = fmt::format(
      R"(# Mistakes that are found

How good are [lint](lint.md) and a workflow's own [scenario tests](testing.md)? A test makes every
small mistake of the kinds below in the bundled workflow, its execution machine and its hooks, one at
a time, {} in all, and looks who notices. **Of {} in the machines {:.1f} % are found, and of {} in the
hooks {:.1f} %.** The same test wrote this page.

First lint is asked, at its strictest and without [exploring](lint.md#what-is-explored); then the
tests of `workflows/*.test.yaml`, with [the prompts that they keep](testing.md#prompts-that-are-kept),
and of a mistake in a hook `scripts/*.test.lua`; then lint again, exploring.

| mistake | made | lint | tests | exploring | nobody |
|---|---:|---:|---:|---:|---:|
)",
      all.size(), yaml.made, yaml.percent(), hooks.made, hooks.percent());
  for (const auto& [kind, description] : kinds) {
    text += row(std::string(description), counts[kind]);
  }
  text += row("**all in the machines**", of_hooks[false]);
  text += row("**all in the hooks**", of_hooks[true]);
  text += row("**all**", sums);
  text += "\n## What nobody finds\n";
  for (const Reason& reason : survivors) {
    text += fmt::format("\n{}\n\n", reason.why);
    for (const std::string& mutant : reason.mutants) text += fmt::format("- `{}`\n", mutant);
  }
  return text;
}

TEST(Mutants, AreFound) {
  const Texts texts = rewritten_workflow();
  for (const auto& [file, text] : texts) {
    if (!is_machine(file)) continue;
    ASSERT_EQ(Judge(texts).judge(file, text), Caught::by_nobody) << file;
  }
  const std::vector<Mutant> all = mutants(texts);
  std::set<std::string> made, described;
  for (const Mutant& mutant : all) made.insert(mutant.kind);
  for (const auto& [kind, description] : kinds) described.emplace(kind);
  EXPECT_EQ(made, described);
  const std::vector<Caught> caught = judged(all, texts);

  const std::vector<Reason> reasons = expected_survivors();
  std::vector<std::string> survivors, expected;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (caught[i] == Caught::by_nobody) survivors.push_back(all[i].name());
  }
  for (const Reason& reason : reasons) {
    expected.insert(expected.end(), reason.mutants.begin(), reason.mutants.end());
  }
  std::sort(survivors.begin(), survivors.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(join(survivors, "\n"), join(expected, "\n"));
  EXPECT_GE(all.size(), 200U);
  EXPECT_GE(share_of(all, caught, false).percent(), 95);
  EXPECT_GE(share_of(all, caught, true).percent(), 95);

  const fs::path file = source / "docs/mutation.md";
  const std::string text = page(all, caught, reasons);
  if (std::getenv("AGNETO_UPDATE")) {
    write_file(file, text);
  } else {
    EXPECT_EQ(Disk().read(file), text);
  }
}

}  // namespace
}  // namespace agneto::mutation
