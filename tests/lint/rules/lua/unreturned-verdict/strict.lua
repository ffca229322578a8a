return {
  prompt = function(m) return "Is it good? Answer with yes or no." end,
  parse = function(reply)
    if reply:find("yes") then return "GOOD" end
    return "BAD"
  end,
}
