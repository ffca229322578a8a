return {prompt = function(m) return "Answer CODE_APPROVED or CODE_REJECTED." end}
