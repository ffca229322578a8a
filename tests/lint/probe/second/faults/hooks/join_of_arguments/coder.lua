local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join( -- <-- here
      "Do the task below.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      "CHANGED where it is done, IMPOSSIBLE where it cannot be."
    )
  end,
}
