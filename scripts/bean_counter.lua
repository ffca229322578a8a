-- The Bean Counter keeps the ledger: what is done, what is not, and which chunk comes next. Its
-- conversation lasts as long as the execution, so only its first prompt tells the whole story.
local prompts = require "prompts"

local answer = prompts.rules("Your answer", {
  "CHUNK_READY, with a `title` of a few words and a `description`: what is to be done in this"
    .. " chunk, what belongs to it and what does not, and how one can see that it is done. The"
    .. " Coder works from these words.",
  "TASK_COMPLETED, with a `summary` of what was done, when nothing of the task is left. Look at"
    .. " the repository before you say so; do not think of more work.",
})

local function first(m)
  return {
    "You decide what is worked on next. A Coder carries out one chunk of work at a time and a"
      .. " Reviewer judges it; each approved chunk becomes a commit. After each I tell you what"
      .. " became of it, and you keep the ledger: what is done, and what is not. Read the repository"
      .. " as you need; change nothing in it.",
    prompts.material("The task", m.inputs.task),
    prompts.material("The approved plan", m.inputs.plan, "markdown"),
    prompts.ledger("Chunks of an earlier round, finished already", m.inputs.ledger),
    prompts.rules("A good chunk", {
      "is the next step of the plan, or a part of it: small enough to review in one sitting, large"
        .. " enough to be worth it",
      "leaves the repository working, its tests too, and makes sense as one commit",
      "holds its own tests and documents, where the plan has any",
      "stays within the plan; small steps that belong together are one chunk",
    }),
  }
end

local news = {
  committed = "It was approved and committed.",
  ["already done"] = "The Reviewer found that it is done already. Nothing was changed.",
  rejected = "The Reviewer rejected it, and its changes were thrown away. Do not propose the same"
    .. " again: cut the work differently, or leave out what was wrong.",
}

local function next_one(m)
  local last = m.ctx.ledger[#m.ctx.ledger]
  return {
    "The chunk '" .. last.title .. "' is over. " .. news[last.result],
    prompts.material(last.result == "committed" and "What was done" or "The reason", last.note),
    prompts.ledger("The ledger so far", m.ctx.ledger),
    "Bring your ledger up to date and choose the next chunk, by the same rules as before.",
  }
end

return {
  prompt = function(m)
    local parts = m.ctx.chunks == 0 and first(m) or next_one(m)
    parts[#parts + 1] = answer
    return prompts.compose("Bean Counter", m, parts)
  end,
}
