-- Tests of the hooks alone: `agneto test my_workflow` calls each function; an error is a failure.
local test = require "test"
local coder = require "coder"

-- What the hook is given, as far as it looks at it.
local function m(feedback) return {inputs = {task = "Add a flag"}, ctx = {feedback = feedback}} end

return {
  ["at first there is no feedback"] = function()
    test.lacks(coder.prompt(m("")), "What to change first")
  end,

  ["feedback is passed on"] = function()
    test.contains(coder.prompt(m("Where is the test?")), "Where is the test?")
  end,
}
