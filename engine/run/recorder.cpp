#include "run/recorder.h"

namespace agneto::run {

Recorder::Recorder(Engine& engine, SharedWorkspace& tree, std::string path, std::string agent,
                   std::string state, bool edits, std::string before, std::string good)
    : engine_(engine),
      tree_(tree),
      path_(std::move(path)),
      agent_(std::move(agent)),
      state_(std::move(state)),
      edits_(edits),
      before_(std::move(before)),
      good_(std::move(good)) {}

std::string Recorder::prepare(int) {
  if (good_.empty()) {
    before_ = good_ = tree_.checkpoint(path_);
    if (edits_) tree_.touched();
  } else if (edits_ || !tree_.intact()) {
    tree_.restore(good_);
  }
  return good_;
}

std::string Recorder::keep(int) {
  if (!edits_) return prepare(0);
  tree_.touched();
  good_ = tree_.checkpoint(path_);
  tree_.touched();
  return good_;
}

void Recorder::prompt(const agents::PromptRecord& record) {
  append(record::Prompt{record});
  show("agent.started", {{"agent", agent_},
                         {"provider", record.provider},
                         {"model", record.model},
                         {"attempt", record.attempt},
                         {"state", state_}});
}

void Recorder::process(process::ProcessId guard) {
  wrote_ = true;
  append(record::Process{guard});
}

std::string Recorder::damage() {
  if (!edits_ || tree_.intact()) return {};
  return "the worktree " + tree_.path().string() +
         " was deleted during the call, and the work with it";
}

// What the call has made is safe before its reply counts: whoever finds the one finds the other.
void Recorder::reply(const agents::ReplyRecord& record) {
  record::Reply kept{record};
  after_.clear();
  if (edits_) {
    tree_.touched();
    if (record.error.empty()) kept.tree = after_ = tree_.checkpoint(path_);
  }
  append(std::move(kept));
  engine_.mailbox_.post(Engine::Used{path_, record.usage});
}

void Recorder::progress(const std::string& kind, const std::string& text) {
  if (kind == "tool_end") return show("agent.tool_end", Json::object());
  if (kind == "tool") return show("agent.tool", {{"tool", text}});
  if (kind == "note") return show("note", {{"text", text}});
  if (kind == "text") return show("agent.text", {{"text", text}});
  show("agent.retry", {{"reason", text}});
}

void Recorder::append(record::Body body) {
  const record::Entry entry{0, engine_.time_.now(), path_, std::move(body)};
  engine_.setup_.journal.append(engine_.line_.id, {record::encode(entry)}, Json());
}

void Recorder::show(std::string kind, Json data) {
  RunEvent event;
  event.kind = std::move(kind);
  event.path = path_;
  event.data = std::move(data);
  engine_.mailbox_.post(std::move(event));
}

}  // namespace agneto::run
