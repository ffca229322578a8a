local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Were only imports changed? Others look at: " .. m.inputs.topic,
      "The files: " .. m.workspace.chunk.files, -- <-- here
    }
  end,
}
