---@meta outage
-- `require "outage"`: for drivers, whose failure it is that a provider does not answer.
local outage = {}

---What an HTTP status means; no number: the server was not reached, or did not say.
---@param status? number
---@param message string What the CLI says of it.
---@param login string What a person can do about a refused key.
---@param wait? number For how many seconds the server asks.
---@return agneto.DriverEvent
function outage.of_status(status, message, login, wait) end

---A person has to log in.
---@param message string
---@param login string How.
---@return agneto.DriverEvent
function outage.of_login(message, login) end

---There is no money, or no more of what was paid for.
---@param message string
---@return agneto.DriverEvent
function outage.of_quota(message) end

---The model does not exist, or not for this account.
---@param message string
---@return agneto.DriverEvent
function outage.of_model(message) end

---Is that how a network that is away is told of?
---@param message string
---@return boolean
function outage.is_network(message) end

return outage
