local prompts = require "prompts"
return {prompt = function(m) return prompts.sumary(m.inputs.task) end}
