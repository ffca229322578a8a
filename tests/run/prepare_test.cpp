#include "run/prepare.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "run/flow.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::run {
namespace {

using agneto::testing::error_of;
using agneto::testing::TemporaryFolder;

const char* const machine = R"(agneto: 1
name: flow
inputs:
  task: {type: string, main: true}
  rounds: {type: integer, default: 3}
  verify: {type: string, default: ""}
initial: DONE
states:
  DONE: {final: true}
)";

class Inputs : public ::testing::Test {
 protected:
  Inputs() {
    MemoryFiles files;
    files.add("/w/flow.yaml", machine);
    loaded = load_workflow("/w/flow.yaml", files, {});
  }
  Json read(const Request& request) { return read_inputs(loaded.system->main(), request, config); }
  model::Loaded loaded;
  Config config;
};

TEST_F(Inputs, TaskFillsTheMainOneAndTextsBecomeValues) {
  Request request;
  request.task = "do it";
  request.inputs = {{"rounds", "5"}};
  EXPECT_EQ(read(request), (Json{{"task", "do it"}, {"rounds", 5}, {"verify", ""}}));
}

TEST_F(Inputs, TheConfiguredTestCommandIsTheDefaultOfVerify) {
  config.verify = "make test";
  Request request;
  request.task = "do it";
  EXPECT_EQ(read(request).at("verify"), "make test");
  request.inputs = {{"verify", "true"}};
  EXPECT_EQ(read(request).at("verify"), "true");
}

TEST_F(Inputs, TheTaskIsGivenOnce) {
  Request request;
  request.task = "do it";
  request.inputs = {{"task", "do that"}};
  EXPECT_EQ(error_of([&] { read(request); }),
            "the task was given twice: in your words and with --input task\ngive it once");
  request.task.reset();
  EXPECT_EQ(read(request).at("task"), "do that");
}

TEST_F(Inputs, EveryMistakeIsNamedAtOnce) {
  Request request;
  request.task = "do it";
  request.inputs = {{"rounds", "many"}, {"verfy", "x"}};
  EXPECT_EQ(error_of([&] { read(request); }),
            "input 'rounds' must be integer, not 'many'\n"
            "unknown input 'verfy'; did you mean 'verify'?\n"
            "workflow 'flow' takes task (string, required), rounds (integer), verify (string)");
}

TEST_F(Inputs, AnEmptyTaskIsNone) {
  Request request;
  EXPECT_EQ(error_of([&] { read(request); }),
            "there is no task\n"
            "say what is to be done: agneto run \"fix the login redirect\", or --file FILE");
  request.task = " \n";
  EXPECT_EQ(error_of([&] { read(request); }),
            "the task is empty\nsay what is to be done: agneto run \"fix the login redirect\"");
}

TEST(Agents, ThatNoWorkflowHasAreRemarkedOnWithTheirPlace) {
  MemoryFiles files;
  files.add("/w/hook.lua", "return {prompt = function() return '' end}");
  files.add("/w/flow.yaml", R"(agneto: 1
name: flow
agents:
  coder: {hooks: hook.lua}
  reviewer: {hooks: hook.lua}
initial: CODING
states:
  CODING: {agent: coder, on: {done: JUDGING}}
  JUDGING: {agent: reviewer, on: {done: DONE}}
  DONE: {final: true}
)");
  const auto loaded = load_workflow("/w/flow.yaml", files, {});
  files.add(".agneto/config.yaml", "agents:\n  coder: {}\n  reviwer: {}\n  poet: {}\n");
  Diagnostics diagnostics;
  const Config config = load_config(".agneto/config.yaml", files, diagnostics);
  EXPECT_EQ(unknown_agents(config, *loaded.system, {}, files, {}),
            (std::vector<std::string>{
                ".agneto/config.yaml:3:3: no workflow has an agent 'reviwer' [W134/unknown-agent]; "
                "did you mean 'reviewer'?",
                ".agneto/config.yaml:4:3: no workflow has an agent 'poet' [W134/unknown-agent]; "
                "known agents: coder, reviewer"}));
}

class Place : public ::testing::Test {
 protected:
  // Where a run of the workflow works: what its root says besides, and the activity of its state.
  std::string of(const std::string& says, const std::string& activity, Request request = {}) {
    MemoryFiles files;
    files.add("/w/hook.lua", "return {}");
    files.add("/w/flow.yaml", "agneto: 1\nname: flow\n" + says + "initial: A\nstates:\n  A: {" +
                                  activity + ", on: {any: B}}\n  B: {final: true}\n");
    const auto loaded = load_workflow("/w/flow.yaml", files, {});
    if (request.folder.empty()) request.folder = folder.path();
    std::string text;
    const std::string error = error_of([&] {
      const auto repository = repository_for(*loaded.system, request);
      text = repository ? repository->string() : "in place";
    });
    return error.empty() ? text : error;
  }
  void make_repository() {
    const std::string git = "git -C '" + folder.path().string() + "' ";
    ASSERT_EQ(std::system((git + "init -q && " + git +
                           "-c user.name=a -c user.email=a@b commit -q --allow-empty -m 1")
                              .c_str()),
              0);
  }
  TemporaryFolder folder;
};

TEST_F(Place, IsAWorktreeInEveryRepository) {
  make_repository();
  EXPECT_EQ(of("", "run: {shell: make}"), folder.path().string());
  fs::create_directories(folder / "deep");
  Request deep;
  deep.folder = folder / "deep";
  EXPECT_EQ(of("", "run: {shell: make}", deep), folder.path().string());
}

TEST_F(Place, IsTheCheckoutWhereTheWorkflowSaysSo) {
  make_repository();
  EXPECT_EQ(of("workspace: none\n", "run: {shell: make}"), "in place");
}

TEST_F(Place, IsTheFolderWhereThereIsNoRepositoryAndNoneIsNeeded) {
  EXPECT_EQ(of("", "run: {shell: make}"), "in place");
  EXPECT_EQ(of("", "workspace: {commit: {message: m}}"),
            folder.path().string() +
                ": not a git repository\ngo to your project's folder, or make this one a "
                "repository: git init && git add -A && git commit -m 'First commit'");
}

TEST_F(Place, IsNoBareRepositoryUnlessTheWorkflowSaysSo) {
  ASSERT_EQ(std::system(("git init -q --bare '" + folder.path().string() + "'").c_str()), 0);
  Request inside;
  inside.folder = folder / "refs";
  const std::string refusal =
      ": a bare repository has no files to work on\nrun agneto in a clone of it";
  for (const char* activity : {"run: {shell: make}", "workspace: {commit: {message: m}}"}) {
    EXPECT_EQ(of("", activity), folder.path().string() + refusal);
    EXPECT_EQ(of("", activity, inside), inside.folder.string() + refusal);
  }
  EXPECT_EQ(of("workspace: none\n", "run: {shell: make}"), "in place");
}

TEST_F(Place, RefusesOptionsThatMeanNothingThere) {
  Request request;
  request.base = "main";
  EXPECT_EQ(of("workspace: none\n", "run: {shell: make}", request),
            "--base means nothing here: workflow 'flow' says `workspace: none`\nleave it out");
  EXPECT_EQ(of("", "run: {shell: make}", request),
            "--base means nothing here: " + folder.path().string() +
                " is no git repository\nleave it out");
  request = {};
  request.auto_merge = true;
  EXPECT_EQ(of("", "run: {shell: make}", request),
            "--auto-merge means nothing here: workflow 'flow' does not ask for "
            "run.auto_merge\nleave it out");
  EXPECT_EQ(of("workspace: none\nalways: [{guard: run.auto_merge, target: B}]\n",
               "run: {shell: make}", request),
            "--auto-merge means nothing here: workflow 'flow' says `workspace: none`\nleave it "
            "out");
}

TEST_F(Place, RefusesOptionsOfAgentsWhereThereAreNone) {
  std::vector<std::pair<std::string, Request>> requests(5);
  requests[0].first = "--agent";
  requests[0].second.provider = "codex";
  requests[1].first = "--model";
  requests[1].second.model = "opus";
  requests[2].first = "--max-calls";
  requests[2].second.limits.calls = 1;
  requests[3].first = "--max-cost";
  requests[3].second.limits.cost = 1;
  requests[4].first = "--max-tokens";
  requests[4].second.limits.tokens = 1;
  for (const auto& [name, request] : requests) {
    EXPECT_EQ(of("workspace: none\n", "run: {shell: make}", request),
              name + " means nothing here: workflow 'flow' calls no agent\nleave it out");
    EXPECT_EQ(of("workspace: none\nagents: {worker: {hooks: hook.lua}}\n", "agent: {name: worker}",
                 request),
              "in place");
  }
}

TEST(Furnishing, CopiesWhatTheConfigurationNames) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "repo/.agneto/worktrees/run1");
  write_file(folder / "repo/.env", "A=1\n");
  process::GuardedRunner runner("guard");
  process::Listener quiet;
  Config config;
  config.copy = {".env"};
  furnish(folder / "repo/.agneto/worktrees/run1", folder / "repo", config, runner, quiet, {});
  EXPECT_TRUE(fs::exists(folder / "repo/.agneto/worktrees/run1/.env"));
}

// What a model and a tool are called is the provider's: where the agent has another one, they are
// not what is meant.
TEST(Providers, ThatAreChosenOtherwiseHaveNeitherModelNorTools) {
  MemoryFiles files;
  files.add("/w/hook.lua", "return {prompt = function() return '' end}");
  files.add("/w/flow.yaml", R"(agneto: 1
name: flow
agents:
  coder: {hooks: hook.lua}
initial: CODING
states:
  CODING: {agent: coder, on: {done: END}}
  END: {final: true}
)");
  const auto loaded = load_workflow("/w/flow.yaml", files, {});
  const auto coder = [&](const std::string& provider, const record::RunOptions& options) {
    Config config;
    config.all.provider = provider;
    config.all.model = "opus";
    config.all.tools = {"WebSearch"};
    choose_providers(*loaded.system, config, options);
    const AgentSettings settings =
        config.of(loaded.system->main(), loaded.system->main().find("CODING"));
    return settings.provider + " " + settings.model + (settings.tools ? " with tools" : "");
  };
  record::RunOptions options;
  EXPECT_EQ(coder("claude", options), "claude opus with tools");
  EXPECT_EQ(coder("", options), "auto opus with tools");
  options.chosen = "codex";
  EXPECT_EQ(coder("claude", options), "codex ");
  EXPECT_EQ(coder("", options), "codex ");
  options.providers = {{"coder", "codex"}};  // on a resume
  EXPECT_EQ(coder("claude", options), "codex ");
  EXPECT_EQ(coder("", options), "codex ");
  options.chosen.clear();
  EXPECT_EQ(coder("auto", options), "codex opus with tools") << "which is what auto was";
  EXPECT_EQ(coder("claude", options), "codex ") << "the configuration has changed";
}

class SettledProviders : public ::testing::Test {
 protected:
  SettledProviders() {
    for (const char* name : {"plain", "able"}) {
      files.add(std::string("/p/") + name + ".lua",
                std::string("return {command = pairs, settings = {effort = ") +
                    (name == std::string("able") ? "true" : "nil") + "}}");
    }
  }

  // What the calls were resolved to; or why they were not.
  std::string resolved(const std::string& agent, const std::string& call,
                       const record::RunOptions& options = {}) {
    const Flow flow("agneto: 1\nname: flow\nagents: {coder: {hooks: hook.lua" + agent +
                    "}}\ninitial: A\nstates:\n  A: {agent: coder, on: {done: B}}\n  B: {agent: "
                    "{name: coder" +
                    call + "}, on: {done: C}}\n  C: {final: true}\n");
    std::string text;
    const std::string error = error_of([&] {
      for (const auto& [name, provider] :
           resolve_providers(flow.system, config, options, files, {"/p"})) {
        text += name + ": " + provider + "\n";
      }
    });
    return text + error;
  }

  MemoryFiles files;
  Config config;
};

TEST_F(SettledProviders, AreNotedByCallWhereAnAgentHasSeveral) {
  EXPECT_EQ(resolved(", provider: plain", ""), "coder: plain\n");
  EXPECT_EQ(resolved(", provider: plain", ", provider: able"), "flow/A: plain\nflow/B: able\n");
  record::RunOptions options;  // on a resume, after somebody has changed the configuration
  options.providers = {{"flow/A", "able"}, {"flow/B", "plain"}};
  EXPECT_EQ(resolved(", provider: plain", ", provider: able", options),
            "flow/A: able\nflow/B: plain\n");
}

TEST_F(SettledProviders, RefuseWhatTheyCannotBeGiven) {
  EXPECT_EQ(resolved(", provider: able, effort: high", ""), "coder: able\n");
  EXPECT_EQ(
      resolved(", provider: plain, effort: high", ""),
      R"(/w/flow.yaml:3:60: error: agent 'coder' (plain) cannot be given 'effort': its provider does not pass it on [E458/unusable-setting]
agents: {coder: {hooks: hook.lua, provider: plain, effort: high}}
                                                           ^~~~
  help: correct it, leave it out, or choose another provider
)");
}

TEST_F(SettledProviders, OfAWorkflowAreChosenOtherwiseInTheConfiguration) {
  EXPECT_EQ(resolved(", provider: gone", ""),
            "/w/flow.yaml:3:45: error: there is no provider 'gone' [E133/unknown-provider]\n"
            "agents: {coder: {hooks: hook.lua, provider: gone}}\n"
            "                                            ^~~~\n");
  files.add("/p/away.lua", "return {program = 'agneto-no-such-program', command = pairs}");
  EXPECT_EQ(
      resolved(", provider: away", ""),
      "the provider 'away' needs the program 'agneto-no-such-program', which is not on PATH; "
      "the workflow wants it for agent 'coder'\n"
      "install 'agneto-no-such-program', or choose another provider with --agent, or for good "
      "with 'agents: {coder: {provider: PROVIDER}}' in .agneto/config.yaml");
  record::RunOptions options;
  options.chosen = "plain";
  EXPECT_EQ(resolved(", provider: gone, effort: high", "", options), "coder: plain\n");
}

TEST(Furnishing, FollowsALinkThatIsNamedAndKeepsThoseInside) {
  const TemporaryFolder folder;
  const fs::path worktree = folder / "repo/.agneto/worktrees/run1";
  fs::create_directories(worktree);
  fs::create_directories(folder / "repo/node_modules/bin");
  write_file(folder / "secrets", "A=1\n");
  fs::create_symlink("../secrets", folder / "repo/.env");
  fs::create_directory_symlink("../../.agneto", folder / "repo/node_modules/bin/run");
  process::GuardedRunner runner("guard");
  process::Listener quiet;
  Config config;
  config.copy = {".env", "node_modules"};
  furnish(worktree, folder / "repo", config, runner, quiet, {});
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(worktree / ".env")));
  EXPECT_EQ(fs::read_symlink(worktree / "node_modules/bin/run"), "../../.agneto");
}

TEST(Furnishing, CopiesNoFolderAroundTheWorktree) {
  const TemporaryFolder folder;
  const fs::path worktree = folder / "repo/.agneto/worktrees/run1";
  fs::create_directories(worktree);
  fs::create_directory_symlink(".agneto", folder / "repo/link");
  process::GuardedRunner runner("guard");
  process::Listener quiet;
  Config config;
  config.copy = {"link"};
  try {
    furnish(worktree, folder / "repo", config, runner, quiet, {});
    FAIL() << "it was copied";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "workspace.copy: 'link' is a link to a folder around the worktree");
    EXPECT_EQ(error.help(), "name what is needed of it in .agneto/config.yaml");
  }
  EXPECT_TRUE(fs::is_empty(worktree));
}

TEST(Providers, AreDescribedByWhatMostUse) {
  EXPECT_EQ(describe_providers({{"coder", "claude"}, {"planner", "claude"}}), "claude");
  EXPECT_EQ(describe_providers({{"coder", "codex"}, {"judge", "claude"}, {"planner", "claude"}}),
            "coder: codex, others: claude");
  EXPECT_EQ(describe_providers({}), "");
}

class Workflows : public ::testing::Test {
 protected:
  void put(const fs::path& file) {
    fs::create_directories(file.parent_path());
    write_file(file, machine);
  }
  TemporaryFolder folder;
  Resources resources{
      .share = folder / "share", .pages = {}, .guard = "guard", .user = folder / "user"};
};

TEST_F(Workflows, AreFoundByNameTheTeamsOwnFirst) {
  put(folder / "share/workflows/flow.yaml");
  put(folder / "user/workflows/flow.yaml");
  fs::create_directories(folder / "repo/.git");
  EXPECT_EQ(find_workflow("flow", folder / "repo", resources), folder / "user/workflows/flow.yaml");
  put(folder / "repo/.agneto/workflows/flow.yaml");
  EXPECT_EQ(find_workflow("flow", folder / "repo", resources),
            folder / "repo/.agneto/workflows/flow.yaml");
  fs::create_directories(folder / "repo/deep/down");
  EXPECT_EQ(find_workflow("flow", folder / "repo/deep/down", resources),
            folder / "repo/.agneto/workflows/flow.yaml");
}

TEST_F(Workflows, AnUnknownNameIsAnsweredWithTheNearest) {
  put(folder / "share/workflows/agneto.yaml");
  fs::create_directories(folder / "repo/.git");
  EXPECT_EQ(error_of([&] { find_workflow("agento", folder / "repo", resources); }),
            "there is no workflow 'agento'\ndid you mean 'agneto'?");
  EXPECT_EQ(error_of([&] { find_workflow("x/y.yaml", folder / "repo", resources); }),
            "there is no workflow file x/y.yaml\n"
            "give a path to a YAML file, or the name of a workflow: agneto");
}

TEST_F(Workflows, ThoseOfPackagesAreAmongTheNearest) {
  put(folder / "share/workflows/agneto.yaml");
  put(folder / "repo/.agneto/packages/reviews/secure.yaml");
  put(folder / "repo/.agneto/packages/reviews/secure.test.yaml");
  put(folder / "repo/.agneto/packages/reviews/parts/deep.yaml");
  put(folder / "repo/.agneto/packages/unlocked/other.yaml");
  fs::create_directories(folder / "repo/.git");
  write_file(folder / "repo/.agneto/packages/reviews/package.yaml", "agneto: 1\n");
  write_file(folder / "repo/.agneto/agneto.lock",
             "agneto: 1\npackages: {reviews: {url: u, rev: r, commit: c, tree: t}}\n");
  const auto said = [&](const char* wanted) {
    return error_of([&] { find_workflow(wanted, folder / "repo", resources); });
  };
  EXPECT_EQ(find_workflow("reviews/secure", folder / "repo", resources),
            folder / "repo/.agneto/packages/reviews/secure.yaml");
  EXPECT_EQ(said("reviews/secur"),
            "there is no workflow file reviews/secur\ndid you mean 'reviews/secure'?");
  EXPECT_EQ(said("revews/secure.yaml"),
            "there is no workflow file revews/secure.yaml\ndid you mean 'reviews/secure'?");
  EXPECT_EQ(said("x/y.yaml"),
            "there is no workflow file x/y.yaml\n"
            "give a path to a YAML file, or the name of a workflow: agneto, reviews/secure");
  EXPECT_EQ(said("secure"), "there is no workflow 'secure'\ndid you mean 'reviews/secure'?");
}

TEST_F(Workflows, ATestIsNone) {
  put(folder / "repo/.agneto/workflows/flow.test.yaml");
  fs::create_directories(folder / "repo/.git");
  const std::string file = ".agneto/workflows/flow.test.yaml";
  EXPECT_EQ(error_of([&] { find_workflow(file, folder / "repo", resources); }),
            file + " is a test, and no workflow\nplay it: agneto test " + file);
  const std::string whole = folder / "repo" / file;
  EXPECT_EQ(error_of([&] { find_workflow("flow.test", folder / "repo", resources); }),
            whole + " is a test, and no workflow\nplay it: agneto test " + whole);
}

// The runs of a repository are in its main checkout; workflows are of the checkout where one works.
TEST_F(Workflows, ALinkedWorktreeSharesTheRunsOnly) {
  fs::create_directories(folder / "repo/.git/worktrees/feature");
  fs::create_directories(folder / "feature/deep");
  write_file(folder / "feature/.git",
             "gitdir: " + (folder / "repo/.git/worktrees/feature").string() + "\n");
  EXPECT_EQ(home_of(folder / "feature/deep"), folder / "repo");
  EXPECT_EQ(checkout_of(folder / "feature/deep"), folder / "feature");
  write_file(folder / "feature/.git", "gitdir: ../repo/.git/worktrees/feature\n");
  EXPECT_EQ(home_of(folder / "feature"), folder / "repo");
  write_file(folder / "feature/.git", "gitdir: ../repo/.git/modules/feature\n");
  EXPECT_EQ(home_of(folder / "feature"), folder / "feature") << "a submodule is its own repository";
}

TEST_F(Workflows, ARunsOwnWorktreeBelongsToItsRepository) {
  fs::create_directories(folder / "repo/.git");
  fs::path worktree = folder / "repo/.agneto/worktrees/r";
  fs::create_directories(worktree);
  write_file(worktree / ".git", "gitdir: elsewhere\n");
  EXPECT_EQ(home_of(worktree), folder / "repo");
  EXPECT_EQ(checkout_of(worktree), folder / "repo");
}

}  // namespace
}  // namespace agneto::run
