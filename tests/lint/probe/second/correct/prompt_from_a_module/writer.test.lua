local test = require "test"
local writer = require "writer"

return {
  ["each style has a text"] = function()
    for _, style in ipairs {"short", "long"} do
      test.contains(writer.prompt {inputs = {task = "cats", style = style}, attempt = 1}, "cats")
    end
  end,
  ["a style that there is not"] = function()
    test.fails(function() writer.prompt {inputs = {task = "cats", style = "odd"}, attempt = 1} end)
  end,
}
