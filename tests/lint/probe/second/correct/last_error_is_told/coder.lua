local agneto = require "agneto"

local function tail(text, lines)
  local all = {}
  for line in (text .. "\n"):gmatch("(.-)\n") do all[#all + 1] = line end
  return table.concat(all, "\n", math.max(1, #all - lines))
end

return {
  prompt = function(m)
    local parts = {"Do the task below.", agneto.section("The task", agneto.fence(m.inputs.task))}
    if m.ctx.rounds > 1 then
      parts[#parts + 1] = agneto.section("The tests of round " .. m.ctx.rounds - 1, agneto.fence(tail(m.ctx.feedback, 40)))
    end
    if m.attempt > 1 then
      parts[#parts + 1] = agneto.section("Your last try broke off", m.last_error)
    end
    return agneto.join(parts)
  end,
}
