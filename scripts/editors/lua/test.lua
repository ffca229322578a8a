---@meta test
-- The assertions for tests of hooks, `require "test"`; for lua-language-server.

local test = {}

---Fails unless both are the same; tables are compared by what is in them.
---@param found any
---@param expected any
function test.equal(found, expected) end

---Fails unless the text contains the part, letter by letter.
---@param text string
---@param part string
function test.contains(text, part) end

---Fails if the text contains the part.
---@param text string
---@param part string
function test.lacks(text, part) end

---Fails unless the call raises an error, with `part` in its message if that is given.
---@param call fun()
---@param part? string
function test.fails(call, part) end

return test
