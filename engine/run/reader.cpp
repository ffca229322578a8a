#include "run/reader.h"

#include <algorithm>

#include "base/log.h"
#include "run/assembly.h"
#include "run/prepare.h"
#include "run/questions.h"
#include "run/secrets.h"

namespace agneto::run {
namespace {

journal::RunRecord redacted(journal::RunRecord run, const Redactor& redactor) {
  for (auto* text : {&run.workflow, &run.file, &run.task, &run.outcome}) {
    *text = redactor.text(std::move(*text));
  }
  run.options = redactor.json(std::move(run.options));
  return run;
}

}  // namespace

Reader::Reader(const fs::path& folder, const std::string& wanted)
    : opened_(required_journal(folder)),
      journal_(opened_.get()),
      record_(*opened_),
      redactor_(redactor_for(folder)),
      folder_(folder),
      id_(find_run(*journal_, wanted).id) {}

Reader::Reader(journal::Journal& journal, Redactor redactor, std::string run_id,
               std::optional<fs::path> folder)
    : journal_(&journal),
      record_(journal),
      redactor_(std::move(redactor)),
      folder_(std::move(folder)),
      id_(std::move(run_id)) {}

Reader::Reader(std::unique_ptr<ToldRecord> told, std::string run_id)
    : told_(std::move(told)), journal_(nullptr), record_(*told_), id_(std::move(run_id)) {}

void Reader::check() const {
  if (journal_) journal_->check(id_);
}

journal::RunRecord Reader::run() const {
  if (told_) return told_->run();
  journal::RunRecord run = find_run(*journal_, id_);
  return folder_ ? shown(std::move(run), *journal_, redactor_)
                 : redacted(std::move(run), redactor_);
}

std::vector<record::Entry> Reader::entries(journal::Seq after, journal::Seq to) const {
  auto entries = record_.entries(id_, after, to);
  for (auto& entry : entries) entry.body = redactor_.json(std::move(entry.body));
  return record::decode(entries);
}

std::vector<journal::Message> Reader::inbox() const {
  auto messages = record_.inbox(id_);
  for (auto& message : messages) message.body = redactor_.json(std::move(message.body));
  return messages;
}

Json Reader::state() const {
  return redactor_.json(record_.state(id_));
}

std::vector<record::Question> Reader::questions(Time now) const {
  const Json recorded = state();
  const record::Timers timers = record::timers_of(recorded);
  const auto read = workflow();
  const bool suspended = run().status == "suspended";
  std::vector<record::Question> all;
  for (const auto& ask : record::open_questions(recorded)) {
    record::Surroundings around;
    if (read) {
      around = record::surroundings_of(ask.path, {*read->system, timers, now, suspended});
    }
    all.push_back(record::question_of(ask, std::move(around)));
  }
  return all;
}

Waiting Reader::waiting() const {
  return waiting_of(record_, run(), redactor_);
}

std::map<std::string, std::string> Reader::sources() const {
  auto sources = record_.sources(id_);
  for (auto& [path, text] : sources) text = redactor_.text(std::move(text));
  return sources;
}

std::shared_ptr<const model::Loaded> Reader::workflow() const {
  try {
    const MemoryFiles files(record_.sources(id_));
    return std::make_shared<model::Loaded>(
        load_recorded(told_ ? told_->run() : find_run(*journal_, id_), files));
  } catch (const Error& error) {
    log::warning("a recorded workflow cannot be read", {{"run", id_}, {"error", error.what()}});
    return nullptr;
  }
}

Json described(const journal::RunRecord& run) {
  Json json = {{"run", run.id},
               {"workflow", run.workflow},
               {"task", run.task},
               {"status", run.status},
               {"priority", run.priority},
               {"outcome", run.outcome},
               {"base", run.base},
               {"branch", run.branch},
               {"created", format_time(run.created)},
               {"updated", format_time(run.updated)}};
  if (run.wake) json["wake"] = format_time(*run.wake);
  return json;
}

Waiting waiting_of(journal::Reader& journal, const journal::RunRecord& run,
                   const Redactor& redactor) {
  Waiting waiting;
  const bool live = run.status == "running";
  if (has_ended(run) || run.status == "queued" || (!live && run.questions == 0)) return waiting;
  const auto inbox = journal.inbox(run.id);
  if (!live && run.questions > 0 && inbox.empty()) {
    waiting.for_person = true;  // lists need not look into the state for that
    return waiting;
  }
  const Json state = journal.state(run.id);
  const auto open = record::open_questions(state);
  waiting.for_person = std::ranges::any_of(
      open, [&](const chart::AskHuman& question) { return !answer_waiting(inbox, question.path); });
  if (!live) return waiting;
  const Json& outstanding = member(state.at("run"), "outstanding");
  waiting.at_work = open.size() < outstanding.size();
  for (const auto& [path, effect] : outstanding.items()) {
    if (effect.at("effect") != chart::CallAgent::kind) continue;
    const auto entries = journal.entries_of(run.id, path);
    if (entries.empty() || entries.back().kind != record::Reply::kind) continue;
    const record::Entry last = record::decode(entries.back());
    const auto& reply = *last.get<record::Reply>();
    if (reply.wait > Millis(0)) {
      waiting.away.push_back({path, redactor.text(reply.error), last.time + reply.wait});
    }
  }
  return waiting;
}

record::Totals totals_of(journal::Reader& journal, const journal::RunRecord& run, Time now) {
  // A state is from the last step, or from a suspension. Between these only the entries say it.
  const bool by_entries = run.status == "running" || run.status == "interrupted";
  const Json state = by_entries ? Json() : journal.state(run.id);
  if (state.is_null()) return record::totals_of(record::decode(journal.entries(run.id)), run, now);
  return record::totals_from(state.at("run").at("totals"));
}

Json described(const std::vector<Waiting::Away>& away) {
  Json list = Json::array();
  for (const auto& [path, why, until] : away) {
    list.push_back({{"path", path}, {"why", why}, {"until", format_time(until)}});
  }
  return list;
}

journal::RunRecord shown(journal::RunRecord run, journal::Holds& holds, const Redactor& redactor) {
  run = redacted(std::move(run), redactor);
  run.status = status_of(holds, run);
  return run;
}

}  // namespace agneto::run
