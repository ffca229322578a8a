local job = {prompt = function(m) return "Do it: " .. m.task end}
return {tasks = {plan = job, code = job}}
