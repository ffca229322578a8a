-- Implements the task, and amends the change by what the panel says.
local agneto = require "agneto"

local function first(m)
  return {
    "Do what is asked below, in this repository. Leave nothing behind that does not belong to it.",
    agneto.section("The task", agneto.fence(m.inputs.task, "text")),
  }
end

local function again(m)
  return {
    "The change was reviewed. Amend it by what the reviewers say, and change nothing else.",
    agneto.section("The reviewers", agneto.fence(m.ctx.feedback, "text")),
  }
end

return {
  prompt = function(m)
    local parts = m.ctx.feedback == "" and first(m) or again(m)
    parts[#parts + 1] = "APPLIED, with a `summary`: the whole change as a commit message."
    return agneto.join(parts)
  end,
}
