local agneto = require "agneto"

local function judging(what, of)
  return {
    prompt = function(m)
      local changes = of(m.workspace)
      return agneto.join {
        "Judge " .. what .. ".",
        agneto.section("The task", agneto.fence(m.inputs.task)),
        agneto.section("The files", agneto.bullets(changes.files)),
        agneto.section("The change", agneto.fence(changes.diff, "diff")),
      }
    end,
  }
end

return {
  tasks = {
    chunk = judging("this part", function(workspace) return workspace.chunk end),
    whole = judging("all of it", function(workspace) return workspace end),
  },
}
