local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join {
      "Remove what nobody uses from this folder.",
      agneto.section("The folder", agneto.fence(m.inputs.folder)),
      agneto.bullets("Delete no tests.", "Keep public names."), -- <-- here
    }
  end,
}
