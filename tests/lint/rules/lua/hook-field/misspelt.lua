return {prompt = function(m) return "Write it. You said: " .. m.ctx.remark .. m.ctx.remarks end}
