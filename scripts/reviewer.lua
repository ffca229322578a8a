-- The Reviewer judges a chunk twice: `plan` the Coder's proposal, `code` the change itself. Both are
-- one conversation that lasts as long as the chunk.
local prompts = require "prompts"

local needs_human = "with `reason`, where the decision is not yours: the task can be read in ways"
  .. " that lead to different results, or data, security or what others rely on is at stake. Say"
  .. " what is to be decided. Doubt that you can settle by reading is no reason."

local plan_answer = prompts.rules("Your answer", {
  "PLAN_APPROVED where the Coder should go ahead.",
  "PLAN_REVISION_REQUESTED, with `feedback`, where it is on the right way but must change first."
    .. " Say what and why, concrete enough to act on, everything at once.",
  "PLAN_ALREADY_DONE, with `reason`, where the repository already does what the chunk asks. Say"
    .. " where you saw it.",
  "PLAN_REJECTED, with `reason`, where the chunk itself is wrong: it does not belong to the task, or"
    .. " cannot be done as it was cut. It goes back to whoever cut it, not to the Coder.",
  "PLAN_NEEDS_HUMAN, " .. needs_human,
})

local function first_proposal(m)
  return {
    "A Coder proposes how to implement the chunk of work below. Judge the proposal, as a maintainer"
      .. " who will live with the result. Check what it claims against the repository. Change"
      .. " nothing; nothing has been changed yet.",
    prompts.chunk_in_task(m),
    prompts.material("The Coder's proposal", m.ctx.proposal, "markdown"),
    prompts.rules("Approve it if", {
      "it does the whole chunk, and nothing of the others",
      "it would work, also where input is bad or things fail",
      "it fits the code around it and is no larger than it needs to be",
      "there is a way to see that it works",
    }),
    "Do not ask for what you would merely have done differently.",
    plan_answer,
  }
end

local function revised_proposal(m)
  return {
    "The Coder has revised the proposal for the chunk '" .. m.ctx.chunk.title .. "'. Judge it by the"
      .. " same rules: is the feedback answered? Raise nothing new that you could have raised"
      .. " before, unless it is serious.",
    prompts.material("The feedback it was to answer", m.ctx.feedback),
    prompts.material("The revised proposal", m.ctx.proposal, "markdown"),
    plan_answer,
  }
end

local code_answer = prompts.rules("Your answer", {
  "CODE_APPROVED where it should be committed as it is.",
  "CODE_REVISION_REQUESTED, with `feedback`, where it must change first. For each point: the file"
    .. " and place, what is wrong, what would be right. Everything at once, the serious first.",
  "CODE_REJECTED, with `reason`, where the change should be thrown away: the way is wrong, and"
    .. " amending it would be more work than starting over.",
  "CODE_NEEDS_HUMAN, " .. needs_human,
})

local function code(m)
  local revised = m.ctx.code_attempts > 1
  return {
    (revised and "The Coder has amended the change" or "The Coder has carried out the proposal")
      .. " for the chunk below. Judge the change by the diff, and read the files around it. Believe"
      .. " the diff, not the summary. Change nothing.",
    prompts.chunk(m),
    prompts.material("The approved proposal", m.ctx.proposal, "markdown"),
    revised and prompts.material("The feedback that the change was to answer", m.ctx.feedback) or "",
    prompts.material("The Coder's summary; it becomes the commit's message", m.ctx.change),
    prompts.diff("The diff since the last approved commit", m.workspace.chunk.diff),
    prompts.material("The command that is run after your approval, and must pass", m.inputs.verify),
    prompts.rules("Approve it if", {
      "it does what the chunk asks and what the proposal said, and nothing else",
      "it is right: bad input, failures, limits, other callers of what it changes",
      "what worked before still works, and the tests show that the new works",
      "it reads like the code around it, with nothing left over: no stray files, no dead code",
      "the summary is true",
    }),
    "Do not ask for what you would merely have done differently.",
    code_answer,
  }
end

return {
  tasks = {
    plan = {
      prompt = function(m)
        local parts = m.ctx.plan_attempts <= 1 and first_proposal(m) or revised_proposal(m)
        return prompts.compose("Reviewer", m, parts)
      end,
    },
    code = {
      prompt = function(m) return prompts.compose("Reviewer", m, code(m)) end,
    },
  },
}
