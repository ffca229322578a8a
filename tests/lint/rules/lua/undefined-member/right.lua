local prompts = require "prompts"
return {prompt = function(m) return prompts.summary(m.inputs.task) end}
