#include "run/conversation.h"

#include <algorithm>
#include <limits>

#include "record/entry.h"

namespace agneto::run {
namespace {

// What was said in one call.
struct Call {
  std::vector<agents::Exchange> exchanges;
  std::string follows;  // the call before it in the conversation
  journal::Seq first = 0;
};

Call recorded_call(journal::Entries& journal, const std::string& run_id, const std::string& path) {
  Call call;
  agents::Exchange exchange;
  for (const auto& entry : record::decode(journal.entries_of(run_id, path))) {
    if (call.first == 0) call.first = entry.seq;
    if (const auto* prompt = entry.get<record::Prompt>()) {
      exchange.prompt = prompt->text;
      call.follows = prompt->follows;
    } else if (const auto* reply = entry.get<record::Reply>(); reply && reply->error.empty()) {
      exchange.reply = reply->text;
      call.exchanges.push_back(exchange);
    }
  }
  return call;
}

}  // namespace

std::vector<agents::Exchange> recall(journal::Entries& journal, const std::string& run_id,
                                     const Conversation& conversation) {
  std::vector<agents::Exchange> said;  // the newest first
  const auto add = [&said](Call& call) {
    said.insert(said.end(), std::make_move_iterator(call.exchanges.rbegin()),
                std::make_move_iterator(call.exchanges.rend()));
  };
  std::string path = conversation.last;
  for (journal::Seq before = std::numeric_limits<journal::Seq>::max(); !path.empty();) {
    Call call = recorded_call(journal, run_id, path);
    if (call.first == 0 || call.first >= before) break;
    add(call);
    before = call.first;
    path = call.follows;
  }
  for (auto older = conversation.calls.rbegin(); older != conversation.calls.rend(); ++older) {
    Call call = recorded_call(journal, run_id, *older);
    add(call);
  }
  std::reverse(said.begin(), said.end());
  return said;
}

}  // namespace agneto::run
