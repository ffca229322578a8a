return {
  prompt = function(m)
    return "APPROVED or REFUSED: is this what was asked for?\n\n" .. m.workspace.chunk.diff
  end,
}
