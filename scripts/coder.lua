-- The Coder does a chunk in two jobs: `plan` proposes how, `apply` changes the files. Both are one
-- conversation that lasts as long as the chunk; a revision brings only the feedback.
local agneto = require "agneto"
local prompts = require "prompts"

local plan_answer = prompts.rules("Your answer", {
  "PLAN_PROPOSED, with the whole proposal as Markdown in `proposal`: which files and functions"
    .. " change and how, which tests show that it works, and what you left out on purpose. If the"
    .. " chunk turns out to be done already, or to be wrong, say so in the proposal.",
})

local function first_proposal(m)
  return {
    "Propose how to implement the chunk of work below. A Reviewer judges the proposal before you"
      .. " may change anything, so for now only read.",
    prompts.chunk_in_task(m),
    prompts.rules("A good proposal", {
      "does this chunk, all of it, and nothing of the others",
      "is the smallest change that does it well, in the style of the code around it",
      "rests on what you read in the repository, not on what you suppose",
      "keeps what works working, its tests included",
    }),
    plan_answer,
  }
end

local function revised_proposal(m)
  return {
    "Your proposal for the chunk '" .. m.ctx.chunk.title .. "' was not approved. Revise it so that"
      .. " it answers the feedback, all of it. Where the feedback is mistaken, say why and show"
      .. " where. Still change nothing.",
    prompts.material("The feedback", m.ctx.feedback),
    plan_answer,
  }
end

local apply_answer = prompts.rules("Your answer", {
  "CODE_APPLIED when the files are changed, with a `summary` that becomes the commit's message: a"
    .. " subject in the imperative of at most 72 characters, an empty line, then what changed and"
    .. " why in a few lines. Describe the chunk's whole change, not only the last revision.",
})

local function first_code(m)
  return {
    "Your proposal was approved. Carry it out now: change the files in this directory.",
    prompts.material("The approved proposal for '" .. m.ctx.chunk.title .. "'", m.ctx.proposal,
      "markdown"),
    prompts.rules("How to work", {
      "Do what was approved and no more. Where it turns out not to work, do the nearest thing that"
        .. " does, and say so in the summary.",
      "Finish it: no placeholders, nothing commented out, no notes to do it later.",
      "Write the tests that belong to it, and run what you can run.",
      "Leave no files behind that do not belong to the change.",
      "Do not commit, and leave branches and other git state alone; that is done for you.",
    }),
    prompts.material("The command that must pass before the change is committed", m.inputs.verify),
    apply_answer,
  }
end

local function revised_code(m)
  return {
    "Your change for the chunk '" .. m.ctx.chunk.title .. "' is not good enough yet. It is still in"
      .. " the files: amend it so that it answers the feedback, all of it. Where the feedback is"
      .. " mistaken, say why in the summary. The same rules hold as before; do not commit.",
    prompts.material("The feedback", m.ctx.feedback),
    apply_answer,
  }
end

return {
  tasks = {
    plan = {
      prompt = function(m)
        local parts = m.ctx.plan_attempts <= 1 and first_proposal(m) or revised_proposal(m)
        return prompts.compose("Coder", m, parts)
      end,
    },
    apply = {
      prompt = function(m)
        local parts = m.ctx.code_attempts <= 1 and first_code(m) or revised_code(m)
        return prompts.compose("Coder", m, parts)
      end,
      -- Nobody is asked to review a change that is none: the Coder is told, in the same conversation.
      -- A test has no worktree, and no base, so that there it counts as one.
      parse = function(reply, m)
        local verdict, fields = agneto.read_verdict(reply, m.verdicts)
        local chunk = m.workspace.chunk
        if verdict == "CODE_APPLIED" and chunk.base ~= "" and #chunk.files == 0 then
          return nil, "CODE_APPLIED, but no file is changed since the last approved commit;"
            .. " files have to be changed first, and those that git ignores do not count"
        end
        return verdict, fields
      end,
    },
  },
}
