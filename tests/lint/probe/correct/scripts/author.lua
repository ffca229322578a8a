local agneto = require "agneto"

return {
  tasks = {
    draft = {
      prompt = function(m)
        return agneto.join {"Draft a page of documentation.", agneto.section("About", agneto.fence(m.inputs.topic))}
      end,
    },
    polish = {
      prompt = function(m)
        return agneto.join {"Polish the page that you drafted.", agneto.section("About", agneto.fence(m.inputs.topic))}
      end,
    },
  },
}
