// A machine's file as it is typed: what it declares, and where it speaks of that.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/files.h"
#include "base/source.h"
#include "lsp/documents.h"
#include "lsp/node_context.h"
#include "yaml/tree.h"

namespace agneto::lsp {

enum class Role {
  state,     // `states`; targets, sessions, state_in("…")
  agent,     // `agents`; who is called
  context,   // `context`; ctx.…
  input,     // `inputs`; inputs.…
  event,     // verdicts, options, raise("…"), send("…"); `on`
  machine,   // a file
  hooks,     // a file
  task,      // of a hook module
  verdicts,  // a set of them
  function,  // `functions`; a call by name
};

struct Mention {
  Role role = Role::state;
  bool declares = false;
  std::string name;
  Span span;
  NodeContext place;  // of the scalar that it is or is in
  bool in_lua = false;
};

struct State {
  std::string name;
  Span span;                           // the name
  const yaml::Entry* entry = nullptr;  // the name and what it is
  const State* parent = nullptr;       // null for the machine

  // "atomic", "compound", "parallel", "final", "history"
  std::string_view kind() const;
};

class Outline {
 public:
  Outline(const fs::path& path, std::string text);
  Outline(const Outline&) = delete;
  Outline& operator=(const Outline&) = delete;

  const fs::path path;
  const Source source;
  const yaml::Node root;

  const std::vector<std::unique_ptr<State>>& states() const { return states_; }
  const std::vector<Mention>& mentions() const { return mentions_; }

  const State* state(std::string_view name) const;
  const State* state(const yaml::Entry* entry) const;
  const Mention* declaration(Role role, std::string_view name) const;
  // The mention at the offset or ending there; null where there is none.
  const Mention* mention_at(std::size_t offset) const;
  // What stands at the offset or ends there; no node where there is nothing.
  NodeContext place_at(std::size_t offset) const;
  // The file that a `machine` or `hooks` names: beside this one, or in a package.
  fs::path resolve(const std::string& file) const;
  std::vector<std::string> names(Role role) const;

 private:
  void add(const NodeContext& place);
  void add_lua(const NodeContext& place);

  std::vector<std::unique_ptr<State>> states_;
  std::unordered_map<std::string_view, const State*> by_name_;
  std::unordered_map<const yaml::Entry*, const State*> by_entry_;
  std::vector<Mention> mentions_;
};

using OutlinePtr = std::shared_ptr<const Outline>;

class Outlines {
 public:
  // `bundled`: the folder of the workflows that come with the program. The documents must outlive
  // it.
  Outlines(const Documents& documents, fs::path bundled)
      : documents_(documents), bundled_(std::move(bundled)) {}

  // The file as it is typed, or else as it is on the disk; null where there is no such file, or it
  // is Lua.
  OutlinePtr of(const fs::path& path);
  // The file, and behind it those that it extends, the nearest first, as far as they are there.
  std::vector<OutlinePtr> with_bases(const OutlinePtr& outline);
  // Those of the files that extend it, over however many levels.
  std::vector<OutlinePtr> extending(const Outline& base, const std::set<fs::path>& files);
  std::shared_ptr<const std::string> text(const fs::path& path) const {
    return documents_.text(path);
  }

 private:
  struct Made {
    std::shared_ptr<const std::string> text;
    OutlinePtr outline;
  };
  const Documents& documents_;
  const fs::path bundled_;
  std::map<fs::path, Made> made_;
};

// A stretch of a file, which it keeps.
struct Target {
  std::shared_ptr<const Source> source;
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string text() const { return source->text().substr(begin, end - begin); }
};

// A stretch of the outline's own file.
Target target(const OutlinePtr& outline, const Span& span);

}  // namespace agneto::lsp
