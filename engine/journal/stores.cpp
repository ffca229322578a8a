#include "journal/stores.h"

#include "journal/postgresql/address.h"

namespace agneto::journal {

std::unique_ptr<Journal> open_journal(const std::string& where) {
  return is_postgresql(where) ? open_postgresql_journal(where) : open_sqlite_journal(where);
}

std::unique_ptr<Notices> open_notices(const std::string& where) {
  return is_postgresql(where) ? open_postgresql_notices(where) : open_sqlite_notices(where);
}

}  // namespace agneto::journal
