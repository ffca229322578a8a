return {prompt = function(m) return "Write the code for " .. m.state end}
