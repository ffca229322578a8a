local agneto = require "agneto"

local TEXT = [[
Carry out the plan below, and nothing else.

The task: {{task}}

The plan:

{{plan}}
]]

return {
  prompt = function(m)
    return agneto.render(TEXT, {task = m.inputs.task, proposal = m.ctx.plan}) -- <-- here
  end,
}
