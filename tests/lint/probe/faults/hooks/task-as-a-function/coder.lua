local agneto = require "agneto"

return {
  tasks = {
    plan = function(m) -- <-- here
      return agneto.join {"Plan this.", agneto.fence(m.inputs.task)}
    end,
    work = {
      prompt = function(m) return agneto.join {"Carry it out.", agneto.fence(m.inputs.task)} end,
    },
  },
}
