local agneto = require "agneto"

return {
  prompt = function(m) return agneto.join {"List dead links, each as FINDING.", agneto.fence(m.inputs.folder)} end,
  parse = function(reply)
    local count, at = 0, 1
    while reply:find("FINDING", at, true) do -- <-- here
      count = count + 1
    end
    return "COUNTED", {count = count}
  end,
}
