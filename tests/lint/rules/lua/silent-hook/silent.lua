return {prompt = function(m) local text = "Write the code for " .. m.state end}
