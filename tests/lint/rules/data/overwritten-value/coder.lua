return {prompt = function(m) return "Do it. " .. m.ctx.feedback end}
