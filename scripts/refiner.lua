-- The Task Refiner makes a task clear before anybody plans it, asking the person if it must.
local agneto = require "agneto"
local prompts = require "prompts"

local function answers(list)
  local parts = {}
  for i, entry in ipairs(list) do
    parts[i] = "Question: " .. entry.question .. "\nAnswer: " .. entry.answer
  end
  return prompts.material("What you asked, and what the developer answered", agneto.join(parts))
end

local function questions(left)
  if left <= 0 then
    return "You may not ask anything more: give REFINED. Where something stays open, take the"
      .. " most cautious reading and name it in the description as an assumption."
  end
  return "Ask (QUESTION) only what the repository cannot tell you and what would change the result."
    .. " One question at a time, short, answerable in a sentence. You may ask " .. left
    .. " more; asking nothing is best."
end

return {
  prompt = function(m)
    return prompts.compose("Task Refiner", m, {
      "A developer has given a team of coding agents the task below, in a few words. Rewrite it so"
        .. " that a planner who cannot ask back knows exactly what is wanted. Look at the"
        .. " repository first: it answers most questions. Change nothing in it.",
      prompts.material("The task, in the developer's words", m.inputs.task),
      answers(m.ctx.answers),
      prompts.rules("A good description", {
        "says what is different when the task is done, and how one can see that it is",
        "says what must stay as it is, where a reader might otherwise change it",
        "uses the names that the repository uses, and says where in it the work belongs",
        "stands alone: whoever reads it sees neither the original nor your questions",
        "is short; a task that is clear already is returned almost as it came",
      }),
      prompts.rules("What not to do", {
        "Do not add wishes that the developer does not have, and drop none of theirs.",
        "Do not design the solution or list steps; that is the Planner's work.",
      }),
      prompts.rules("Your answer", {
        "REFINED, with the whole description as Markdown in `description`. The developer reads it"
          .. " and approves it, or keeps their own words.",
        questions(m.inputs.max_questions - #m.ctx.answers),
      }),
    })
  end,
}
