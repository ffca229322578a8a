local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {"List what is left to do in the code, a line each.", agneto.fence(m.inputs.folder)}
  end,
  parse = function(reply, m)
    lines = lines or {} -- <-- here
    for line in reply:gmatch("%- ([^\n]+)") do lines[#lines + 1] = line end
    if #lines == 0 then return agneto.read_verdict(reply, m.verdicts) end
    return "LISTED", {todos = table.concat(lines, "\n")}
  end,
}
