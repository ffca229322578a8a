// The outside of the interpreter: an instance tree and what can be asked of it.
#include "chart/interpreter.h"

namespace agneto::chart {

using model::StateId;

namespace {

bool any_queued(const MachineInstance& m) {
  if (!m.now.queue.empty()) return true;
  for (const auto& child : m.children) {
    if (any_queued(*child)) return true;
  }
  return false;
}

void list_active(const MachineInstance& m, std::vector<std::string>& paths) {
  for (StateId s = m.now.active.next(0); s != model::none; s = m.now.active.next(s + 1)) {
    if (!m.table->leaves.has(s)) continue;
    paths.push_back(m.path_of(s));
    if (const MachineInstance* child = m.child_of(s)) list_active(*child, paths);
  }
}

void list_outstanding(const MachineInstance& m, std::vector<std::string>& paths) {
  for (StateId s = m.now.active.next(0); s != model::none; s = m.now.active.next(s + 1)) {
    if (m.now.running.has(s)) paths.push_back(m.path_of(s));
    for (const Timer& timer : m.now.timers) {
      if (timer.state == s) paths.push_back(m.path_of(timer));
    }
    if (const MachineInstance* child = m.child_of(s)) list_outstanding(*child, paths);
  }
  for (const Send& send : m.now.sends) paths.push_back(m.path_of(send));
}

}  // namespace

Instance::Instance(const model::System& system, Evaluator& evaluator, RunInfo run)
    : impl_(std::make_unique<Impl>(system, evaluator, std::move(run))) {}
Instance::~Instance() = default;
Instance::Instance(Instance&&) noexcept = default;
Instance& Instance::operator=(Instance&&) noexcept = default;

bool Instance::finished() const {
  return impl_->finished;
}

bool Instance::pending() const {
  return impl_->root && any_queued(*impl_->root);
}

std::vector<std::string> Instance::active() const {
  std::vector<std::string> paths;
  if (impl_->root) list_active(*impl_->root, paths);
  return paths;
}

std::vector<std::string> Instance::outstanding() const {
  std::vector<std::string> paths;
  if (impl_->root) list_outstanding(*impl_->root, paths);
  return paths;
}

Json Instance::data(std::string_view instance) const {
  const MachineInstance* m = impl_->find(instance);
  return m && m->data ? impl_->evaluator.save(*m->data) : Json();
}

const RunInfo& Instance::run() const {
  return impl_->run;
}

void start(const model::System&, Instance& instance, const Json& inputs, Effects& out) {
  Interpreter(instance.impl(), out).start(inputs);
}

void step(const model::System&, Instance& instance, const Event& event, Effects& out) {
  Interpreter(instance.impl(), out).step(event);
}

void force_abort(const model::System&, Instance& instance, std::string reason, Effects& out) {
  Interpreter(instance.impl(), out).abort(std::move(reason));
}

}  // namespace agneto::chart
