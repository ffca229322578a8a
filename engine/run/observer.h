// What a person sees of a run: one stream of events; the console, the log, `--json`, and later a
// web page are observers of it.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/json.h"

namespace agneto::run {

// kind and its data:
//   run.started      {workflow, task, branch, worktree, base, provider}
//   run.resumed      {status}
//   state.entered    {state, stage}    path: the state's; stage: a child of the root
//   state.exited     {state, stage}
//   transition       {event, from, to: [..]}  path: the instance's
//   agent.started    {agent, provider, model, attempt, state}
//   agent.text       {text}      agent.tool {tool}     agent.tool_end {}
//   agent.retry      {reason}
//   agent.finished   {agent, verdict, fields, calls, cost, input_tokens, output_tokens}
//   question.asked   {question, show, options: [{name, label, feedback, edit}], default, words}
//   question.answered {option, feedback, edited, by: "person"|"default"|"elsewhere", name?}
//   command.started  {argv}      command.output {line}   command.finished {event, message}
//   workspace.committed {commit, subject, message, files}
//   workspace.merged    {commit, subject, into}
//   workspace.joined {items: [number], conflicts: [{item, branch, files}]}
//   workspace.discarded {commit}   workspace.refused {message}   workspace.undone {agent}
//   note             {text}
//   problem          {event, message}
//   run.paused {}    run.suspended {reason, path?, question?, words?, options?, others?: [path]}
//   run.finished     {outcome, status, outputs, reason, calls, cost, input_tokens, output_tokens,
//   ms}
struct RunEvent {
  Time time;
  std::string run;
  std::string kind;
  std::string path;
  Json data = Json::object();
  std::int64_t seq = 0;  // the journal's entry that tells of it; 0: it happens now
  bool undone = false;   // a rewind has undone it
};

// Called on the engine's thread only, in order. Must not block for long and must not throw.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void event(const RunEvent& event) = 0;
  // A few times a second while nothing happens, so that clocks on a screen go on.
  virtual void tick(Time) {}
};

Json to_json(const RunEvent& event);

}  // namespace agneto::run
