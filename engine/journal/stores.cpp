#include "journal/stores.h"

#include "journal/postgresql/address.h"

namespace agneto::journal {

std::unique_ptr<Journal> open_journal(const std::string& where) {
  return is_postgresql(where) ? open_postgresql_journal(where) : open_sqlite_journal(where);
}

std::unique_ptr<Notices> open_notices(const std::string& where) {
  return is_postgresql(where) ? open_postgresql_notices(where) : open_sqlite_notices(where);
}

void each_run(Journal& journal, Wanted wanted, const std::function<bool(RunRecord)>& see) {
  constexpr std::size_t many = 500;
  if (wanted.most == 0) wanted.most = many;
  for (;;) {
    std::vector<RunRecord> page = journal.list(wanted);
    if (page.empty()) return;
    wanted.before = page.back().id;
    const bool is_last = page.size() < wanted.most;
    for (RunRecord& run : page) {
      if (!see(std::move(run))) return;
    }
    if (is_last) return;
  }
}

}  // namespace agneto::journal
