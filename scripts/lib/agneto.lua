--- The hook library: what most prompts and replies need.
--
-- `local agneto = require "agneto"`, in any hook module or a file that one requires.
--
-- Everywhere here "nothing" is nil, `null` (JSON null) or the empty text.
local json = require "json"

local agneto = {}

local function is_nothing(value) return value == nil or value == null or value == "" end

-- Text as it is, nothing as "", anything else as JSON.
local function as_text(value)
  if is_nothing(value) then return "" end
  if type(value) == "string" then return value end
  return json.encode(value)
end

-- Each part looks at a character once, however much space there is.
local function trimmed(text)
  local start = text:find("%S")
  return start and text:sub(start):match("^.*%S") or ""
end

--- section(title, body): "## title", an empty line and the body; "" if the body is nothing.
function agneto.section(title, body)
  if is_nothing(body) then return "" end
  return "## " .. title .. "\n\n" .. as_text(body):gsub("%s+$", "") .. "\n"
end

--- fence(text, lang): the text in a fenced block, whose fence is longer than any in the text, so
-- that nothing in it can end the block. "" if the text is nothing.
function agneto.fence(text, lang)
  if is_nothing(text) then return "" end
  text = as_text(text)
  local longest = 2
  for ticks in text:gmatch("`+") do
    if #ticks > longest then longest = #ticks end
  end
  local fence = ("`"):rep(longest + 1)
  return fence .. (lang or "") .. "\n" .. text:gsub("\n$", "") .. "\n" .. fence
end

--- bullets(list): one "- item" a line; further lines of an item are indented. Items that are
-- nothing are left out.
function agneto.bullets(list)
  local lines = {}
  for _, item in ipairs(list or {}) do
    if not is_nothing(item) then
      lines[#lines + 1] = "- " .. trimmed(as_text(item)):gsub("\n", "\n  ")
    end
  end
  return table.concat(lines, "\n")
end

--- join(parts): the parts that are not nothing, with an empty line between them.
function agneto.join(parts)
  local kept = {}
  for _, part in pairs(parts) do  -- in order, and past any nil between them
    if not is_nothing(part) then kept[#kept + 1] = as_text(part):gsub("%s+$", "") end
  end
  return table.concat(kept, "\n\n")
end

--- text(value): text as it stands, what is nothing as "", anything else as JSON.
function agneto.text(value) return as_text(value) end

--- holds(value): false for what is nothing, and for false.
function agneto.holds(value) return value ~= false and not is_nothing(value) end

--- render(text, data): the text with every {{a.b.c}} replaced by data.a.b.c. List items count from
-- one, {{items.1}}. Text stands as it is, what is not there as "", other values as JSON. What was
-- put in is not looked at again.
function agneto.render(text, data)
  return (text:gsub("{{%s*([%w_.-]+)%s*}}", function(path)
    local value = data
    for key in path:gmatch("[^.]+") do
      if type(value) ~= "table" then return "" end
      local found = value[key]
      if found == nil then found = value[tonumber(key)] end
      value = found
    end
    return as_text(value)
  end))
end

-- Verdicts ------------------------------------------------------------------------------------
--
-- A list as in `m.verdicts`: {name = "OK", fields = {{name = "label", type = "string",
-- optional = false}}}. A field may have a `description`, and `fields` of its own: those of the
-- object that it is, or that each item of it is.

local function field_text(field)
  local kind = field.type
  local choices = kind:match("^enum %[(.*)%]$")
  if choices then kind = "one of " .. choices end
  local element = kind:match("^%[(.*)%]$")
  if field.fields then
    kind = element and "list of objects" or "object"
  elseif element then
    kind = "list of " .. element
  end
  return "`" .. field.name .. "` (" .. kind .. (field.optional and ", may be null" or "") .. ")"
    .. (field.description and ": " .. field.description or "")
end

-- One field a line, those of objects below them.
local function field_list(fields)
  local items = {}
  for _, field in ipairs(fields) do
    items[#items + 1] = field_text(field)
      .. (field.fields and "\n" .. field_list(field.fields) or "")
  end
  return agneto.bullets(items)
end

local function verdict_text(verdict)
  local plain, texts = true, {}
  for _, field in ipairs(verdict.fields) do
    texts[#texts + 1] = field_text(field)
    if field.fields or field.description then plain = false end
  end
  local name = "`" .. verdict.name .. "`"
  if #texts == 0 then return name end
  if plain then return name .. ", with " .. table.concat(texts, ", ") end
  return name .. ", with\n" .. field_list(verdict.fields)
end

local samples = {
  string = "...", integer = 1, number = 1.5, boolean = true, list = {"..."}, map = {key = "..."},
}

local function sample(kind, fields)
  local element = kind:match("^%[(.*)%]$")
  if element then return {sample(element, fields)} end
  if fields then
    local object = {}
    for _, field in ipairs(fields) do object[field.name] = sample(field.type, field.fields) end
    return object
  end
  local choice = kind:match("^enum %[([^,%]]*)")
  return choice or samples[kind] or "..."
end

-- The verdict first, as a person would write it.
local function example(verdict)
  local parts = {'"verdict": ' .. json.encode(verdict.name)}
  for _, field in ipairs(verdict.fields) do
    parts[#parts + 1] = json.encode(field.name) .. ": " .. json.encode(sample(field.type, field.fields))
  end
  return "{" .. table.concat(parts, ", ") .. "}"
end

--- verdict_format(verdicts, way): what tells an agent how to end its reply, so that `read_verdict` can
-- read it. The engine appends it to every prompt of a state with verdicts. `way`: how the provider takes
-- a verdict that it has the schema of, in a sentence; without it, a fenced block is asked for.
function agneto.verdict_format(verdicts, way)
  local lines = {}
  for _, verdict in ipairs(verdicts) do lines[#lines + 1] = verdict_text(verdict) end
  local which = agneto.join {
    #lines == 1 and "The verdict is:" or "The verdict is one of:", agneto.bullets(lines),
  }
  if not is_nothing(way) then
    return agneto.section("How to end your reply", agneto.join {
      way, which, "Fields that the verdict you choose does not have are null.",
    })
  end
  return agneto.section("How to end your reply", agneto.join {
    "End your reply with your verdict: one JSON object in a fenced block, with nothing after it. "
      .. "For example:",
    agneto.fence(example(verdicts[1]), "json"),
    which,
    "Give exactly the fields of the verdict that you choose. A reply without such a block, or with"
      .. " another verdict, cannot be used.",
  })
end

-- A verdict is searched for in so many bytes at the end of a long reply.
local searched = 256 * 1024

-- A JSON object with the text `verdict`; its other fields beside it. Or nil, and whether it is no JSON.
local function from_object(text)
  local object = json.decode(text)
  if object == nil then return nil, true end
  if type(object) ~= "table" or type(object.verdict) ~= "string" then return nil end
  local name = trimmed(object.verdict)
  if name == "" then return nil end
  local fields = {}
  for key, value in pairs(object) do
    if key ~= "verdict" then fields[key] = value end
  end
  return name, fields
end

-- The last fenced block marked json that is such an object, in a text that begins with an end of
-- line; among the last 50. A fence inside a longer one is text. `fence`: the fence that the text
-- begins in, if any. Or nil, and whether the last block is no JSON.
local function from_fence(text, fence)
  local blocks = {}  -- first and last place of each
  local block        -- where the json block at hand begins
  local position = 1
  while true do
    local start, stop, ticks, info = text:find("\n[ \t]*(```+)([^`\n]*)%f[\n\0]", position)
    if not start then break end
    if not fence then
      fence = ticks
      block = info:match("^%s*[Jj][Ss][Oo][Nn]%f[^%w]") and stop + 1
    elseif #ticks >= #fence and not info:find("%S") then
      if block then blocks[#blocks + 1] = {block, start} end
      fence, block = nil, nil
    end
    position = stop + 1
  end
  if block then blocks[#blocks + 1] = {block} end  -- the reply ended before the fence did
  local broken
  for i = #blocks, math.max(1, #blocks - 49), -1 do
    local name, fields = from_object(text:sub(table.unpack(blocks[i])))
    if name then return name, fields end
    if i == #blocks then broken = fields end
  end
  return nil, broken
end

-- Does this line, alone, say VERDICT: NAME? Markdown's marks around it are no matter.
local function from_line(line)
  if #line > 1000 then return nil end
  local rest = line:match("^[%s>#*_`]*VERDICT[%s*_`]*:[%s*_`]*(.*)$")
  if not rest then return nil end
  return rest:match("^([%a_][%w_.-]*[%w])[%s*_`.]*$") or rest:match("^(%a)[%s*_`.]*$")
end

-- The last line that says something, without the end of line before it, and where that is.
local function last_line(text)
  local said = text:match("^.*%S") or ""
  local start = said:match("^.*\n()") or 1
  return said:sub(start), start - 1
end

-- The only field of a verdict if that is a text it must have; else nil.
local function only_text(verdicts, name)
  for _, verdict in ipairs(verdicts) do
    if verdict.name == name then
      local field = verdict.fields[1]
      if #verdict.fields == 1 and field.type == "string" and not field.optional then
        return field.name
      end
    end
  end
end

--- read_verdict(reply, verdicts): the verdict's name and a table of its fields; or nil, and what is wrong
-- with the reply where it is more than that it has none.
--
-- In this order: a reply that as a whole is a JSON object with the text `verdict`; the last fenced
-- block marked `json` that holds one; a last line `VERDICT: NAME` with nothing else on it. Where
-- there is both a block and a last line, they must agree. A verdict is never read from prose.
--
-- A verdict stands at the end: of a reply that is longer than 256 KiB and no JSON object,
-- only so much of its end is searched.
--
-- The fields are what stands beside `verdict` in the object. A bare last line has no fields, unless
-- its verdict wants exactly one, a text: then that is the reply without the line.
function agneto.read_verdict(reply, verdicts)
  local name, fields = from_object(reply)
  if name then return name, fields end

  local cut = #reply > searched
  local text = "\n" .. (cut and reply:sub(-searched):gsub("^[^\n]*\n", "", 1) or reply)
  local block_name, block_fields = from_fence(text)
  if cut and not block_name then block_name, block_fields = from_fence(text, "```") end
  local line, start = last_line(text)
  local line_name = from_line(line)
  if block_name and line_name and block_name ~= line_name then
    return nil, "the reply's block has the verdict '" .. block_name .. "', its last line '" .. line_name .. "'"
  end
  if block_name then return block_name, block_fields end
  if not line_name then
    local broken = block_fields or fields and reply:find("^%s*{")
    return nil, broken and "the JSON in the reply cannot be decoded" or nil
  end

  local field = only_text(verdicts or {}, line_name)
  if not field then return line_name, {} end
  if cut then return nil end  -- nobody means a field of that length
  local rest = trimmed(text:sub(1, start))
  return line_name, rest ~= "" and {[field] = rest} or {}
end

return agneto
