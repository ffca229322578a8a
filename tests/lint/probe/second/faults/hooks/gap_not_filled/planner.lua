local agneto = require "agneto"
return {
  prompt = function(m) return agneto.join {"Plan this.", agneto.fence(m.inputs.task)} end,
}
