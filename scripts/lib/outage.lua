-- What a model server's refusal means: who can help against it. For drivers: docs/providers.md.
local outage = {}

local later = {[408] = true, [425] = true, [429] = true}

-- An event where a person has to log in, `login` says how.
function outage.of_login(message, login) return {refused = message .. "; " .. login} end

-- An event where there is no money, or no more of what was paid for.
function outage.of_quota(message)
  return {refused = message .. "; get more of it from the provider"}
end

-- An event where the model does not exist, or not for this account.
function outage.of_model(message)
  return {refused = message .. "; choose a model that there is, with 'model' in .agneto/config.yaml"}
end

-- An event for an HTTP status (no number: the server was not reached, or did not say). `message`: what the
-- CLI says of it; `login`: how one logs in; `wait`: for how many seconds the server asks.
function outage.of_status(status, message, login, wait)
  if type(status) ~= "number" or later[status] or status >= 500 then
    return {away = message, wait = wait and math.max(0, wait)}
  end
  if status == 401 or status == 403 then return outage.of_login(message, login) end
  if status == 402 then return outage.of_quota(message) end
  if status == 404 then return outage.of_model(message) end
  return {error = message}
end

-- Words of a network that is away, as the CLIs and their libraries say them.
local network = {"ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH",
  "fetch failed", "[Cc]onnection refused", "[Cc]onnection dropped", "[Cc]onnection error", "[Cc]onnection failed",
  "[Cc]annot connect to API", "error sending request", "socket hang up"}

function outage.is_network(message)
  for _, words in ipairs(network) do
    if message:find(words) then return true end
  end
  return false
end

return outage
