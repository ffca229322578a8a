#include "run/engine/recorder.h"

namespace agneto::run {

Recorder::Recorder(const Job& job, const agents::Request& request)
    : job_(job), request_(request), edits_(request.access != model::Access::read_only) {
  if (request.recorded_prompts.empty()) return;
  before_ = request.recorded_prompts.front().checkpoint;
  good_ = request.recorded_prompts.back().checkpoint;
}

std::string Recorder::prepare(int) {
  after_.clear();
  if (good_.empty()) {
    before_ = good_ = job_.tree.checkpoint(job_.path);
    if (edits_) job_.tree.touched();
  } else if (edits_) {
    undo_attempt();
  } else if (!job_.tree.intact()) {
    job_.tree.restore(good_);
  }
  return good_;
}

void Recorder::undo_attempt() {
  const std::string kept = job_.tree.put_back(good_, "what " + request_.agent + " had changed");
  if (!kept.empty()) note(kept);
}

void Recorder::note(const std::string& text) {
  job_.reporter.append(job_.path, record::Noted{text});
  job_.show(record::Note{text});
}

std::string Recorder::keep(int) {
  if (!edits_) return prepare(0);
  after_.clear();
  job_.tree.touched();
  good_ = job_.tree.checkpoint(job_.path);
  job_.tree.touched();
  return good_;
}

void Recorder::prompt(const agents::PromptRecord& record) {
  job_.record(record::Prompt{record, job_.item});
  job_.show(record::AgentStarted{request_.agent, record.provider, record.model, record.attempt,
                                 request_.state, job_.item, record.effort});
}

void Recorder::process(process::ProcessId guard) {
  wrote_ = true;
  job_.record(record::Process{guard});
}

std::string Recorder::damage() {
  if (!edits_ || job_.tree.intact()) return {};
  return "the worktree " + job_.tree.path().string() +
         " was deleted or moved during the call, and the work with it";
}

std::string Recorder::obstacle() {
  if (!edits_ || !wrote_ || job_.disowned || !job_.tree.intact()) return {};
  return job_.tree.obstacle_to_commit();
}

// What the call has made is safe before its reply counts: a journal with the reply has the tree.
void Recorder::reply(const agents::ReplyRecord& record) {
  record::Reply kept{record};
  problem_ = record.error;
  refused_ = record.event == "refused";
  if (wrote_) {
    kept.put_right = job_.put_right(request_.agent, request_.access);
    // Whoever stopped the attempt tells it: nobody may hear this thread any more.
    if (record.event != "stopped") job_.show_notes(kept.put_right);
    // What a call leaves that comes to nothing is undone later, and kept.
    const bool stays =
        record.event == "stopped" || record.event == "refused" || record.event == "away";
    if (!edits_ && !stays && !job_.disowned) kept.undone = job_.tree.undo_since(before_);
    if (kept.undone) job_.show(record::Undone{request_.agent});
    job_.tree.lend(edits_);  // the call may have more attempts
  }
  after_.clear();
  if (record.event.starts_with("error.")) {
    try {
      job_.require_room("agent '" + request_.agent + "' failed");
    } catch (const DiskFull&) {
      kept.event = "stopped";
      job_.record(std::move(kept));  // for what it has used
      throw;
    }
  }
  if (record.event == "stopped") {
    if (edits_) job_.tree.touched();
    stopped_ = std::move(kept);
    return;
  }
  if (edits_) {
    job_.tree.touched();
    if (record.error.empty()) kept.tree = after_ = job_.tree.checkpoint(job_.path);
  }
  job_.record(std::move(kept));
}

void Recorder::said(int attempt, std::vector<agents::Output> output) {
  job_.reporter.append(job_.path, record::Said{attempt, std::move(output)});
}

void Recorder::progress(const std::string& kind, const std::string& text) {
  if (kind == "tool_end") return job_.show(record::AgentToolEnd{});
  if (kind == "tool_denied") return job_.show(record::AgentToolDenied{text});
  if (kind == "tool_failed") return job_.show(record::AgentToolFailed{text});
  if (kind == "tool") return job_.show(record::AgentTool{text});
  if (kind == "fault") return job_.show(record::Note{"injected: " + text, text});
  if (kind == "note") return job_.show(record::Note{text});
  if (kind == "text") return job_.show(record::AgentText{text});
  job_.show(record::AgentRetry{text});
}

}  // namespace agneto::run
