// What a journal can be stored in.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/clock.h"
#include "journal/journal.h"
#include "journal/notices.h"

namespace agneto::journal {

std::unique_ptr<Journal> open_sqlite_journal(const std::string& path);
std::unique_ptr<Notices> open_sqlite_notices(const std::string& path);

struct PostgresqlOptions {
  Millis lease{10'000};         // a run is free so long after its process was heard of last
  Millis patience{60'000};      // with a server that is away, until another one takes its place
  std::size_t connections = 8;  // at most, of one journal
};
std::unique_ptr<Journal> open_postgresql_journal(const std::string& uri,
                                                 const PostgresqlOptions& options = {});
std::unique_ptr<Notices> open_postgresql_notices(const std::string& uri,
                                                 const PostgresqlOptions& options = {});

}  // namespace agneto::journal
