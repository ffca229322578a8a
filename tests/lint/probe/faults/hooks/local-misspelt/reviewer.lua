local agneto = require "agneto"

return {
  prompt = function(m)
    local diff = m.workspace.chunk.diff
    return agneto.join {
      "Does this migration of the table " .. m.inputs.table .. " lose data or lock for long? SAFE or UNSAFE.",
      agneto.section("The migration", agneto.fence(dif, "diff")), -- <-- here
    }
  end,
}
