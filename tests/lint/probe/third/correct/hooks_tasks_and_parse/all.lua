local agneto = require "agneto"

local function task(words, parse)
  return {
    prompt = function(m)
      return agneto.join {
        words,
        agneto.section("The task", agneto.fence(m.inputs.task)),
        agneto.section("The plan", agneto.fence(m.ctx.plan)),
        agneto.section("Notes", agneto.bullets(m.ctx.notes)),
        m.attempt > 1 and "The last try failed: " .. (m.last_error or "nobody knows why") or nil,
      }
    end,
    parse = parse,
  }
end

local tasks = {plan = task("Plan it."), sum = task("Sum it up.")}

tasks.notes = task("What is to be noted?", function(reply, m)
  local notes = {}
  for line in reply:gmatch("[^\n]+") do
    local note = line:match("^%- (.+)")
    if note then notes[#notes + 1] = note end
  end
  if #notes > 20 then return nil, "more than 20 notes: merge some" end
  if #notes > 0 then return "NOTED", {notes = notes} end
  return agneto.read_verdict(reply, m.verdicts)
end)

return {tasks = tasks}
