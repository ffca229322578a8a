---@meta agneto
-- The hook library, `require "agneto"`; for lua-language-server. "Nothing" is nil, `null` or the empty
-- text.

local agneto = {}

---"## title", an empty line and the body; "" where the body is nothing.
---@param title string
---@param body any
---@return string
function agneto.section(title, body) end

---The text in a fenced block, whose fence is longer than any in the text, so that nothing in it can end
---the block. "" where the text is nothing.
---@param text any
---@param lang? string
---@return string
function agneto.fence(text, lang) end

---One "- item" a line; further lines of an item are indented. Items that are nothing are left out.
---@param list? any[]
---@return string
function agneto.bullets(list) end

---The parts that are not nothing, with an empty line between them.
---@param parts any[]
---@return string
function agneto.join(parts) end

---Text as it stands, what is nothing as "", anything else as JSON.
---@param value any
---@return string
function agneto.text(value) end

---False for what is nothing, and for false.
---@param value any
---@return boolean
function agneto.holds(value) end

---The text with every {{a.b.c}} replaced by data.a.b.c; items of a list count from one.
---@param text string
---@param data table
---@return string
function agneto.render(text, data) end

---The text that tells an agent how to end its reply. The engine appends it by itself.
---@param verdicts agneto.Verdict[]
---@param way? string How the provider takes a verdict; without it, a fenced block is asked for.
---@return string
function agneto.verdict_format(verdicts, way) end

---The verdict at the end of a reply and its fields: of a JSON object, of the last block marked `json`, or
---of a last line `VERDICT: NAME`; never out of prose.
---@param reply string
---@param verdicts? agneto.Verdict[]
---@return string? name
---@return table<string, any>|string|nil fields Or, without a name, what is wrong with the reply.
function agneto.read_verdict(reply, verdicts) end

return agneto
