local agneto = require "agneto"

return {
  prompt = function(m)
    local parts = {"Do this task.", agneto.section("The task", agneto.fence(m.inputs.task))}
    if m.attempt > 1 then
      table.insert(parts, "Your last reply could not be used: " .. (m.last_error or "it did not come"))
    end
    return agneto.join(parts)
  end,
  parse = function(reply, m)
    local verdict, fields = agneto.read_verdict(reply, m.verdicts)
    if verdict == "CHANGED" and #m.workspace.chunk.files == 0 then
      return nil, "no file is changed; change the files, or say IMPOSSIBLE"
    end
    return verdict, fields
  end,
}
