// What is said of a hook module that several workflows use.
#include <gmock/gmock.h>

#include "lint/linting.h"
#include "lint/report/format.h"
#include "lint/report/report.h"
#include "support/paths.h"

namespace agneto::lint {
namespace {

std::string flow(const std::string& name, const std::string& verdict) {
  return "agneto: 1\nname: flow\nagents: {coder: {hooks: hooks.lua}}\ncontext: {" + name +
         ": \"\"}\ninitial: A\nstates:\n  A:\n    agent: {name: coder, verdicts: {" + verdict +
         ": {}}}\n    on: {" + verdict + ": {target: END, do: ctx." + name + " = ctx." + name +
         " .. event.name}}\n  END: {final: true}\n";
}

std::string lint_together(std::map<std::string, std::string> workflows) {
  MemoryFiles files;
  files.add("/team/hooks.lua", R"lua(return {
  prompt = function(m) return "Answer CODE_WRITEN. " .. m.ctx.remarks end,
  parse = function(reply) return "CODE_WRITEN" end,
}
)lua");
  std::vector<fs::path> paths;
  for (auto& [path, text] : workflows) {
    files.add("/team/" + path, std::move(text));
    paths.push_back("/team/" + path);
  }
  return write_text(report(paths, files, "/lib", Policy()), {});
}

TEST(SharedHooks, APromptIsLookedAtAsAHook) {
  MemoryFiles files;
  files.add("/team/coder.md",
            "Answer CODE_WRITEN:\n{{if ctx.plan}}\n{{foo}}, {{ctx.plam}}\n{{end}}\n");
  files.add("/team/flow.yaml",
            "agneto: 1\nname: flow\nagents: {coder: {prompt: coder.md}}\n"
            "context: {plan: \"\"}\ninitial: A\nstates:\n  A:\n"
            "    agent: {name: coder, verdicts: {CODE_WRITTEN: {}}}\n"
            "    on: {CODE_WRITTEN: {target: END, do: ctx.plan = ctx.plan .. event.name}}\n"
            "  END: {final: true}\n");
  files.add("/lib/agneto.lua",
            Disk().read(fs::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua").value());
  EXPECT_EQ(
      write_text(report({"/team/flow.yaml"}, files, "/lib", Policy()), {}),
      R"text(/team/coder.md:1:1: warning: no state that uses this hook has the verdict 'CODE_WRITEN' [W513/foreign-verdict]
Answer CODE_WRITEN:
^~~~~~~~~~~~~~~~~~~
  help: did you mean 'CODE_WRITTEN'?
/team/coder.md:3:3: warning: there is no 'foo' here [W505/undefined-global]
{{foo}}, {{ctx.plam}}
  ^~~
  help: a name of its own is made with `local`
/team/coder.md:3:12: warning: no machine that calls this agent has ctx.plam [W512/hook-field]
{{foo}}, {{ctx.plam}}
           ^~~~~~~~
  help: did you mean ctx.plan?
)text");
}

const std::string all =
    R"text(/team/hooks.lua:2:31: warning: no state that uses this hook has the verdict 'CODE_WRITEN' [W513/foreign-verdict]
  prompt = function(m) return "Answer CODE_WRITEN. " .. m.ctx.remarks end,
                              ^~~~~~~~~~~~~~~~~~~~~~
  help: did you mean 'CODE_WRITTEN'?
/team/hooks.lua:2:57: warning: no machine that calls this agent has m.ctx.remarks [W512/hook-field]
  prompt = function(m) return "Answer CODE_WRITEN. " .. m.ctx.remarks end,
                                                        ^~~~~~~~~~~~~
  help: did you mean m.ctx.remark?
/team/hooks.lua:3:34: warning: no state that uses this hook has the verdict 'CODE_WRITEN' [W513/foreign-verdict]
  parse = function(reply) return "CODE_WRITEN" end,
                                 ^~~~~~~~~~~~~
  help: did you mean 'CODE_WRITTEN'?
)text";

TEST(SharedHook, IsRightWhereItIsForOneOfItsWorkflows) {
  EXPECT_EQ(lint_together({{"a.yaml", flow("remark", "CODE_WRITTEN")}}), all);
  EXPECT_EQ(lint_together({{"a.yaml", flow("remark", "CODE_WRITTEN")},
                           {"b.yaml", flow("remarks", "CODE_WRITEN")}}),
            "");
}

// One in which nothing is near to the names says nothing for them.
TEST(SharedHook, IsWrongWhereItIsForAllOfThem) {
  EXPECT_EQ(lint_together({{"a.yaml", flow("remark", "CODE_WRITTEN")},
                           {"b.yaml", flow("topic", "PLANNED_IT")},
                           {"c.yaml", flow("remark", "CODE_WRITTEN")}}),
            all);
}

}  // namespace
}  // namespace agneto::lint
