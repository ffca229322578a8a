#include "run/export.h"

#include "run/account.h"
#include "run/totals.h"

namespace agneto::run {
namespace {

Json described(const journal::RunRecord& line) {
  Json options = line.options;
  const Json inputs = options.value("inputs", Json::object());
  options.erase("inputs");
  return {{"id", line.id},
          {"workflow", line.workflow},
          {"file", line.file},
          {"task", line.task},
          {"inputs", inputs},
          {"options", std::move(options)},
          {"status", line.status},
          {"outcome", line.outcome},
          {"base", line.base},
          {"branch", line.branch},
          {"created", format_time(line.created)},
          {"updated", format_time(line.updated)}};
}

// The text of a prompt or a reply stands under its call; a snapshot is no news.
Json described(const journal::Entry& entry) {
  Json body = entry.body;
  if (entry.kind == "prompt" || entry.kind == "reply") body.erase("text");
  if (entry.kind == "snapshot") body = Json::object();
  return {{"seq", entry.seq},   {"time", format_time(entry.time)}, {"kind", entry.kind},
          {"path", entry.path}, {"stands", entry.stands},          {"body", std::move(body)}};
}

}  // namespace

Json export_run(const Reader& reader, const std::string& program, Time now) {
  const auto workflow = reader.workflow();
  const auto entries = reader.entries();
  const Account account =
      account_of(entries, workflow ? agent_names(*workflow->system) : AgentNames());
  const journal::RunRecord line = reader.line();
  const Json state = reader.state();
  Json listed = Json::array();
  for (const auto& entry : entries) listed.push_back(described(entry));
  return {{"agneto_export", export_format},
          {"program", program},
          {"exported", format_time(now)},
          {"run", described(line)},
          {"totals", totals_of(state, line, entries, now)},
          {"state", state.at("instance")},
          {"calls", account.calls},
          {"questions", account.questions},
          {"commands", account.commands},
          {"operations", account.operations},
          {"steps", account.steps},
          {"entries", std::move(listed)},
          {"sources", reader.sources()}};
}

}  // namespace agneto::run
