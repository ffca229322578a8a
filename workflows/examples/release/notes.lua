-- Writes the notes of a release.
local agneto = require "agneto"

return {
  prompt = function(m)
    return agneto.join({
      "Write the notes of release " .. m.inputs.version .. " into CHANGELOG.md, above the older ones,"
        .. " in their style. Read what changed since the last tag: git log, git diff.",
      agneto.section("How", agneto.bullets({
        "What a user can do now, what must be done on an update, what was mended; nothing internal.",
        "A line each, without praise.",
      })),
      "WRITTEN, with `notes`: what you put there.",
    })
  end,
}
