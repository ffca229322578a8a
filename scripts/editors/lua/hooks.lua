---@meta agneto.hooks
-- What a hook module is, and what it is given; for lua-language-server, which reads it and does not run
-- it. docs/editors.md says how to set it up.

---A hook module: the table that the file returns. A module for one job has `prompt`, and may have
---`parse`; one for several has them in `tasks`, by the names that states say in `agent: {task: …}`.
---@class agneto.Hooks: agneto.Task
---@field tasks? table<string, agneto.Task>

---@class agneto.Task
---@field prompt fun(m: agneto.Call): string The text to send. The engine adds the form of the verdict.
---@field parse? fun(reply: string, m: agneto.Call): string?, table|string? The verdict's name and its fields; or nil and what is wrong with the reply, which the agent is told. Without it the engine reads the reply.

---What a hook knows of a call. It is a copy: changing it changes nothing.
---@class agneto.Call
---@field inputs table<string, any> The machine's inputs.
---@field ctx table<string, any> The machine's context.
---@field run agneto.Run
---@field state string The state that calls.
---@field task string Which of the module's tasks; empty where it has none.
---@field attempt integer Which try of this call, from 1.
---@field last_error? string Why the try before failed.
---@field verdicts agneto.Verdict[] What the reply may come to.
---@field workspace agneto.Workspace Made when it is first read, since that costs time.

---The run that the call belongs to.
---@class agneto.Run
---@field id string
---@field interactive boolean Was it started where a person can be asked?
---@field auto_merge boolean

---The changes since the run began.
---@class agneto.Workspace: agneto.Changes
---@field chunk agneto.Changes The same since the run's last commit.

---@class agneto.Changes
---@field diff string Unified, with files that git does not know yet.
---@field files string[] The paths that were changed.
---@field base string The commit that the diff is against.
---@field head string The last commit of the run's branch.

---A verdict that the state declares.
---@class agneto.Verdict
---@field name string
---@field fields agneto.Field[]

---@class agneto.Field
---@field name string
---@field type string As in the workflow: `string`, `[string]`, `enum [a, b]`.
---@field optional boolean May it be null?
---@field description? string
---@field fields? agneto.Field[] Of the object that it is, or that each item of it is.

---JSON's null, where a value of the workflow is null. It is not nil: `if m.ctx.label == null then`.
---@class agneto.Null
null = {}

---The value that a module returns: one beside this file, in the folder `scripts` of the workflow, or of
---the library: `agneto`, `json`, `test`. Nothing else can be loaded.
---@param name string
---@return any
function require(name) end
