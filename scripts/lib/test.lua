--- The assertions for unit tests of hook modules.
--
-- `local test = require "test"`, in a file NAME.test.lua that returns a table of functions by name:
-- `agneto test` calls each, and one that raises an error has failed.
local json = require "json"

local test = {}

-- `around`: the tables that it stands in.
local function contains_itself(value, around)
  if type(value) ~= "table" then return false end
  if around[value] then return true end
  around[value] = true
  for _, inner in pairs(value) do
    if contains_itself(inner, around) then return true end
  end
  around[value] = nil
  return false
end

-- Returns the value as JSON, sorted by its keys; nil and the reason if it is not data.
local function encoded(value)
  if contains_itself(value, {}) then return nil, "a table that contains itself" end
  local fine, text = pcall(json.encode, value)
  if fine then return text end
  return nil, "a " .. type(value) .. " that is no data"
end

local function shown(value)
  if value == nil then return "nil" end
  local text, why = encoded(value)
  return text or why
end

-- Tables are equal where their JSON is.
local function same(a, b)
  if a == b or type(a) ~= "table" or type(b) ~= "table" then return a == b end
  local text = encoded(a)
  return text ~= nil and text == encoded(b)
end

--- equal(found, expected): fails unless both are the same; tables are compared by what is in them.
function test.equal(found, expected)
  if not same(found, expected) then
    error("expected " .. shown(expected) .. ", found " .. shown(found), 2)
  end
end

--- contains(text, part): fails unless the text contains the part, letter by letter.
function test.contains(text, part)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    error("expected " .. shown(part) .. " in " .. shown(text), 2)
  end
end

--- lacks(text, part): fails if the text contains the part.
function test.lacks(text, part)
  if type(text) ~= "string" or text:find(part, 1, true) then
    error("expected no " .. shown(part) .. " in " .. shown(text), 2)
  end
end

--- fails(call, part): fails unless the call raises an error with the part in its message.
function test.fails(call, part)
  local fine, message = pcall(call)
  if fine then error("expected an error, found none", 2) end
  if part and not tostring(message):find(part, 1, true) then
    error("expected " .. shown(part) .. " in the error " .. shown(tostring(message)), 2)
  end
end

return test
