return {
  prompt = function() return "End with a line APPROVED or NOT_APPROVED." end,
  parse = function(reply)
    if reply:find("NOT_APPROVED", 1, true) then return "NOT_APPROVED", {} end
    if reply:find("APPROVED", 1, true) then return "APPROVED", {} end
    return nil, "the last line is neither"
  end,
}
