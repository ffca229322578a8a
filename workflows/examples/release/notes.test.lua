-- agneto test workflows/examples/release
local test = require "test"
local notes = require "notes"

local function prompt(task, ctx)
  return notes.tasks[task].prompt {inputs = {version = "1.4.0"}, ctx = ctx}
end

return {
  ["the notes are of this version"] = function()
    test.contains(prompt("notes", {remark = ""}), "Write the notes of release 1.4.0")
    test.lacks(prompt("notes", {remark = ""}), "What must change")
  end,

  ["what a person wants changed is in the prompt"] = function()
    test.contains(prompt("notes", {remark = "Name the option."}), "```text\nName the option.\n```")
  end,

  ["the announcement goes by the notes"] = function()
    test.contains(prompt("announcement", {notes = "- mended"}), "Now announce release 1.4.0,")
    test.contains(prompt("announcement", {notes = "- mended"}), "- mended")
  end,
}
