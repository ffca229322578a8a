#include "model/binder.h"
#include "model/values.h"

namespace agneto::model {

void Binder::bind(const Node& root) {
  if (root.kind != yaml::Kind::map) return;
  if (const Node* name = root.find("name")) machine_.name = as_text(*name).value_or("");
  if (const Node* text = root.find("description")) {
    machine_.description = as_text(*text).value_or("");
  }
  declare_root(root);
  if (const Node* agents = root.find("agents")) bind_agents(*agents);
  for (const auto& [key, value] : root.entries) {
    if (key.text == "inputs") {
      bind_inputs(value);
    } else if (key.text == "context") {
      bind_context(value);
    } else if (key.text == "limits") {
      bind_limits(value);
    } else if (key.text == "invariants") {
      bind_invariants(value);
    } else if (key.text == "outputs") {
      machine_.outputs = bindings(value, "outputs");
    } else if (key.text == "initial") {
      machine_.states[0].start = start(value, 0, key.text);
    } else if (key.text == "on") {
      bind_on(0, value);
    } else if (key.text == "always") {
      bind_always(0, value);
    } else if (key.text == "after") {
      bind_after(0, value);
    } else if (key.text == "entry") {
      machine_.states[0].entry = blocks(value, key.text);
    } else if (key.text == "exit") {
      machine_.states[0].exit = blocks(value, key.text);
    } else if (key.text == "states") {
      bind_states(value);
    }
  }
}

}  // namespace agneto::model
