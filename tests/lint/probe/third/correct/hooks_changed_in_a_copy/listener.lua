local agneto = require "agneto"

return {
  prompt = function(m)
    local ctx = {heard = {}, rounds = m.ctx.rounds}
    for i, word in ipairs(m.ctx.heard) do ctx.heard[i] = word end
    table.sort(ctx.heard)
    ctx.rounds = ctx.rounds + 1
    local text = agneto.render("Round {{rounds}} for: {{task}}", {rounds = ctx.rounds, task = m.inputs.task})
    return agneto.join {text, agneto.section("Heard", agneto.bullets(ctx.heard)), "Is that enough?"}
  end,
}
