return {
  prompt = function(m)
    return agneto.join { -- <-- here
      "Label the issue below by the part of the code that it is about.",
      agneto.section("The issue", agneto.fence(m.inputs.issue)),
    }
  end,
}
