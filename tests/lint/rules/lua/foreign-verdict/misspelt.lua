return {prompt = function(m) return "Answer CODE_APROVED or CODE_REJECTED." end}
