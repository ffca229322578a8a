// What checks look at: the machines, and the Lua in them as trees, each read once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/source.h"
#include "lua/tree.h"
#include "model/machine.h"
#include "script/modules.h"

namespace agneto::lint {

// What checks speak of all the time.
using lua::Node;
using model::CodeId;
using model::Machine;
using model::none;
using model::State;
using model::StateId;
using model::StateKind;
using model::Transition;
using model::TransitionId;

// A piece of Lua in a machine's file.
struct Piece {
  const Machine* machine = nullptr;
  const model::Code* code = nullptr;
  std::optional<Node> tree;  // none where it could not be read, which is reported
};

// A hook module, or a file that one requires, read once.
struct Module {
  SourcePtr source;
  std::optional<Node> tree;  // none where it could not be read, which is reported
  std::vector<model::MachineId> machines = {};       // whose agents use it
  bool complete = true;                              // all that it requires was found
  std::map<std::string, std::string> required = {};  // by name: the path of what it requires
  std::optional<model::InlinePrompt> inside = {};    // where it is written in a workflow's file
};

// `raise`, `send` or `cancel` in a piece of Lua.
struct Raised {
  const Piece* piece = nullptr;
  const Node* call = nullptr;  // null where the function is named and not called
  std::string function;
  const std::string* name = nullptr;  // the first argument; null where it is not written out
  // The machine that a `send` is for; a text where it is written out. Null: the machine itself.
  const Node* to = nullptr;
};

// Which events a machine's actions make.
class RaisedEvents {
 public:
  explicit RaisedEvents(const std::vector<Piece>& pieces);

  const std::vector<Raised>& all() const { return all_; }
  // Could the machine itself make an event of that name? (Yes where that cannot be said.)
  bool may_be(const std::string& event) const { return own_.may_be(event); }
  // Could it, or another machine that sends it one?
  bool may_come(const std::string& event) const {
    return own_.may_be(event) || sent_.may_be(event);
  }
  // Could another machine send it one?
  bool may_be_sent(const std::string& event) const { return sent_.may_be(event); }
  // Another machine sends it one of that name; null: of any.
  void add_sent(const std::string* name) { sent_.add(name); }

 private:
  struct Names {
    std::set<std::string> names = {};
    bool unknown = false;

    bool may_be(const std::string& event) const { return unknown || names.contains(event); }
    void add(const std::string* name) {
      if (name) names.insert(*name);
      unknown = unknown || !name;
    }
  };

  std::vector<Raised> all_;
  Names own_;
  Names sent_;
};

class Explorations;  // explorations.h
class Given;         // facts.h
class Typed;         // typed.h
struct Exploration;  // explore.h

// What inputs that are numbers are taken to be in an exploration, where the machine is the one that
// is run.
enum class Numbers {
  unknown,   // anything, so that what cannot be here cannot be at all
  small,     // few more than 2, so that bounds are soon reached; the larger the larger
  defaults,  // their defaults; where their `minimum` and `maximum` leave few, each of these
};

// A machine that was not explored as a whole.
struct CutShort {
  fs::path file;
  std::string machine;             // its name
  std::size_t configurations = 0;  // that were looked at
  std::string_view why;            // "there are more", and so on
};

class LintContext {
 public:
  // The system must outlive it. `library`, `stop`, `configurations`: as of `lint`; with 0 of these
  // nothing is explored.
  LintContext(const model::System& system, const Files& files, const fs::path& library,
              std::stop_token stop = {}, std::optional<std::size_t> configurations = {});
  ~LintContext();

  const model::System& system;
  const std::stop_token stop;

  // In document order.
  const std::vector<Piece>& pieces(const Machine& machine) const { return pieces_[machine.id]; }
  const Piece& piece(const Machine& machine, CodeId code) const {
    return pieces_[machine.id][code];
  }
  // With what is known of its values; null where it could not be read.
  const Typed* typed(const Machine& machine, CodeId code) const;
  const RaisedEvents& raised(const Machine& machine) const { return raised_[machine.id]; }
  // Those of this workflow, not of this program's library.
  const std::vector<Module>& modules() const { return modules_; }
  // What `require` of the name finds there, also in this program's library; null where nothing is.
  const Module* required(const Module& from, const std::string& name) const;
  // What there is of the machine as one that is run; made when it is first asked for. Large
  // machines are not explored, nor is what has too many configurations: it is not complete then.
  const Exploration& exploration(const Machine& machine, Numbers numbers = Numbers::unknown) const;

  // So, with the defaults of numbers, but that of its context these names alone are followed; of
  // all such explorations together as much is looked at as of one.
  const Exploration& exploration_about(const Machine& machine,
                                       const std::set<std::string>& names) const;

  // The machine as others delegate to it, once for each set of inputs that it is given; empty where
  // none does, or where that is not known.
  std::vector<const Exploration*> explored_as_given(const Machine& machine, Numbers numbers) const;

  // Is what was explored so far all there is of it?
  bool explored_whole() const;
  // The machines of which it is not, where rules without a word of their own about that look at it.
  std::vector<CutShort> cut_short() const;

  // Visits every node of every piece, or of the machine's.
  using Visit = std::function<void(const Piece&, const Node&)>;
  void each_node(const Visit& visit) const;
  void each_node(const Machine& machine, const Visit& visit) const;

 private:
  void add_module(const fs::path& file, model::MachineId machine, const Files& files);

  const std::optional<std::size_t> configurations_;
  std::vector<std::vector<Piece>> pieces_;                          // by MachineId, CodeId
  std::vector<RaisedEvents> raised_;                                // by MachineId
  mutable std::vector<std::unique_ptr<Given>> given_;               // by MachineId
  mutable std::vector<std::vector<std::unique_ptr<Typed>>> typed_;  // by MachineId, CodeId
  script::ModuleSearch search_;
  std::vector<Module> modules_;
  std::map<std::string, Module> library_;  // what they require of it, by name
  mutable std::vector<std::unique_ptr<Explorations>> explorations_;  // by Numbers
  mutable std::unique_ptr<Explorations> slices_;
};

// Where the node stands in the machine's file; the whole piece where that cannot be said, because
// YAML wrote it differently.
Span place(const Piece& piece, const Node& node);
// Where the node stands in the module.
Span place(const Module& module, const Node& node);

}  // namespace agneto::lint
