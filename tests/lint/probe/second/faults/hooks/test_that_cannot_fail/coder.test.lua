local coder = require "coder"

return {
  ["a refusal is read"] = function()
    return coder.parse("I cannot do it.", {verdicts = {}}) == "IMPOSSIBLE" -- <-- here
  end,
  ["the task stands in the prompt"] = function()
    return coder.prompt({inputs = {task = "Add a flag"}}):find("Add a flag") ~= nil -- <-- here
  end,
}
