#include "run/export.h"

#include "record/options.h"

namespace agneto::run {
namespace {

Json described_with_options(const journal::RunRecord& run) {
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
Json described(const record::Entry& entry) {
  Json body = record::encode(entry).body;
  if (entry.get<record::Prompt>() || entry.get<record::Reply>()) body.erase("text");
  return {{"seq", entry.seq},   {"time", format_time(entry.time)}, {"kind", entry.kind()},
          {"path", entry.path}, {"stands", entry.stands},          {"body", std::move(body)}};
}

}  // namespace

RunExport export_run(const Reader& reader, const std::string& program, Time now) {
  const auto workflow = reader.workflow();
  RunExport exported;
  exported.program = program;
  exported.exported = now;
  exported.run = reader.run();
  exported.entries = reader.entries();
  exported.totals = record::totals_of(exported.entries, exported.run, now);
  exported.summary = record::summary_of(
      exported.entries, workflow ? record::agent_names(*workflow->system) : record::AgentNames());
  exported.instance = member(reader.state(), "instance");
  exported.sources = reader.sources();
  return exported;
}

Json to_json(const RunExport& exported) {
  Json listed = Json::array();
  for (const auto& entry : exported.entries) listed.push_back(described(entry));
  Json json = record::to_json(exported.summary);
  json.update({{"agneto_export", export_format},
               {"program", exported.program},
               {"exported", format_time(exported.exported)},
               {"run", described_with_options(exported.run)},
               {"totals", record::to_json(exported.totals)},
               {"state", exported.instance},
               {"entries", std::move(listed)},
               {"sources", exported.sources}});
  return json;
}

}  // namespace agneto::run
