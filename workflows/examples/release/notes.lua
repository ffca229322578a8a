-- Writes the notes of a release, and its announcement.
local agneto = require "agneto"

local notes = {
  prompt = function(m)
    return agneto.join {
      "Write the notes of release " .. m.inputs.version .. " into CHANGELOG.md, above the older ones,"
        .. " in their style. Read what changed since the last tag: git log, git diff.",
      agneto.section("What must change in the notes that you wrote", agneto.fence(m.ctx.remark, "text")),
      agneto.section("How", agneto.bullets {
        "What a user can do now, what must be done on an update, what was mended; nothing internal.",
        "A line each, without praise.",
      }),
      "WRITTEN, with `notes`: what you put there.",
    }
  end,
}

local announcement = {
  prompt = function(m)
    return agneto.join {
      agneto.render("Now announce release {{inputs.version}}, in a paragraph for those who do not use it"
        .. " yet. Change no file.", m),
      agneto.section("Its notes", agneto.fence(m.ctx.notes, "text")),
      "ANNOUNCED, with `text`: the paragraph.",
    }
  end,
}

return {tasks = {notes = notes, announcement = announcement}}
