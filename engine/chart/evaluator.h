// What the interpreter needs of the language of guards and actions. `script` implements it.
//
// Every method is deterministic and touches nothing outside the Data it is given. Not thread-safe;
// Data belongs to the evaluator that made it, which must outlive it.
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "base/json.h"
#include "base/source.h"
#include "chart/event.h"
#include "model/machine.h"

namespace agneto::chart {

// The context and inputs of one machine instance, in the evaluator's own form.
class Data {
 public:
  virtual ~Data() = default;
};

// An error in a piece of code, or an assignment that its declaration forbids.
struct Fault {
  std::string message;
  Span span;
};

// A piece of code was stopped before it came to its end. The instance whose step throws this is
// good for nothing but `put_back`.
class Stopped : public std::exception {
 public:
  const char* what() const noexcept override { return "a step was stopped"; }
};

// What every machine of a run sees as `run`; fixed at start.
struct RunInfo {
  std::string id;
  bool interactive = true;
  bool auto_merge = false;
};

// What the `with` of a for_each sees.
struct Item {
  const Json& value;
  int number;  // from 1
};

// An event that code sends.
struct Outgoing {
  std::string event;
  Json data = {};
  Millis after{0};
  std::string id = {};     // empty: it cannot be taken back
  std::string to = {};     // a state that delegates, or "parent"; empty: the machine itself
  std::uint32_t item = 0;  // of the state's for_each, from 1; 0: all
};

// What became of an event that code sends or raises. It waits; or it does not, since as many as can
// be wait already, since the step has sent as much data as it may, or since only an activity of the
// machine that it is for, or the engine, makes an event of that name.
enum class Sent : std::uint8_t { yes, too_many, too_much, reserved };

// What a piece of code sees and can do besides its data. The interpreter implements it.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual const RunInfo& run() const = 0;
  virtual const Event* event() const = 0;               // null: no event (at the start)
  virtual const Item* item() const { return nullptr; }  // null: code outside of that `with`
  virtual bool in(const std::string& state) const = 0;
  virtual Sent raise(std::string event, Json data) = 0;
  // `to` names a state that delegates, or nobody.
  virtual Sent send(Outgoing sent) = 0;
  virtual void cancel(const std::string& id) = 0;
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Inputs were checked. Context defaults are evaluated in document order; one that fails is
  // reported in `fault` (the first) and its entry takes the type's zero.
  virtual std::unique_ptr<Data> create(model::MachineId machine, const Json& inputs, Scope& scope,
                                       std::optional<Fault>& fault) = 0;
  // {"inputs": {...}, "ctx": {...}} and back.
  virtual Json save(const Data& data) = 0;
  virtual std::unique_ptr<Data> restore(model::MachineId machine, const Json& saved) = 0;

  // A guard; false when it raises an error.
  virtual bool test(Data& data, model::CodeId code, Scope& scope, std::optional<Fault>& fault) = 0;
  // An action block. After an error the rest of the block has not run; names whose new value does
  // not fit their declaration keep the old one.
  virtual void run(Data& data, model::CodeId code, Scope& scope, std::optional<Fault>& fault) = 0;
  // An expression's value; null when it raises an error.
  virtual Json value(Data& data, model::CodeId code, Scope& scope, std::optional<Fault>& fault) = 0;

  // The interpreter marks the start of each macrostep; `rollback` returns the data to the last
  // mark.
  virtual void mark(Data& data) = 0;
  virtual void rollback(Data& data) = 0;

  // A stop ends code that takes its time: what runs it throws Stopped.
  virtual void heed(std::stop_token /*stop*/) {}
};

}  // namespace agneto::chart
