local Reviewer = {}

function Reviewer:prompt(m)
  return "Review what was done in " .. m.state
end

return Reviewer
