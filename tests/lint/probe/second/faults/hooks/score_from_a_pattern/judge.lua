local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "How well is this described? End with a line `Score: N`, of 10.",
      agneto.fence(m.inputs.task),
    }
  end,
  parse = function(reply)
    local score = reply:match("Score: (%d+)")
    if not score then return nil, "there is no line 'Score: N'" end
    return "SCORED", {score = score} -- <-- here
  end,
}
