// What git does at once for a workflow: commits and merges, and the workspaces of a for_each's
// items. A part of the dispatcher.
#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "chart/path.h"
#include "journal/journal.h"
#include "run/engine/dispatcher.h"

namespace agneto::run {
namespace {

using Operation = model::WorkspaceOperation::Kind;

// What a commit is called that the workflow gives no message: as the run's task begins.
std::string usual_message(const journal::RunRecord& run, const Redactor& redactor) {
  constexpr std::size_t longest = 72;  // of a commit's subject
  const std::string whole = redactor.text(run.task);
  const std::string_view task = trim(whole);
  if (task.empty()) return "The work of the run " + run.id;
  std::string subject(trim(task.substr(0, task.find('\n'))));
  if (subject.size() <= longest) return subject;
  const std::size_t space = subject.rfind(' ', longest - 3);
  if (space != std::string::npos) return subject.substr(0, space) + "…";
  return shortened(subject, longest);
}

}  // namespace

// False: it has to wait.
bool Dispatcher::do_git(const chart::GitOperation& operation) {
  const std::string& path = operation.path;
  const std::string item = trees_.item_of(path);
  const std::string id = effect_id(path);
  const std::string message = trim(operation.message).empty()
                                  ? usual_message(run_, setup_.redactor)
                                  : setup_.redactor.text(operation.message);
  const bool merges = operation.kind == Operation::merge;
  workspace::Result result;
  if (merges && !item.empty()) {
    result.kind = workspace::Result::Kind::failed;
    result.message = item + " cannot merge: its work goes where the for_each is, when that ends";
  } else {
    result = trees_.at(item).change([&](workspace::Commits& tree) {
      if (operation.kind == Operation::commit) return tree.commit(message, id);
      if (operation.kind == Operation::discard) return tree.discard(id);
      return tree.merge({operation.into, message, operation.squash, id});
    });
  }
  if (result.kind == workspace::Result::Kind::busy) {
    if (waiting_.insert(path).second) {
      reporter_.note(path, "waits, since " + result.message);
    }
    return false;
  }
  cancel(path);  // it has its turn

  const bool ok = result.kind == workspace::Result::Kind::ok;
  Json data = {{"commit", result.commit}, {"message", result.message}, {"files", result.files}};
  reporter_.publish(path, record::git_event(operation, message, ok, data, run_.base));
  if (ok && !merges) trees_.leave(item, trees_.at(item).checkpoint(path));
  const char* event = ok                                                 ? "ok"
                      : result.kind == workspace::Result::Kind::conflict ? "conflict"
                                                                         : "failed";
  client_.ended({path, event, std::move(data)});
  return true;
}

void Dispatcher::open_workspace(const chart::OpenWorkspace& item) {
  start(item, false,
        [this, &around = trees_.of(item.path), label = trees_.label_of(item.path)](
            const Job& job, std::stop_token stop) {
          Result result;
          try {
            const auto fork =
                around.use([&](workspace::Forks& forks) { return forks.fork(label); });
            ProgramListener listener(job, false);
            if (setup_.furnish) setup_.furnish(fork->path(), listener, std::move(stop));
            result.event = "ok";
          } catch (const CutOff&) {
            throw;
          } catch (const journal::OwnerLost&) {
            throw;
          } catch (const Error& error) {
            result.event = "failed";
            result.data = {{"message", error.what()}};
          }
          return result;
        });
}

void Dispatcher::join_workspaces(const chart::JoinWorkspaces& items) {
  workspace::Join join;
  join.effect = effect_id(items.path);
  for (std::uint32_t item = 1; item <= items.opened; ++item) {
    const std::string path = chart::item_path(items.path, item);
    join.forks.push_back(trees_.label_of(path));
    join.checkpoints[join.forks.back()] = trees_.left(path);
    trees_.forget(path);
  }
  for (const std::uint32_t item : items.completed) join.wanted.push_back(join.forks[item - 1]);
  SharedWorkspace& tree = trees_.of(items.path);
  const auto item_of = [&](const std::string& label) {
    const auto fork = std::find(join.forks.begin(), join.forks.end(), label);
    return static_cast<std::uint32_t>(fork - join.forks.begin() + 1);
  };
  const workspace::Joined joined =
      tree.change([&](workspace::Forks& forks) { return forks.join(join); });
  Json conflicts = Json::array(), unchanged = Json::array();
  for (const auto& [label, branch, files] : joined.conflicts) {
    conflicts.push_back({{"item", item_of(label)}, {"branch", branch}, {"files", files}});
  }
  for (const auto& label : joined.unchanged) unchanged.push_back(item_of(label));
  Json data = {{"conflicts", std::move(conflicts)}, {"unchanged", std::move(unchanged)}};
  if (!items.completed.empty()) {
    trees_.leave(trees_.item_of(items.path), tree.checkpoint(items.path));
    reporter_.publish(items.path, record::joined(items.completed, data));
  }
  client_.ended({items.path, "ok", std::move(data)});
}

const chart::Effect* Dispatcher::next_join() const {
  const Order* next = nullptr;
  for (const Order& order : ordered_) {
    const bool joins = std::holds_alternative<chart::JoinWorkspaces>(order.activity);
    if (!joins || !can_begin(order.activity)) continue;
    if (!next || chart::path_of(next->activity) < chart::path_of(order.activity)) next = &order;
  }
  return next ? &next->activity : nullptr;
}

void Dispatcher::remove_workspaces() {
  std::vector<chart::JoinWorkspaces> joins;
  for (const Order& order : ordered_) {
    const auto* items = std::get_if<chart::JoinWorkspaces>(&order.activity);
    if (items) joins.push_back(*items);
  }
  // Those of items in items come first.
  std::sort(joins.begin(), joins.end(),
            [](const auto& a, const auto& b) { return a.path > b.path; });
  for (const auto& items : joins) {
    workspace::Join join;
    join.effect = effect_id(items.path);
    for (std::uint32_t item = 1; item <= items.opened; ++item) {
      join.forks.push_back(trees_.label_of(chart::item_path(items.path, item)));
    }
    try {
      trees_.of(items.path).change([&](workspace::Forks& forks) { return forks.join(join); });
    } catch (const Error& error) {
      reporter_.note(items.path, "the worktrees of the items stay: " + std::string(error.what()));
    }
  }
}

}  // namespace agneto::run
