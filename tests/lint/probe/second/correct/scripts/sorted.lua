local agneto = require "agneto"

return {
  prompt = function(m)
    local sorted = table.move(m.ctx.findings, 1, #m.ctx.findings, 1, {})
    table.sort(sorted)
    return agneto.join {
      "Fix these, and nothing else.",
      agneto.section("Findings", agneto.bullets(sorted)),
      agneto.section("Begin with", m.ctx.worst),
      agneto.section("What it is about", agneto.fence(m.inputs.task)),
    }
  end,
}
