// Runs and entries for the journal's tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "journal/journal.h"
#include "support/temporary_folder.h"

namespace agneto::journal {

inline Time at(std::int64_t millis) {
  return Time(Millis(millis));
}

inline RunRecord a_run(const std::string& id) {
  RunRecord run;
  run.id = id;
  run.workflow = "agneto";
  run.file = "workflows/agneto.yaml";
  run.task = "add a flag";
  run.status = "running";
  run.base = "main";
  run.branch = "agneto/" + id;
  run.created = at(1000);
  run.updated = at(1000);
  run.options = {{"inputs", {{"task", "add a flag"}}}};
  return run;
}

inline Entry an_entry(std::int64_t millis, std::string kind, std::string path = {},
                      Json body = nullptr) {
  return {0, at(millis), std::move(kind), std::move(path), std::move(body)};
}

class JournalTest : public ::testing::Test {
 protected:
  std::vector<Seq> seqs(const std::string& run_id) {
    std::vector<Seq> seqs;
    for (const Entry& entry : journal_->entries(run_id)) {
      seqs.push_back(entry.seq);
    }
    return seqs;
  }

  testing::TemporaryFolder folder_;
  std::unique_ptr<Journal> journal_ = open_journal(folder_ / "runs.db");
};

}  // namespace agneto::journal
