// What code of a machine can do besides its data: raise, send, cancel, state_in.
#pragma once

#include <lua.hpp>
#include <string>
#include <utility>

#include "chart/evaluator.h"
#include "model/machine.h"
#include "script/sandbox.h"

namespace agneto::script {

class Actions {
 public:
  explicit Actions(Sandbox& sandbox) : sandbox_(sandbox) {}

  // Adds the functions to the table of globals on top of the stack. May raise a Lua error.
  void add_to(lua_State* lua);

  // For the time of one call: whose states and queues the functions work on. `acting`: may it
  // raise and send? Guards and expressions only look.
  class Use {
   public:
    Use(Actions& actions, const model::Machine& machine, chart::Scope& scope, bool acting,
        const std::string& what)
        : actions_(actions) {
      actions.machine_ = &machine;
      actions.scope_ = &scope;
      actions.acting_ = acting;
      actions.what_ = &what;
    }
    ~Use() { actions_.scope_ = nullptr; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Actions& actions_;
  };

 private:
  template <bool (Actions::*Method)(lua_State*), int results = 0>
  static int function(lua_State* lua);

  // Each returns false with the sandbox's failure set, and raises no Lua error itself. `state_in`
  // leaves its answer on the stack.
  bool raise(lua_State* lua);
  bool send(lua_State* lua);
  bool cancel(lua_State* lua);
  bool state_in(lua_State* lua);

  bool refuse(std::string why) { return sandbox_.set_failure(std::move(why)); }
  bool check_acting(const char* function);
  bool read_event(lua_State* lua, const char* function, std::string& name, Json& data);
  bool check_sent(const char* function, const std::string& name, chart::Sent sent);
  bool read_send_options(lua_State* lua, chart::Outgoing& sent);
  bool read_send_option(const std::string& key, const Json& value, chart::Outgoing& sent);
  bool check_recipient(const chart::Outgoing& sent);

  Sandbox& sandbox_;
  const model::Machine* machine_ = nullptr;
  chart::Scope* scope_ = nullptr;
  bool acting_ = false;
  const std::string* what_ = nullptr;
};

}  // namespace agneto::script
