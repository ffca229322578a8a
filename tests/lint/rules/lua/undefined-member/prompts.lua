local prompts = {}

function prompts.summary(text)
  return "Say in one sentence what is to be done: " .. text
end

return prompts
