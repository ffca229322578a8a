// Lua that lint reads, in a machine's file or in a hook module, with what is known of its values
// before it runs.
//
// Known is what is given (facts.h), and what operators and functions of Lua and of the hook library
// make of it. Local variables are what they begin as, where they are never assigned anew.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lint/facts.h"

namespace agneto::lint {

// More than 25 names: a value is known as what operators, indices, calls or variables make of it.
class Typed {
 public:
  // A piece that could be read, which is that code of its machine. Both must outlive it.
  Typed(const Piece& piece, CodeId code, const Given& given);
  // A module that could be read. Both must outlive it.
  Typed(const Module& module, const Users& users);

  const Node& tree() const { return tree_; }
  // What an expression's piece comes to: that of its one `return`.
  const Node& value() const { return tree_.children[0].children[0]; }
  // The piece that it is; null for a module.
  const Piece* piece() const { return piece_; }
  // Is it a prompt in Markdown, which belongs to the machines that name it?
  bool is_prompt() const;
  Span place(const Node& node) const;
  // As it is written.
  std::string_view text(const Node& node) const {
    return text_.substr(node.begin, node.end - node.begin);
  }

  Facts facts(const Node& node) const;
  std::optional<model::Type> certain(const Node& node) const { return facts(node).certain(); }
  // What a local variable, which is never assigned anew, begins as; else the node itself.
  const Node& origin(const Node& node) const;
  // The function that this code of its machine is; null where it is none.
  const Node* function(CodeId code) const;
  // The name of the hook library's function that is called; null where the node is no such call.
  const std::string* called_of_library(const Node& node) const;

 private:
  void read_locals();
  void read_loop(const Node& loop);
  Facts of_operator(const Node& node) const;
  Facts of_index(const Node& node) const;
  Facts of_call(const Node& node) const;

  const Piece* piece_ = nullptr;
  const Module* module_ = nullptr;
  const Node& tree_;
  const std::string_view text_;
  const CodeId code_ = none;
  const Given* given_ = nullptr;                  // null: nothing
  mutable std::map<std::string, Facts> globals_;  // those that were asked for
  std::map<int, Facts> locals_;  // by declaration: those that are never assigned anew
  std::map<int, const Node*> origins_;
  std::set<int> libraries_;  // those that hold the hook library
};

}  // namespace agneto::lint
