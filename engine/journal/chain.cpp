#include "journal/chain.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "journal/plain_json.h"

namespace agneto::journal {

std::string chain_hash(std::string_view previous, std::string_view run_id, const Entry& entry,
                       const Texts& texts) {
  std::string content(previous);
  content.reserve(content.size() + texts.body.size() + texts.change.size() + 200);
  content += "\n[";
  add_text(run_id, content);
  fmt::format_to(std::back_inserter(content), ",{},{},", entry.seq,
                 entry.time.time_since_epoch().count());
  add_text(entry.kind, content);
  content += ',';
  add_text(entry.path, content);
  content += "]\n";
  content += texts.body;
  if (!texts.change.empty()) {
    content += '\n';
    content += texts.change;
  }
  return sha256(content);
}

}  // namespace agneto::journal
