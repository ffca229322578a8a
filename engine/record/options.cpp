#include "record/options.h"

#include "record/json_fields.h"

namespace agneto::record {

void fields(auto& field, Of<Restoring> auto& restoring) {
  field("at", restoring.at);
  field("sessions", restoring.sessions);
  field.sparse("totals", restoring.totals);
  field.sparse("placed", restoring.placed);
}

// Those that there are, as `max_NAME`.
void limit_fields(auto& field, Of<model::Limits> auto& limits) {
  field.sparse("max_calls", limits.calls);
  field.sparse("max_cost", limits.cost);
  field.sparse("max_tokens", limits.tokens);
  field.sparse("max_time", limits.time);
}

void fields(auto& field, Of<RunOptions> auto& options) {
  field.newer("provider", options.provider);
  field.sparse("chosen", options.chosen);
  field.newer("model", options.model);
  field.newer("providers", options.providers);
  field.sparse("cassette", options.cassette);
  field.sparse("playback", options.playback);
  field.newer("inputs", options.inputs);
  field.newer("interactive", options.interactive);
  field.newer("auto_merge", options.auto_merge);
  field.newer("root", options.root);
  field.sparse("library", options.library);
  field.sparse("record", options.record);
  limit_fields(field, options.limits);
  field.sparse("rewinds", options.rewinds);
  field.sparse("hub", options.hub);
  field.sparse("served", options.served);
  // Journals that were written before the field had its name call it so.
  field.sparse("travel", options.restoring);
}

RunOptions options_of(const journal::RunRecord& run) {
  return from_fields<RunOptions>(run.options);
}

Json to_json(const RunOptions& options) {
  return to_fields(options);
}

}  // namespace agneto::record
