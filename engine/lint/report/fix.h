// `agneto lint --fix`: what findings say is safe to write, written.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/files.h"
#include "lint/report/report.h"

namespace agneto::lint {

// A file as it is and as it should be, by the path under which it was read.
struct Correction {
  std::string before;
  std::string after;
};
using Corrections = std::map<std::string, Correction>;

struct Fixed {
  Corrections files;               // those that change
  std::vector<std::string> steps;  // what was done: "a.yaml:3:5: 'ok' for 'okay' [E203/…]"
  Report report;                   // of the corrected files
};

// Lints, makes the edits of the findings, and lints again, until there is nothing left that can be
// fixed. Where edits overlap, the first is made. A file that could be read before its edits and not
// after them gets no more. Writes nothing: what the files would hold is in the result.
Fixed fix(const std::function<Report(const Files&)>& lint, const Files& files);

// Writes the corrections, each file whole or not at all. Throws Error where a file is read-only, or
// no longer what was read: then none is written. Where one cannot be written all the same, which
// shows only then, the Error names those that were not, and those that were.
void write(const Corrections& corrections, const Files& files);

}  // namespace agneto::lint
