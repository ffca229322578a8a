return {prompt = function(m) return m.inputs.task end}
