// One document that holds all of a run: docs/export.md describes it, schemas/export.schema.json
// checks it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "record/run_summary.h"
#include "record/totals.h"
#include "run/reader.h"

namespace agneto::run {

constexpr int export_format = 1;

struct RunExport {
  std::string program;  // who wrote it, "agneto 1.0"
  Time exported;
  journal::RunRecord run;
  record::Totals totals;
  record::RunSummary summary;
  Json instance;  // where its machines stand
  std::vector<record::Entry> entries;
  std::map<std::string, std::string> sources;  // text by path
};

// Without secrets, as everything that a Reader gives.
RunExport export_run(const Reader& reader, const std::string& program, Time now);
Json to_json(const RunExport& exported);

}  // namespace agneto::run
