local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Judge the change below. One line `- FILE: what is wrong` for each problem, or the line NONE.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
  parse = function(reply)
    local comments = {}
    for line in reply:gmatch("[^\n]+") do
      if line:find("^%- ") then comments[#comments + 1] = line end
    end
    if #comments > 0 then
      return "REVISE", {comments = table.concat(comments, "\n")} -- <-- here
    end
    if reply:find("NONE", 1, true) then return "APPROVED", {} end
    return nil, "neither a problem nor NONE"
  end,
}
