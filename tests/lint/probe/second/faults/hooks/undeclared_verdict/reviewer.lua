local agneto = require "agneto"
return {
  prompt = function(m)
    return agneto.join {
      "Judge this change. End with a line LGTM, or with a line CHANGE: and what to change.",
      agneto.section("The task", agneto.fence(m.inputs.task)),
      agneto.section("The change", agneto.fence(m.workspace.chunk.diff, "diff")),
    }
  end,
  parse = function(reply)
    if reply:find("\nLGTM%s*$") or reply:find("^LGTM%s*$") then return "APPROVE", {} end -- <-- here
    local remark = reply:match("CHANGE: (.*)$")
    if remark then return "REFUSED", {remark = remark} end
    return nil, "end with LGTM or CHANGE: ..."
  end,
}
