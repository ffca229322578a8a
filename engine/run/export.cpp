#include "run/export.h"

#include "record/options.h"
#include "record/run_summary.h"
#include "record/totals.h"

namespace agneto::run {
namespace {

Json exported(const journal::RunRecord& run) {
  const record::RunOptions all = record::options_of(run);
  Json options = record::to_json(all);
  options.erase("inputs");
  Json json = described(run);
  json.erase("run");
  json.update({{"id", run.id},
               {"file", run.file},
               {"inputs", all.inputs},
               {"options", std::move(options)}});
  return json;
}

// The text of a prompt or a reply stands under its call.
Json exported(const record::Entry& entry) {
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
  for (const auto& entry : entries) listed.push_back(exported(entry));
  return {{"agneto_export", export_format},
          {"program", program},
          {"exported", format_time(now)},
          {"run", exported(run)},
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
