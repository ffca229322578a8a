local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Translate this page into German, in a file beside it.",
      agneto.section("The page", agneto.fence(m.inputs.page)),
      agneto.section("What the checker says", agneto.fence(m.ctx.remark)), -- <-- here
    }
  end,
}
