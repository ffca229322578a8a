local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Do the task below in this repository.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("Your answer", agneto.bullets {
        "DONE where the task is done.", -- <-- here
        "BLOCKED with `reason` where it cannot be done.", -- <-- here
      }),
    }
  end,
}
