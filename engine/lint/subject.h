// What checks look at: the machines, and the Lua in them as trees, each read once.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/source.h"
#include "lint/module.h"
#include "lint/raised.h"
#include "model/machine.h"

namespace agneto::lint {

// A piece of Lua in a machine's file.
struct Piece {
  const model::Machine* machine = nullptr;
  const model::Code* code = nullptr;
  std::optional<lua::Node> tree;  // none where it could not be read, which is reported
};

class Explorations;             // explorations.h
enum class Numbers : unsigned;  // explorations.h
struct Exploration;             // explore.h

class Subject {
 public:
  // The system must outlive it. `library`, `stop`: as of `lint`.
  Subject(const model::System& system, const Files& files, const fs::path& library,
          std::stop_token stop = {});
  ~Subject();

  const model::System& system;
  const std::stop_token stop;

  // In document order.
  const std::vector<Piece>& pieces(const model::Machine& machine) const {
    return pieces_[machine.id];
  }
  const Piece& piece(const model::Machine& machine, model::CodeId code) const {
    return pieces_[machine.id][code];
  }
  const RaisedEvents& raised(const model::Machine& machine) const { return raised_[machine.id]; }
  // Those of this workflow, not of this program's library.
  const std::vector<Module>& modules() const { return modules_; }
  // Those of the library that they require, by their names.
  const std::map<std::string, Module>& library() const { return library_; }
  // What there is of the machine as one that is run; made when it is first asked for. Large
  // machines are not explored, nor is what has too many configurations: it is not complete then.
  // Without `numbers`: whatever the inputs.
  const Exploration& exploration(const model::Machine& machine) const;
  const Exploration& exploration(const model::Machine& machine, Numbers numbers) const;

  // Is what was explored so far all there is of it?
  bool explored_whole() const;

  // Visits every node of every piece.
  void each_node(const std::function<void(const Piece&, const lua::Node&)>& visit) const;

 private:
  void add_module(const fs::path& file, model::MachineId machine, const Files& files,
                  const fs::path& library);

  std::vector<std::vector<Piece>> pieces_;  // by MachineId, CodeId
  std::vector<RaisedEvents> raised_;        // by MachineId
  std::vector<Module> modules_;
  std::map<std::string, Module> library_;
  mutable std::vector<std::unique_ptr<Explorations>> explorations_;  // by Numbers
};

// Where the node stands in the machine's file; the whole piece where that cannot be said, because
// YAML wrote it differently.
Span place(const Piece& piece, const lua::Node& node);

}  // namespace agneto::lint
