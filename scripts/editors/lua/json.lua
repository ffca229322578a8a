---@meta json
-- JSON, `require "json"`; for lua-language-server.

local json = {}

---Returns the value as JSON, with the keys of objects in order.
---@param value any
---@return string
function json.encode(value) end

---The value, or nil and why not. JSON's null is `null`.
---@param text string
---@return any value
---@return string? why
function json.decode(text) end

return json
