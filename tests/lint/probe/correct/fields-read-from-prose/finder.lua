local agneto = require "agneto"

local function links(reply)
  local found, at = {}, 1
  while true do
    local from, to, link = reply:find("DEAD: (%S+)", at)
    if not from then return found end
    found[#found + 1] = link
    at = to + 1
  end
end

return {
  prompt = function(m)
    return agneto.join {"Look for dead links. A line `DEAD: URL` for each.", agneto.fence(m.inputs.folder)}
  end,
  parse = function(reply, m)
    local found = links(reply)
    if #found > 0 then return "FOUND", {links = found} end
    return agneto.read_verdict(reply, m.verdicts)
  end,
}
