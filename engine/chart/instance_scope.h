// What the code of one machine instance sees and can do.
#pragma once

#include "chart/interpreter.h"

namespace agneto::chart {

class InstanceScope final : public Scope {
 public:
  InstanceScope(Interpreter& interpreter, MachineInstance& m, const Item* item = nullptr)
      : interpreter_(interpreter), m_(m), item_(item) {}

  const RunInfo& run() const override { return interpreter_.tree_.run; }
  const Event* event() const override { return m_.event; }
  const Item* item() const override { return item_; }
  bool in(const std::string& state) const override {
    const model::StateId id = m_.machine().find(state);
    return id != model::none && m_.active.has(id);
  }
  // Past the bound the macrostep is lost anyway.
  void raise(std::string event, Json data) override {
    if (m_.internal.size() > max_internal_events) return;
    interpreter_.raise(m_, {.name = std::move(event), .data = std::move(data), .path = {}});
  }
  void send(std::string event, Json data, Millis after, std::string id) override {
    interpreter_.send(m_, std::move(event), std::move(data), after, std::move(id));
  }
  void cancel(const std::string& id) override { interpreter_.cancel_send(m_, id); }

 private:
  Interpreter& interpreter_;
  MachineInstance& m_;
  const Item* item_;
};

}  // namespace agneto::chart
