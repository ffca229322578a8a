local agneto = require "agneto"

local function again(m)
  agneto.join { -- <-- here
    "Amend the change.",
    agneto.section("What must change", agneto.fence(m.ctx.feedback)),
  }
end

return {
  prompt = function(m)
    if m.ctx.feedback ~= "" then return again(m) end
    return agneto.join {"Do this.", agneto.fence(m.inputs.task)}
  end,
}
