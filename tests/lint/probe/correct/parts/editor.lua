local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in one file, and in no other.",
      agneto.section("The file", agneto.fence(m.inputs.file)),
      agneto.section("The task", agneto.fence(m.inputs.task)),
    }
  end,
}
