return {
  prompt = function(m)
    return "Rename " + m.inputs.old + " to " + m.inputs.new + " wherever it is used." -- <-- here
  end,
}
