---@meta agneto.drivers
-- What the driver of a provider is, and what it is given; for lua-language-server. docs/providers.md
-- tells of drivers.

---A driver: the table that the file returns.
---@class agneto.Driver
---@field program? string Must be on PATH; left out where nothing is needed.
---@field sessions? boolean Can it continue a conversation by id?
---@field command fun(call: agneto.DriverCall): agneto.DriverCommand
---@field event? fun(line: string): agneto.DriverEvent|agneto.DriverEvent[]|nil What a line of output means. Without it lines are shown as text.
---@field finish? fun(output: string, status: integer, errors: string): agneto.DriverEvent|agneto.DriverEvent[]|nil Where the output ended without `result` or `error`.
---@field check? fun(options: table) `error("why", 0)` in it refuses the options before a run begins.

---@class agneto.DriverCall
---@field prompt string What to send, whole.
---@field agent string Whose call it is.
---@field state string
---@field task string
---@field access 'read-only'|'edit'|'full'
---@field model string As configured; empty for the program's own default.
---@field session string The conversation to continue; empty for a new one.
---@field new_session string A fresh UUID, for programs that let the caller choose.
---@field schema table|agneto.Null A JSON Schema of the verdict.
---@field options table<string, any> The driver's options in `.agneto/config.yaml`.
---@field attempt integer Which try of this call, from 1.
---@field nth integer Which call of this agent in the run, from 1.
---@field cwd string The worktree.

---How to start the program, or, in `answer`, what it would have said.
---@class agneto.DriverCommand
---@field argv? string[]
---@field env? table<string, string> Added to the environment.
---@field input? string Standard input, closed after it.
---@field files? table<string, string> Text by name, there while the program runs; `{files}` in `argv` and `env` stands for their folder.
---@field answer? agneto.DriverAnswer

---@class agneto.DriverAnswer
---@field text? string
---@field error? string Why the try fails.
---@field event? string What that ends in; `error.exit` unless said.
---@field edits? agneto.DriverEdit[]
---@field patch? string A diff as `git apply` takes it.
---@field delay? string A duration: `2s`.

---@class agneto.DriverEdit
---@field path string
---@field text? string Left out: the file is deleted.

---@class agneto.DriverEvent
---@field text? string Something the agent said, for whoever watches.
---@field tool_start? string A tool begins: `Bash: make test`.
---@field tool_end? boolean It ended.
---@field session? string The id to continue with.
---@field cost? number US dollars, of this call so far.
---@field input_tokens? integer
---@field output_tokens? integer
---@field result? string The reply; the call is over.
---@field error? string Why there is none; the call is over.
---@field session_lost? boolean The conversation to continue does not exist.
