// The words of other tools, and what is written here instead.
#include <iterator>

#include "model/keys.h"

namespace agneto::model {

namespace {

constexpr std::string_view prompts =
    "what an agent is told is said under `agents`, prompt: FILE.md, or the text itself";
constexpr std::string_view models =
    "how an agent is reached is said of the agent: agents: {NAME: {provider: PROVIDER, model: "
    "MODEL}}";
constexpr std::string_view name_is_key = "it is called what its key says";
constexpr std::string_view steps =
    "what are steps elsewhere are `states`, by name; what comes next is said in each, under `on`";
constexpr std::string_view next_state =
    "where a state leads is said by event, on: {EVENT: STATE}; always: STATE needs no event";
constexpr std::string_view on_error = "an error is an event: on: {error: STATE}";
constexpr std::string_view of_agent =
    "that is said of the agent, where it is defined under `agents` at the top of the file";
constexpr std::string_view tries = "write retry: {tries: 3}";

constexpr ForeignKey of_transitions[] = {
    {"cond", "guard"},  {"if", "guard"},    {"when", "guard"},  {"condition", "guard"},
    {"actions", "do"},  {"action", "do"},   {"run", "do"},      {"to", "target"},
    {"next", "target"}, {"goto", "target"}, {"state", "target"}};

std::vector<ForeignKey> with_transitions(std::vector<ForeignKey> first) {
  first.insert(first.end(), std::begin(of_transitions), std::end(of_transitions));
  return first;
}

}  // namespace

std::vector<ForeignKey> foreign_keys(ConstructId id) {
  switch (id) {
    case ConstructId::machine:
      return {{"version", "agneto", "write `agneto: 1`"},
              {"id", "name"},
              {"start", "initial"},
              {"start_at", "initial"},
              {"vars", "context"},
              {"variables", "context"},
              {"data", "context"},
              {"params", "inputs"},
              {"parameters", "inputs"},
              {"arguments", "inputs"},
              {"roles", "agents"},
              {"steps", "states", steps},
              {"stages", "states", steps},
              {"jobs", "states", steps},
              {"tasks", "states", steps},
              {"nodes", "states", steps},
              {"edges", "", next_state},
              {"transitions", "", next_state},
              {"model", "", models},
              {"provider", "", models}};
    case ConstructId::input:
      return {{"required", "", "an input without a `default` is required"},
              {"optional", "",
               "an input with a `default` is optional, and so is one that may be null: "
               "type: \"string?\""},
              {"value", "default"},
              {"enum", "type", "write type: \"enum [a, b]\""},
              {"choices", "type", "write type: \"enum [a, b]\""},
              {"options", "type", "write type: \"enum [a, b]\""}};
    case ConstructId::context_entry:
      return {{"value", "default"}, {"initial", "default"}};
    case ConstructId::agent:
      return {{"system", "prompt", prompts},  {"system_prompt", "prompt", prompts},
              {"role", "prompt", prompts},    {"script", "hooks"},
              {"reasoning_effort", "effort"}, {"reasoning", "effort"},
              {"thinking", "effort"},         {"allowed_tools", "tools"},
              {"mcp_servers", "mcp"},         {"mcpServers", "mcp"},
              {"environment", "env"},         {"arguments", "args"},
              {"permissions", "access"},      {"retries", "tries"},
              {"max_retries", "tries"},       {"attempts", "tries"}};
    case ConstructId::retry:
      return {{"retries", "tries"},    {"max_retries", "tries"},
              {"attempts", "tries"},   {"max_attempts", "tries"},
              {"delay", "backoff"},    {"wait", "backoff"},
              {"interval", "backoff"}, {"max_delay", "max"},
              {"max_backoff", "max"},  {"errors", "on"},
              {"when", "on"}};
    case ConstructId::limits:
      return {{"budget", "cost"},
              {"usd", "cost"},
              {"duration", "time"},
              {"timeout", "time"},
              {"turns", "calls"}};
    case ConstructId::state:
      return {{"type", "",
               "a state says what it is by `final: true`, `parallel: true` or `history: shallow`"},
              {"transitions", "", "write transitions under `on`, `always` or `after`"},
              {"onentry", "entry"},
              {"on_entry", "entry"},
              {"onexit", "exit"},
              {"on_exit", "exit"},
              {"do", "entry"},
              {"actions", "entry"},
              {"invoke", "", "write `agent`, `ask`, `machine`, `for_each`, `run` or `workspace`"},
              {"prompt", "", prompts},
              {"model", "", models},
              {"name", "", name_is_key},
              {"id", "", name_is_key},
              {"next", "", next_state},
              {"goto", "", next_state},
              {"to", "", next_state},
              {"target", "", next_state},
              {"end", "final"},
              {"steps", "states"},
              {"loop", "for_each"},
              {"verdicts", "", "write agent: {name: NAME, verdicts: {VERDICT: {}}}"},
              {"task", "", "write agent: {name: NAME, task: TASK}"},
              {"question", "", "write ask: {question: QUESTION, options: {OPTION: LABEL}}"},
              {"command", "", "write run: {argv: [PROGRAM, ARGUMENT]}"},
              {"shell", "", "write run: {shell: COMMAND}"},
              {"timeout", "", "time is an event of a state: after: {10m: STATE}"},
              {"retry", "",
               "it is said of what is tried: run: {argv: [PROGRAM], retry: {tries: 3}}, agent: "
               "{name: NAME, retry: {tries: 5}}; else lead back, on: {failed: STATE}, and count in "
               "the context"},
              {"on_error", "", on_error},
              {"catch", "", on_error},
              {"if", "",
               "a guard stands on the transition that leads here: {guard: LUA, target: STATE}"},
              {"needs", "", "the state before leads here, by its `on`"},
              {"depends_on", "", "the state before leads here, by its `on`"},
              {"output", "outputs"}};
    case ConstructId::transition:
    case ConstructId::timer_transition:
      return with_transitions({});
    case ConstructId::event_transition:
      return with_transitions({{"on", "event"}});
    case ConstructId::delay_transition:
      return with_transitions({{"after", "delay"}, {"time", "delay"}});
    case ConstructId::agent_call:
      return {{"prompt", "", prompts},
              {"input", "", prompts},
              {"with", "", prompts},
              {"agent", "name"},
              {"role", "name"},
              {"outputs", "verdicts"},
              {"output", "verdicts"},
              {"schema", "verdicts"},
              {"hooks", "", of_agent},
              {"session", "", of_agent},
              {"timeout", "", of_agent},
              {"tries", "retry", tries},
              {"reasoning_effort", "effort"},
              {"thinking", "effort"},
              {"allowed_tools", "tools"},
              {"mcp_servers", "mcp"},
              {"mcpServers", "mcp"}};
    case ConstructId::ask:
      return {{"prompt", "question"},
              {"message", "question"},
              {"title", "question"},
              {"choices", "options"},
              {"answers", "options"},
              {"buttons", "options"},
              {"input", "text"},
              {"context", "show"},
              {"body", "show"},
              {"timeout", "", "time is an event of the state: after: {10m: STATE}, beside `ask`"}};
    case ConstructId::option:
      return {{"text", "label"},
              {"title", "label"},
              {"name", "label"},
              {"if", "when"},
              {"guard", "when"},
              {"cond", "when"},
              {"comment", "feedback"},
              {"input", "feedback"},
              {"target", "", "the option is an event of the state: on: {OPTION: STATE}"},
              {"to", "", "the option is an event of the state: on: {OPTION: STATE}"}};
    case ConstructId::for_each:
      return {{"in", "items"},
              {"each", "items"},
              {"list", "items"},
              {"var", "as"},
              {"do", "machine", "write `machine`, and what each item goes through in that file"},
              {"agent", "machine", "write `machine`, and what each item goes through in that file"},
              {"parallel", "max_parallel"},
              {"concurrency", "max_parallel"}};
    case ConstructId::run:
      return {{"cmd", "argv"},           {"program", "argv"},
              {"args", "argv"},          {"script", "shell"},
              {"sh", "shell"},           {"bash", "shell"},
              {"environment", "env"},    {"dir", "cwd"},
              {"folder", "cwd"},         {"working-directory", "cwd"},
              {"tries", "retry", tries}, {"retries", "retry", tries}};
    case ConstructId::commit:
      return {{"msg", "message"}};
    case ConstructId::merge:
      return {{"branch", "into"}, {"to", "into"}, {"target", "into"}};
    default:
      return {};
  }
}

}  // namespace agneto::model
