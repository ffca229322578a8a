#include "record/options.h"

#include "record/json_fields.h"

namespace agneto::record {

void fields(auto& field, Of<Restoring> auto& restoring) {
  field("at", restoring.at);
  field("sessions", restoring.sessions);
  field.sparse("totals", restoring.totals);
  field.sparse("placed", restoring.placed);
}

void fields(auto& field, Of<RunOptions> auto& options) {
  field.newer("provider", options.provider);
  field.newer("model", options.model);
  field.newer("providers", options.providers);
  field.sparse("cassette", options.cassette);
  field.sparse("playback", options.playback);
  field.newer("inputs", options.inputs);
  field.newer("interactive", options.interactive);
  field.newer("auto_merge", options.auto_merge);
  field.newer("root", options.root);
  field.sparse("record", options.record);
  field.sparse("rewinds", options.rewinds);
  field.sparse("travel", options.restoring);
}

RunOptions options_of(const journal::RunRecord& run) {
  return from_fields<RunOptions>(run.options);
}

Json to_json(const RunOptions& options) {
  return to_fields(options);
}

}  // namespace agneto::record
