// The key table: every construct of the language, its keys, and the shapes their values may take.
//
// The one place where keys are written down. The shape check (shape.h) reads it to report unknown
// and missing keys and values of the wrong kind; schemas/workflow.schema.json is made from it, by a
// test.
#pragma once

#include <string_view>
#include <vector>

namespace agneto::model {

enum class ConstructId {
  machine,
  input,
  context_entry,
  agent,
  retry,
  verdict_field,
  limits,
  invariant,
  state,
  start,
  transition,
  event_transition,
  timer_transition,
  delay_transition,
  agent_call,
  ask,
  option,
  for_each,
  quorum,
  run,
  workspace,
  commit,
  merge,
  discard,
  mcp_server,
};

// One shape a value may take. A key lists alternatives, which the kind of the node tells apart:
// at most one scalar form, one list, and one map form.
struct Shape {
  enum class Form {
    // scalars
    text,        // words
    templ,       // words with {{expressions}}
    expression,  // Lua
    statements,  // Lua
    name,        // gives something its name: [A-Za-z_][A-Za-z0-9_.-]*
    state,       // gives a state its name: a name without dots
    reference,   // the name of something that is defined elsewhere in the file
    event,       // a name, a dotted prefix, or `any`
    duration,    // 10m
    delay,       // a duration or Lua
    boolean,
    integer,  // zero or more
    count,    // an integer or Lua
    number,   // zero or more
    file,     // a path
    choice,   // one of `choices`
    // more than scalars
    literal,  // any YAML value, as JSON
    type,     // string?, [integer], {enum: [a, b]}
    list,     // of `elements`
    names,    // a map from names (of form `key`) to `elements`
    object,   // a construct
  };
  Form form = Form::text;
  std::vector<std::string_view> choices = {};
  Form key = Form::name;             // names: the form of the keys
  std::string_view noun = {};        // names: what a key names: "state"
  std::vector<Shape> elements = {};  // list, names: alternatives for each element
  ConstructId construct{};           // object
  bool empty_allowed = true;         // list, names
  std::string_view example = {};     // list, names: for who wrote something else there
};

struct Key {
  std::string_view name;
  std::vector<Shape> shapes;
  bool required = false;
  std::string_view description;  // for editors: one sentence
};

// A word that authors coming from elsewhere write for one of our keys, and what to do instead.
struct ForeignKey {
  std::string_view name;
  std::string_view instead;    // the key that it stands for; may be empty
  std::string_view help = {};  // where "write `instead`" does not say it
};

struct Construct {
  std::string_view id;    // "transition"; names it in the schema
  std::string_view noun;  // "a transition"; names it in messages
  std::vector<Key> keys;
  std::string_view example = {};  // for who wrote something else there; may be empty
  std::vector<ForeignKey> foreign_keys = {};
};

const Construct& construct(ConstructId id);
// What the fields of a verdict may be, and those of a map type.
const Shape& fields_shape();
// (foreign_keys.cpp)
std::vector<ForeignKey> foreign_keys(ConstructId id);
// The key's row; null if the construct has no such key.
const Key* find_key(const Construct& construct, std::string_view name);

}  // namespace agneto::model
