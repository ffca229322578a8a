-- What the roles are told of the files, which scenarios have none of, and what the Coder's reply must
-- agree with. workflows/*.test.yaml has all else.
local test = require "test"

local inputs = {task = "the task", plan = "the plan", verify = "", max_questions = 3}

local function chunk_with(workspace)
  return {
    inputs = inputs,
    ctx = {chunk = {title = "first", description = "it"}, proposal = "P", change = "C", feedback = "",
      code_attempts = 1, plan_attempts = 1, ledger = {}},
    workspace = {diff = "", files = {}, base = "", head = "", chunk = workspace},
    verdicts = {{name = "CODE_APPLIED", fields = {{name = "summary", type = "string", optional = false}}}},
  }
end

local applied = '{"verdict": "CODE_APPLIED", "summary": "Do it"}'

return {
  ["the Reviewer of a change sees what the chunk has changed"] = function()
    local prompt = require("reviewer").tasks.code.prompt(chunk_with {diff = "+ new", files = {}, base = "b"})
    test.contains(prompt, "## The diff since the last approved commit\n\n```diff\n+ new\n```\n")
  end,
  ["the Super-Reviewer sees what the whole work has changed"] = function()
    local prompt = require("super_reviewer").prompt {
      ctx = {task = "T", plan = "P", ledger = {}, summary = "S"}, workspace = {diff = "+ new"},
    }
    test.contains(prompt, "## The diff of the whole work against its base\n\n```diff\n+ new\n```\n")
  end,
  ["the Planner sees the work that is done once more is asked for"] = function()
    local m = {
      ctx = {retries = 1, plan = "", task = "T", feedback = "more", carried_out = "P"},
      workspace = {diff = "+ new"},
    }
    local planner = require "planner"
    test.contains(planner.prompt(m), "## The work that is done\n\n```diff\n+ new\n```\n")
    m.ctx.retries = 0
    test.lacks(planner.prompt(m), "The work that is done")
  end,
  ["a change counts where files are changed"] = function()
    local parse = require("coder").tasks.apply.parse
    local verdict, fields = parse(applied, chunk_with {base = "b", files = {{path = "x"}}})
    test.equal(verdict, "CODE_APPLIED")
    test.equal(fields, {summary = "Do it"})
  end,
  ["a change may be told of in plain words"] = function()
    local parse = require("coder").tasks.apply.parse
    local _, fields = parse("Do it\n\nVERDICT: CODE_APPLIED", chunk_with {base = "b", files = {{path = "x"}}})
    test.equal(fields, {summary = "Do it"})
  end,
  ["a change that changes no file is none, and the Coder is told"] = function()
    local verdict, problem = require("coder").tasks.apply.parse(applied, chunk_with {base = "b", files = {}})
    test.equal(verdict, nil)
    test.equal(problem, "CODE_APPLIED, but no file is changed since the last approved commit;"
      .. " files have to be changed first, and those that git ignores do not count")
  end,
  ["without a worktree a change counts"] = function()
    test.equal(require("coder").tasks.apply.parse(applied, chunk_with {base = "", files = {}}), "CODE_APPLIED")
  end,
  ["another verdict needs no changed file"] = function()
    test.equal(require("coder").tasks.apply.parse("VERDICT: OTHER", chunk_with {base = "b", files = {}}), "OTHER")
  end,
}
