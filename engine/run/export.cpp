#include "run/export.h"

#include "record/options.h"
#include "record/run_summary.h"
#include "record/totals.h"

namespace agneto::run {
namespace {

Json described(const journal::RunRecord& run) {
  const record::RunOptions all = record::options_of(run);
  Json options = record::to_json(all);
  options.erase("inputs");
  return {{"id", run.id},
          {"workflow", run.workflow},
          {"file", run.file},
          {"task", run.task},
          {"inputs", all.inputs},
          {"options", std::move(options)},
          {"status", run.status},
          {"outcome", run.outcome},
          {"base", run.base},
          {"branch", run.branch},
          {"created", format_time(run.created)},
          {"updated", format_time(run.updated)}};
}

// The text of a prompt or a reply stands under its call.
Json described(const record::Entry& entry) {
  Json body = record::encode(entry).body;
  if (entry.get<record::Prompt>() || entry.get<record::Reply>()) body.erase("text");
  return {{"seq", entry.seq},   {"time", format_time(entry.time)}, {"kind", entry.kind()},
          {"path", entry.path}, {"stands", entry.stands},          {"body", std::move(body)}};
}

}  // namespace

Json export_run(const Reader& reader, const std::string& program, Time now) {
  const auto workflow = reader.workflow();
  const auto entries = reader.entries();
  const record::RunSummary summary = record::summary_of(
      entries, workflow ? record::agent_names(*workflow->system) : record::AgentNames());
  const journal::RunRecord run = reader.run();
  Json listed = Json::array();
  for (const auto& entry : entries) listed.push_back(described(entry));
  return {{"agneto_export", export_format},
          {"program", program},
          {"exported", format_time(now)},
          {"run", described(run)},
          {"totals", to_json(record::totals_of(entries, run, now))},
          {"state", reader.state().at("instance")},
          {"calls", summary.calls},
          {"questions", summary.questions},
          {"commands", summary.commands},
          {"operations", summary.operations},
          {"steps", summary.steps},
          {"entries", std::move(listed)},
          {"sources", reader.sources()}};
}

}  // namespace agneto::run
