// A workflow with an activity of each kind, and what an embed::Error says.
#pragma once

#include <fstream>
#include <initializer_list>
#include <string>
#include <utility>

#include "embed/embed.h"
#include "support/paths.h"
#include "support/temporary_folder.h"

namespace agneto::embed {

inline const std::filesystem::path library = AGNETO_SOURCE_DIR "/scripts/lib";

inline constexpr const char* kShip = R"yaml(
agneto: 1
name: ship
inputs: {task: string, patience: {type: string, default: 1h}}
context: {plan: "", note: "", said: ""}
agents:
  coder: {hooks: coder.lua, access: edit, session: run}
initial: CODING
on: {abort: STOPPED}
states:
  CODING:
    agent: {name: coder, verdicts: {DONE: {plan: string}, STUCK: {}}}
    on:
      DONE: {target: GATE, do: ctx.plan = event.plan}
      STUCK: STOPPED
      error: {target: STOPPED, do: "ctx.note = event.name .. ': ' .. event.message"}
    after: {2h: STOPPED}
  GATE:
    ask:
      question: Good?
      show: ctx.plan
      default: 'YES'
      options: {NO: {label: Once more, feedback: required}, 'YES': {label: Fine, edit: ctx.plan}}
    on: {'YES': NAMING, 'NO': {target: CODING, do: ctx.note = event.feedback}}
  NAMING:
    ask: {question: "What is it called?", text: required}
    on: {answered: {target: TESTING, do: ctx.said = event.text}}
  TESTING:
    run: {argv: [make, test], env: {PLAN: ctx.plan}, timeout: 5s, access: read-only}
    on: {ok: WAITING, failed: {target: STOPPED, do: ctx.note = event.output}, error: STOPPED}
  WAITING:
    after: [{delay: inputs.patience, target: MERGING}]
    on: {hurry: MERGING}
  MERGING:
    workspace: {merge: {message: "{{ctx.said}}", into: release, squash: false}}
    on: {ok: {target: SHIPPED, do: ctx.note = event.commit}, failed: STOPPED, conflict: STOPPED, error: STOPPED}
  SHIPPED: {final: true}
  STOPPED: {final: true, status: failed}
outputs: {note: ctx.note, said: ctx.said}
)yaml";

inline constexpr const char* kCoder = R"lua(
return {
  prompt = function(m)
    if m.inputs.task == "unspeakable" then error("no words for it") end
    return m.inputs.task .. " " .. m.state .. " " .. m.run.id .. " [" .. m.workspace.diff .. "]"
  end,
}
)lua";

// What an agent says.
inline std::string verdict(const std::string& name, const std::string& fields = "") {
  return "```json\n{\"verdict\": \"" + name + "\"" + fields + "}\n```\n";
}
inline const std::string done = verdict("DONE", R"(, "plan": "the plan")");

class Folder {
 public:
  Folder() : Folder{{"ship.yaml", kShip}, {"coder.lua", kCoder}} {}
  Folder(std::initializer_list<std::pair<std::string, std::string>> files) {
    for (const auto& [name, text] : files) std::ofstream(folder_ / name) << text;
  }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  Workflow ship() const { return Workflow(folder_ / "ship.yaml", library); }

 private:
  testing::TemporaryFolder folder_;
};

// "WHAT | HELP"; empty where nothing is thrown.
template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.help();
  }
  return {};
}

}  // namespace agneto::embed
