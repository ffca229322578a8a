local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "This is a task that is carried out and then judged. Do your part of it, of the state " .. m.state .. ".",
      agneto.section("The task", agneto.fence(m.inputs.task)),
    }
  end,
}
