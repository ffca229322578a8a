local agneto = require "agneto"

return {
  tasks = {
    research = {
      prompt = function(m)
        return agneto.join {"Find out what is asked below.", agneto.fence(m.inputs.question)}
      end,
    },
    summarise = {
      prompt = function(m)
        return agneto.join {
          "Sum up in ten lines what you found.",
          agneto.section("The question", agneto.fence(m.inputs.question)),
          agneto.section("Your notes", agneto.fence(m.ctx.notes)),
        }
      end,
    },
  },
}
