// The outside of the interpreter: an instance tree and what can be asked of it.
#include <algorithm>

#include "chart/interpreter.h"
#include "chart/path.h"

namespace agneto::chart {

using model::StateId;

namespace {

bool any_queued(const MachineInstance& m) {
  return !m.pending.queue.empty() ||
         std::ranges::any_of(m.children, [](const auto& child) { return any_queued(*child); });
}

void list_active(const MachineInstance& m, std::vector<ActiveState>& list) {
  for (StateId s = m.active.next(1); s != model::none; s = m.active.next(s + 1)) {
    list.push_back({m.path_of(s), m.path, m.machine().id, s, m.table->state(s).leaf});
    for (const auto& child : m.children_of(s)) list_active(*child, list);
  }
}

void list_outstanding(const MachineInstance& m, std::vector<std::string>& paths) {
  for (StateId s = m.active.next(0); s != model::none; s = m.active.next(s + 1)) {
    if (m.running.has(s)) paths.push_back(m.path_of(s));
    for (const PendingTimer& timer : m.pending.timers) {
      if (timer.state == s) paths.push_back(m.path_of(timer));
    }
    for (const Batch& batch : m.batches) {
      for (std::uint32_t i = 1; batch.state == s && i <= batch.started; ++i) {
        const bool opening = batch.items[i - 1].phase == BatchItem::Phase::opening;
        if (opening) paths.push_back(m.path_of(s, i));
      }
    }
    for (const auto& child : m.children_of(s)) list_outstanding(*child, paths);
  }
  for (const Send& send : m.pending.sends) paths.push_back(m.path_of(send));
}

}  // namespace

std::vector<ActiveState> configuration_of(const MachineInstance& m) {
  std::vector<ActiveState> list;
  list_active(m, list);
  return list;
}

Chart::Chart(const model::System& system, Evaluator& evaluator, Options options)
    : impl_(std::make_unique<const Impl>(system, evaluator, options)) {}
Chart::~Chart() = default;
Chart::Chart(Chart&&) noexcept = default;
Chart& Chart::operator=(Chart&&) noexcept = default;

const model::System& Chart::system() const {
  return impl_->system;
}

std::string path_of(const Effects::Moved& moved, const model::System& system) {
  return state_path(moved.instance, system.machine(moved.machine).state(moved.state).name,
                    moved.entry);
}

Instance::Instance(const Chart& chart, RunInfo run)
    : impl_(std::make_unique<Impl>(chart.impl(), std::move(run))) {}
Instance::Instance(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Instance::~Instance() = default;
Instance::Instance(Instance&&) noexcept = default;
Instance& Instance::operator=(Instance&&) noexcept = default;

bool Instance::finished() const {
  return impl_->finished;
}

bool Instance::pending() const {
  return impl_->root && any_queued(*impl_->root);
}

std::vector<ActiveState> Instance::configuration() const {
  if (impl_->finished || !impl_->root) return impl_->last;
  return configuration_of(*impl_->root);
}

std::vector<std::string> Instance::active() const {
  std::vector<std::string> paths;
  if (impl_->finished) return paths;
  for (auto& state : configuration()) {
    if (state.atomic) paths.push_back(std::move(state.path));
  }
  return paths;
}

std::vector<std::string> Instance::outstanding() const {
  std::vector<std::string> paths;
  if (impl_->root) list_outstanding(*impl_->root, paths);
  return paths;
}

Json Instance::data(std::string_view instance) const {
  const MachineInstance* m = impl_->find(instance);
  return m && m->data ? impl_->chart.evaluator.save(*m->data) : Json();
}

void Instance::heed(std::stop_token stop) {
  impl_->chart.evaluator.heed(std::move(stop));
}

const RunInfo& Instance::run() const {
  return impl_->run;
}

void start(Instance& instance, const Json& inputs, Effects& out) {
  Interpreter(instance.impl(), out).start(inputs);
}

void step(Instance& instance, const Event& event, Effects& out) {
  Interpreter(instance.impl(), out).step(event);
}

void force_abort(Instance& instance, std::string reason, Effects& out) {
  Interpreter(instance.impl(), out).abort(std::move(reason));
}

}  // namespace agneto::chart
