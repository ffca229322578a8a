#include "journal/chain.h"

#include "base/text.h"

namespace agneto::journal {

std::string chain_hash(std::string_view previous, std::string_view run_id, const Entry& entry,
                       const Texts& texts) {
  const Json heading = {run_id, entry.seq, entry.time.time_since_epoch().count(), entry.kind,
                        entry.path};
  std::string content(previous);
  content += '\n';
  content += to_text(heading);
  content += '\n';
  content += texts.body;
  if (!texts.change.empty()) {
    content += '\n';
    content += texts.change;
  }
  return sha256(content);
}

}  // namespace agneto::journal
