// A workflow as a picture: boxes in boxes, and arrows between them, with all words that stand on
// them. Made from the machines alone; pure. What is written from it (Graphviz, Mermaid, JSON) says
// the same, and depends on nothing but the picture: the same machine gives the same text.
//
// The words are a workflow author's, shortened and on one line each; a writer still escapes them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "model/machine.h"

namespace agneto::graph {

enum class Kind {
  plain,      // nothing runs there
  compound,   // states within
  parallel,   // regions within
  agent,      // calls one
  ask,        // a gate: a person decides
  run,        // a program
  workspace,  // git
  machine,    // another machine: linked, or drawn within
  for_each,   // another machine for each item: the same
  final,
  history,
};
std::string_view to_text(Kind kind);

// Between two pictures of a workflow.
enum class Change { none, added, changed, removed };
std::string_view to_text(Change change);

struct Node {
  std::string id;    // the states that delegate, and its name: "TASK_EXECUTING/PLANNING"
  std::string name;  // of the root: the machine's
  Kind kind = Kind::plain;
  std::vector<std::string> notes;                            // what it does, a line each
  model::FinalStatus status = model::FinalStatus::complete;  // of finals
  bool deep = false;                                         // of a history
  std::string machine;             // the file of the one that it delegates to, else empty
  std::vector<std::string> start;  // ids of what is entered first within, or a history's default
  std::vector<Node> children;      // in document order
  std::string file;                // where it stands
  int line = 0;
  bool marked = false;  // on the trail
  bool active = false;  // the run is there
  Change change = Change::none;
};

struct Arrow {
  enum class Kind {
    event,
    failure,  // taken for errors, failures and aborts alone
    timer,
    eventless,
  };
  Kind kind = Kind::event;
  std::string from;
  std::vector<std::string> to;  // empty: the state is not left, only actions run
  std::string trigger;          // "ok, failed", "after 1d"; empty: eventless
  std::string guard;            // "ctx.n < 3"; "else" of the last of several; empty: none
  bool internal = false;
  std::string file;
  int line = 0;
  int count = 0;       // how often it is on the trail
  std::string remark;  // of the trail about it
  Change change = Change::none;
};
std::string_view to_text(Arrow::Kind kind);

// What a run, or tests, took.
struct Trail {
  enum class Kind {
    none,
    path,      // of one run: what was taken stands out
    coverage,  // of tests: what was not taken stands out
  };
  // Where the machine is: the states that delegate down to it, "TASK_EXECUTING"; the items of a
  // for_each are one place. Of a coverage it is empty, as all places count together.
  using Key = std::tuple<std::string, model::MachineId, model::TransitionId>;

  Kind kind = Kind::none;
  std::map<Key, int> taken;
  std::map<Key, Time> last = {};  // when each was taken last; of a coverage nothing
  std::map<Key, std::string> remarks;
  std::set<std::string> active = {};  // ids of the boxes where the run is now
};

struct Picture {
  Node root;  // its children are the machine's states
  std::vector<Arrow> arrows;
  Trail::Kind trail = Trail::Kind::none;
  bool compared = false;  // with another one: what differs stands out
};

// Machines that are delegated to are drawn within down to that many levels; below they are linked.
// Throws Error where that comes to more states than anybody could look at.
Picture draw(const model::System& system, model::MachineId machine, int depth, const Trail& trail);

// The picture `after`, with what is different from `before` noted in it, and what that had besides.
// (compare.cpp)
Picture compare(const Picture& before, Picture after);

// For Graphviz' `dot`: what the SVG and the PNG are made from.
std::string to_dot(const Picture& picture);
// A stateDiagram-v2, as Markdown pages show it.
std::string to_mermaid(const Picture& picture);
// docs/graph.md describes it.
Json to_json(const Picture& picture);

}  // namespace agneto::graph
