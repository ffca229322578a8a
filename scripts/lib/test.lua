--- What unit tests of hook modules say that must be so.
--
-- `local test = require "test"`, in a file NAME.test.lua that returns a table of functions by name:
-- `agneto test` calls each, and one that raises an error has failed.
local json = require "json"

local test = {}

local function shown(value)
  if value == nil then return "nil" end
  return json.encode(value)
end

-- Tables are equal where their JSON is: it is written in the order of its keys.
local function same(a, b)
  return a == b or (type(a) == "table" and type(b) == "table" and json.encode(a) == json.encode(b))
end

--- equal(found, expected): that both are the same; tables are compared by what is in them.
function test.equal(found, expected)
  if not same(found, expected) then
    error("expected " .. shown(expected) .. ", found " .. shown(found), 2)
  end
end

--- contains(text, part): that the part stands in the text, as it is.
function test.contains(text, part)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    error("expected " .. shown(part) .. " in " .. shown(text), 2)
  end
end

--- lacks(text, part): that the part does not.
function test.lacks(text, part)
  if type(text) ~= "string" or text:find(part, 1, true) then
    error("expected no " .. shown(part) .. " in " .. shown(text), 2)
  end
end

--- fails(call, part): that the call raises an error whose message has the part in it.
function test.fails(call, part)
  local fine, message = pcall(call)
  if fine then error("expected an error, found none", 2) end
  if part and not tostring(message):find(part, 1, true) then
    error("expected " .. shown(part) .. " in the error " .. shown(tostring(message)), 2)
  end
end

return test
