// What clients of agents can do with runs.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/json_rpc.h"
#include "base/text.h"
#include "run/queue.h"
#include "run/secrets.h"
#include "serve/mcp.h"
#include "serve/server.h"
#include "serve/workflows.h"

namespace agneto::serve {

namespace {

constexpr std::int64_t told_at_once = 200;  // events, unless said
constexpr std::int64_t most_told = 1000;

Json text_property(const char* description) {
  return {{"type", "string"}, {"description", description}};
}

Json number_property(const char* description, std::int64_t least, std::int64_t greatest) {
  return {
      {"type", "integer"}, {"minimum", least}, {"maximum", greatest}, {"description", description}};
}

Json flag_property(const char* description) {
  return {{"type", "boolean"}, {"description", description}};
}

Json run_property() {
  return text_property("The run's id, which list_runs has");
}

Json object_schema(Json properties, const std::vector<std::string>& required) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", required},
          {"additionalProperties", false}};
}

Json schema_of(const model::Variable& input) {
  Json schema = model::schema(input.type);
  if (!input.description.empty()) schema["description"] = input.description;
  if (input.initial) schema["default"] = *input.initial;
  if (input.minimum) schema["minimum"] = *input.minimum;
  if (input.maximum) schema["maximum"] = *input.maximum;
  return schema;
}

// What `submit` reads. That people are asked is not for an agent to turn off.
Json arguments_of(const model::Machine& machine) {
  const model::Variable* main = machine.main_input();
  Json inputs = Json::object();
  std::vector<std::string> required_inputs;
  for (const model::Variable& input : machine.inputs) {
    if (&input == main) continue;
    inputs[input.name] = schema_of(input);
    if (input.required()) required_inputs.push_back(input.name);
  }
  Json properties = {
      {"agent", text_property("The provider for all agents, such as claude; else as configured")},
      {"model", text_property("The model for all agents; else as configured")},
      {"base", text_property("The branch to start from; else the one that is checked out")},
      {"auto_merge",
       flag_property("Merge into the base at the end, where the workflow does so; only when "
                     "the person wants that")},
      {"priority", number_property("Runs with more are taken up first (default: 0)",
                                   run::least_priority, run::greatest_priority)},
      {"needs",
       {{"type", "array"},
        {"items", {{"type", "string"}}},
        {"description", "Labels that the machine is to have that works on it, such as gpu"}}}};
  std::vector<std::string> required;
  if (main) {
    properties["task"] = schema_of(*main);
    if (main->required()) required.emplace_back("task");
  }
  if (!inputs.empty()) {
    properties["inputs"] = object_schema(std::move(inputs), required_inputs);
    if (!required_inputs.empty()) required.emplace_back("inputs");
  }
  return object_schema(std::move(properties), required);
}

// "run_agneto", "run_kit__review": clients want letters, digits, "_" and "-".
std::string tool_of(const std::string& workflow) {
  std::string name = "run_" + replaced(workflow, "/", "__");
  std::ranges::replace_if(
      name, [](char c) { return !is_word(c) && c != '-'; }, '_');
  return name;
}

Json tool(const std::string& name, const std::string& title, const std::string& description,
          Json schema, bool looks, bool destroys) {
  Json annotations = {{"readOnlyHint", looks}};
  if (!looks) annotations["destructiveHint"] = destroys;
  return {{"name", name},
          {"title", title},
          {"description", description},
          {"inputSchema", std::move(schema)},
          {"annotations", std::move(annotations)}};
}

Json content(const std::string& text) {
  const Json part = {{"type", "text"}, {"text", text}};
  return Json::array({part});
}

// As a result, so that the model that called the tool reads it.
Json failed(const std::string& what, const std::string& help) {
  const std::string text = help.empty() ? what : what + "\n" + help;
  return {{"content", content(text)}, {"isError", true}};
}

std::size_t count_in(Body& arguments, const char* key, std::int64_t unless_said,
                     std::int64_t most) {
  const auto number = arguments.number(key).value_or(unless_said);
  if (number < 1) throw Unusable(fmt::format("'{}' is no whole number from 1 on", key));
  return static_cast<std::size_t>(std::min(number, most));
}

}  // namespace

const std::vector<Mcp::Tool>& Mcp::tools() {
  using enum Scope;
  static const std::vector<Tool> all = {
      {"list_runs",
       "List runs",
       "Lists the runs of this repository, the newest first. Where there are more, 'next' is what "
       "'before' takes.",
       {{"status",
         {{"type", "array"},
          {"items", {{"type", "string"}, {"enum", Listing::known_statuses()}}},
          {"description", "Only runs that stand so; 'waiting': for a person"}}},
        {"workflow", text_property("Only runs of the workflow of this name")},
        {"text", text_property("Only runs whose id or task has this text")},
        {"before", text_property("Only runs made before the one with this id")},
        {"limit", number_property("How many (default: 50)", 1, Listing::longest)}},
       {},
       read,
       false,
       &Mcp::list_runs},
      {"show_run",
       "Show a run",
       "Shows how a run stands: its status and outcome, what it has used, what is under way, and "
       "the "
       "questions that wait for a person, with all that is needed to judge them.",
       {{"run", run_property()}},
       {"run"},
       read,
       false,
       &Mcp::show_run},
      {"read_log",
       "Read a run's log",
       "Tells what happened in a run, event by event. Where there is more, 'next' is what 'after' "
       "takes.",
       {{"run", run_property()},
        {"after",
         {{"type", "integer"},
          {"minimum", 0},
          {"description", "Only what was recorded behind the entry of this number (seq)"}}},
        {"limit", number_property("About how many events (default: 200)", 1, most_told)}},
       {"run"},
       read,
       false,
       &Mcp::read_log},
      {"read_diff",
       "Read a run's diff",
       "Gives what a run has changed since it started, as a diff, what is not committed yet "
       "included.",
       {{"run", run_property()}},
       {"run"},
       read,
       false,
       &Mcp::read_diff},
      {"answer_question",
       "Answer a run's question",
       "Answers an open question of a run. A person's consent is needed: questions are gates for "
       "people. Show the question and its material to the person, ask which option they choose, "
       "and "
       "give exactly that; never answer on your own.",
       {{"run", run_property()},
        {"question", text_property("The question's id, as show_run gives it; it can be left out "
                                   "where one is open")},
        {"option", text_property("The name of the option that the person has chosen")},
        {"feedback", text_property("The person's words: what goes with the option, or the answer "
                                   "where words are asked for")},
        {"edited", text_property("The edited text, where the option is one that edits")}},
       {"run"},
       Scope::answer,
       true,
       &Mcp::answer_question},
      {"send_event",
       "Send an event to a run",
       "Sends an event to a run, whose workflow may go another way for it, past a question too: "
       "only as the person wants.",
       {{"run", run_property()},
        {"name", text_property("The event's name")},
        {"data", {{"description", "What it carries: any JSON"}}}},
       {"run", "name"},
       Scope::answer,
       true,
       &Mcp::send_event},
      {"suspend_run",
       "Suspend a run",
       "Stops a run so that it can be resumed; what a call that is cut off has changed is undone.",
       {{"run", run_property()},
        {"after_call", flag_property("Let what is under way end first (default: false)")}},
       {"run"},
       admin,
       false,
       &Mcp::suspend_run},
      {"resume_run",
       "Resume a run",
       "Queues a run that was suspended or cut off, so that a server ('agneto serve') goes on with "
       "it.",
       {{"run", run_property()}},
       {"run"},
       admin,
       false,
       &Mcp::resume_run},
      {"abort_run",
       "Abort a run",
       "Ends a run for good; its branch stays. A person's consent is needed: ask whether it is to "
       "be "
       "ended, and call this only when they say so.",
       {{"run", run_property()}},
       {"run"},
       admin,
       true,
       &Mcp::abort_run},
  };
  return all;
}

Json Mcp::list_tools() const {
  Json all = Json::array();
  for (const Tool& each : tools()) {
    if (!may(each.scope)) continue;
    all.push_back(tool(each.name, each.title, each.description,
                       object_schema(each.properties, each.required), each.scope == Scope::read,
                       each.destroys));
  }
  if (!may(Scope::submit)) return {{"tools", std::move(all)}};
  std::set<std::string> taken;  // clients want each name once
  for (const Offered& workflow : offered(world_.folder, world_.resources)) {
    if (!workflow.system || !taken.insert(tool_of(workflow.name)).second) continue;
    const model::Machine& machine = workflow.system->main();
    all.push_back(tool(
        tool_of(workflow.name), "Run " + workflow.name,
        fmt::format("{}{}Queues a run of the workflow '{}', on which a server ('agneto serve') "
                    "works, and returns its id at once.",
                    machine.description, machine.description.empty() ? "" : "\n\n", workflow.name),
        arguments_of(machine), false, false));
  }
  return {{"tools", std::move(all)}};
}

Json Mcp::call_tool(const Json& params) {
  const Json& name = member(params, "name");
  if (!name.is_string()) throw Refused(json_rpc::invalid_params, "'name' is no text");
  Json arguments = member(params, "arguments");
  if (arguments.is_null()) arguments = Json::object();
  if (!arguments.is_object()) {
    throw Refused(json_rpc::invalid_params, "'arguments' is no object");
  }
  Body body = Body::of(std::move(arguments));
  try {
    Told told = called(name.get<std::string>(), body);
    if (told.text.empty()) told.text = to_text(told.data);
    return {{"content", content(told.text)}, {"structuredContent", std::move(told.data)}};
  } catch (const Error& error) {
    const Redactor redactor = run::redactor_for(world_.folder);
    return failed(redactor.text(error.what()), redactor.text(error.help()));
  }
}

Mcp::Told Mcp::called(const std::string& name, Body& arguments) {
  std::vector<std::string> names;
  for (const Tool& each : tools()) {
    if (each.name == name) {
      require(each.scope);
      return (this->*each.call)(arguments);
    }
    names.push_back(each.name);
  }
  for (const Offered& workflow : offered(world_.folder, world_.resources)) {
    if (tool_of(workflow.name) == name) return queue(workflow.name, arguments);
    names.push_back(tool_of(workflow.name));
  }
  throw Refused(json_rpc::invalid_params, fmt::format("there is no tool '{}'; {}", printable(name),
                                                      suggestion(name, names, "tools")));
}

Mcp::Told Mcp::queue(const std::string& workflow, Body& arguments) {
  require(Scope::submit);
  const run::Queued queued =
      submit(world_.folder, world_.resources, journal_, workflow, arguments, true, by());
  Json made = desk().described(queued);
  const Lack lack = desk().lack_of(desk().find(queued.run));
  made["served"] = !lack;
  if (lack) made["remarks"].push_back(lack.told("so that it waits"));
  return {std::move(made)};
}

Mcp::Told Mcp::list_runs(Body& arguments) {
  const Listing unless_said;
  const Listing wanted{.statuses = arguments.list("status"),
                       .workflow = arguments.text("workflow").value_or(""),
                       .text = arguments.text("text").value_or(""),
                       .before = arguments.text("before").value_or(""),
                       .limit = count_in(arguments, "limit", unless_said.limit, Listing::longest)};
  arguments.end();
  if (!has_runs()) return {{{"runs", Json::array()}, {"change", 0}}};
  return {desk().list(wanted)};
}

Mcp::Told Mcp::show_run(Body& arguments) {
  const auto run = run_of(arguments);
  arguments.end();
  return {desk().shown(run)};
}

Mcp::Told Mcp::read_log(Body& arguments) {
  const auto run = run_of(arguments);
  const auto after = arguments.number("after").value_or(0);
  const std::size_t limit = count_in(arguments, "limit", told_at_once, most_told);
  arguments.end();
  if (after < 0) throw Unusable("'after' is no whole number from 0 on");
  return {desk().events(run, after, limit)};
}

Mcp::Told Mcp::read_diff(Body& arguments) {
  const auto run = run_of(arguments);
  arguments.end();
  const std::string diff = desk().diff(run, "");
  return {{{"run", run.id}, {"diff", diff}}, diff};
}

Mcp::Told Mcp::answer_question(Body& arguments) {
  return steered(arguments, &Desk::answer);
}

Mcp::Told Mcp::send_event(Body& arguments) {
  return steered(arguments, &Desk::send);
}

Mcp::Told Mcp::suspend_run(Body& arguments) {
  return steered(arguments, &Desk::suspend);
}

Mcp::Told Mcp::resume_run(Body& arguments) {
  return steered(arguments, &Desk::resume);
}

Mcp::Told Mcp::abort_run(Body& arguments) {
  return steered(arguments, &Desk::abort);
}

Mcp::Told Mcp::steered(Body& arguments, Steering steer) {
  const auto run = run_of(arguments);
  // Over the network it is the token that says what may be done.
  if (journal_) run::require_person(*journal_);
  return {(desk().*steer)(run, arguments, by())};
}

journal::RunRecord Mcp::run_of(Body& arguments) {
  const auto wanted = arguments.text("run");
  if (!wanted) throw Unusable("'run' is missing", "it is a run's id, which list_runs has");
  return desk().find(*wanted);
}

}  // namespace agneto::serve
