-- agneto test workflows/examples/panel
local test = require "test"
local reviewer = require "reviewer"

local verdicts = {
  {name = "APPROVE", fields = {}},
  {name = "REVISE", fields = {{name = "feedback", type = "string", optional = false}}},
}

local function read(reply)
  return {reviewer.parse(reply, {verdicts = verdicts})}
end

local function prompt()
  return reviewer.prompt {
    inputs = {side = "security", task = "Add --shout.", change = "Add --shout"},
    workspace = {chunk = {diff = "+shout", files = {"greet", "test.sh"}}},
  }
end

return {
  ["a verdict is taken as it is"] = function()
    test.equal(read "VERDICT: APPROVE", {"APPROVE", {}})
    test.equal(read "Check the input.\n\nVERDICT: REVISE", {"REVISE", {feedback = "Check the input."}})
  end,

  ["a list of findings is a verdict"] = function()
    test.equal(read "I saw:\n\ngreet:3: check the input\ntest.sh:9: say why\n",
      {"REVISE", {feedback = "greet:3: check the input\ntest.sh:9: say why"}})
  end,

  ["prose is none"] = function()
    test.equal(read "I would APPROVE, but greet should check its input.", {})
  end,

  ["the reviewer is told of its side and of the files"] = function()
    test.contains(prompt(), "for its security, and for nothing else")
    test.contains(prompt(), "- greet\n- test.sh")
  end,

  ["without a change there is nothing to judge"] = function()
    test.fails(function() reviewer.prompt {inputs = {side = "speed"}} end, "workspace")
  end,
}
