---@meta test
-- What tests of hooks say that must be so, `require "test"`; for lua-language-server.

local test = {}

---That both are the same; tables are compared by what is in them.
---@param found any
---@param expected any
function test.equal(found, expected) end

---That the part stands in the text, as it is.
---@param text string
---@param part string
function test.contains(text, part) end

---That the part does not.
---@param text string
---@param part string
function test.lacks(text, part) end

---That the call raises an error; that `part`, where it is given, stands in its message.
---@param call fun()
---@param part? string
function test.fails(call, part) end

return test
