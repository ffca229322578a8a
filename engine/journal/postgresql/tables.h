// The tables of a journal in PostgreSQL, in a schema of their own; docs/journal.md explains them.
#pragma once

#include "journal/postgresql/pool.h"

namespace agneto::journal {

// Makes the tables in a new database, and brings older ones up to this format; several processes
// may do so at the same time. Throws Error where they are a newer program's, and where what a
// journal needs of the server is not so.
void prepare(Pool& pool);

}  // namespace agneto::journal
