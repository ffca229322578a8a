#include "journal/chain.h"

#include "base/text.h"

namespace agneto::journal {

std::string chain_hash(std::string_view previous, std::string_view run_id, const Entry& entry,
                       const Texts& texts) {
  std::string content(previous);
  content.reserve(content.size() + texts.body.size() + texts.change.size() + 200);
  content += '\n';
  content += to_text(Json::array({std::string(run_id), entry.seq,
                                  entry.time.time_since_epoch().count(), entry.kind, entry.path}));
  content += '\n';
  content += texts.body;
  if (!texts.change.empty()) {
    content += '\n';
    content += texts.change;
  }
  return sha256(content);
}

}  // namespace agneto::journal
