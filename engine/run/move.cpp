#include "run/move.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "journal/parcel.h"
#include "run/assembly.h"
#include "run/queue.h"

namespace agneto::run {

namespace {

// An id names a branch and folders, and the other journal may be a stranger's.
void require_plain_id(const std::string& run_id) {
  const bool is_plain =
      !run_id.empty() && run_id.front() != '-' && std::ranges::all_of(run_id, [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '-' || c == '_';
      });
  if (!is_plain) {
    throw Error("'" + printable(run_id) + "' is no id of a run", "it stays where it is");
  }
}

}  // namespace

bool move(journal::Journal& from, journal::Journal& to, const std::string& run_id,
          const std::string& place) {
  require_plain_id(run_id);
  const auto hold = from.hold(run_id);
  const journal::Parcel parcel = from.pack(run_id);
  const bool was_there = to.find(run_id).has_value();
  if (was_there && to.pack(run_id).rows.front().hash != parcel.rows.front().hash) {
    throw Error(fmt::format("there is another run '{}' in {}", run_id, place),
                "that one stays, and this one where it is");
  }
  if (!was_there) to.unpack(parcel);
  if (has_ended(parcel.run)) return !was_there;
  set_aside(from, *hold, run_id, "aborted", "moved to " + place);
  // What somebody has said to it meanwhile.
  for (const auto& message : from.inbox(run_id)) {
    const bool is_packed = !parcel.inbox.empty() && message.id <= parcel.inbox.back().id;
    if (!is_packed) to.post(run_id, message);
  }
  return !was_there;
}

}  // namespace agneto::run
