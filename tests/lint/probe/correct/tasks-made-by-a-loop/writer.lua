local agneto = require "agneto"

local what = {
  shorten = "Cut a third of this page, without losing a fact.",
  simplify = "Use plain words and short sentences in this page.",
}

local tasks = {}
for name, text in pairs(what) do
  tasks[name] = {
    prompt = function(m) return agneto.join {text, agneto.section("The page", agneto.fence(m.inputs.page))} end,
  }
end

return {tasks = tasks}
