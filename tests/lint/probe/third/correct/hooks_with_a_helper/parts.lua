local agneto = require "agneto"
local parts = {}

parts.words = {CODING = "Do the task below.", REVIEWING = "Judge the change below.", other = "Help with the task below."}

function parts.task(m) return agneto.section("The task", agneto.fence(m.inputs.task)) end

return parts
