#include "replay/cassette.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "agents/same_prompt.h"
#include "base/text.h"
#include "chart/path.h"
#include "record/options.h"
#include "record/run_summary.h"
#include "replay/reread.h"
#include "yaml/writer.h"

namespace agneto::replay {
namespace {

using yaml::Ordered;

// Between the ends of calls that ran side by side, so that they end in the order of the run.
constexpr Millis apart{300};
// The most bytes of an input that the comment at the top has.
constexpr std::size_t longest_input = 10'000;
// A call that was cancelled is still at work when that happens again.
constexpr const char* for_long = "1h";

struct Call {
  std::string path;
  std::string agent;
  std::string state;
  RecordedCall record;
  std::vector<agents::Output> said;  // in the attempt that is under way
  std::map<int, std::string> trees;  // after an attempt's edits
  int ended_before = 0;              // calls that had ended when it began
  int end = 0;                       // it was the n-th to end; 0: it has not
  bool alone = true;
  bool over = false;  // its outcome was taken
  bool cancelled = false;
};

// More than 25 names: it keeps of each call what entries that come one by one say of it.
class CassetteWriter {
 public:
  CassetteWriter(const journal::RunRecord& run, const model::System& system,
                 const PatchSource& patch, const fs::path& folder)
      : run_(run),
        options_(record::options_of(run)),
        agents_(record::agent_names(system)),
        patch_(patch),
        folder_(folder) {}

  Cassette write(const std::vector<record::Entry>& entries, const std::string& start) {
    for (const auto& entry : entries) {
      if (entry.stands) take(entry);
    }
    Ordered all = {{"agneto-cassette", 1}};
    if (!options_.interactive) all["interactive"] = false;
    // Where only defaults were taken, they are taken again.
    if (by_person_ > 0 || (options_.interactive && by_default_ > 0)) {
      all["answers"] = answers_;
      if (by_default_ > 0) note("questions that took their default are answered by a person in it");
    }
    all["calls"] = Ordered::array();
    for (const Call& call : calls_) {
      const bool unknown = call.record.replies.empty() && !call.over && !call.cancelled;
      if (unknown && is_last(call)) continue;
      all["calls"].push_back(written(call));
    }
    std::string head = heading(start);
    for (const auto& text : cassette_.notes) head += "# Note: " + text + ".\n";
    cassette_.yaml = head + yaml::to_yaml(all);
    return std::move(cassette_);
  }

 private:
  void note(const std::string& text) {
    auto& notes = cassette_.notes;
    if (std::find(notes.begin(), notes.end(), text) == notes.end()) notes.push_back(text);
  }

  void take(const record::Entry& entry) {
    Call* call = find(entry.path);
    if (const auto* step = entry.get<record::Macrostep>()) {
      macrostep(*step);
    } else if (const auto* given = entry.get<record::Answered>()) {
      answer(entry.path, *given);
    } else if (const auto* prompt = entry.get<record::Prompt>(); prompt && call) {
      if (call->record.prompts.empty()) begin(*call);
      call->record.prompts.push_back(*prompt);
      call->said.clear();
    } else if (const auto* said = entry.get<record::Said>(); said && call) {
      call->said.insert(call->said.end(), said->output.begin(), said->output.end());
    } else if (const auto* reply = entry.get<record::Reply>();
               reply && call && reply->event != "stopped") {
      auto& output = call->record.replies.emplace_back(*reply).output;
      output.insert(output.begin(), call->said.begin(), call->said.end());
      if (!reply->tree.empty()) call->trees[reply->attempt] = reply->tree;
    } else if (entry.get<record::Instructed>()) {
      note("a person's words to an agent are not in it");
    }
  }

  void macrostep(const record::Macrostep& step) {
    using Kind = chart::Event::Kind;
    if (const auto& event = step.event) {
      if (event->kind == Kind::timer) {
        note("nothing in it makes the timer " + event->path + " come due");
      } else if (event->kind == Kind::external) {
        note("nothing in it sends the event '" + event->name + "'");
      }
      if (Call* call = find(event->path)) finish(*call);
    }
    for (const auto& effect : step.effects) {
      if (const auto* ordered = std::get_if<chart::NamedCall>(&effect)) {
        calls_.emplace_back();
        calls_.back().path = ordered->path;
        calls_.back().agent = record::agent_of(*ordered, agents_);
        calls_.back().state = ordered->state;
      } else if (const auto* cancel = std::get_if<chart::Cancel>(&effect)) {
        if (Call* call = find(cancel->path)) call->cancelled = !call->over;
      }
    }
  }

  void begin(Call& call) {
    call.ended_before = ended_;
    for (Call& other : calls_) {
      const bool at_work = !other.record.prompts.empty() && !other.over && !other.cancelled;
      if (at_work) call.alone = other.alone = false;
    }
  }

  void finish(Call& call) {
    call.over = true;
    call.end = ++ended_;
  }

  void answer(const std::string& path, const record::Answered& given) {
    ++(given.by == "default" ? by_default_ : by_person_);
    Ordered answer = {{"state", chart::last_name(path)}};
    if (!given.option.empty()) answer["option"] = given.option;
    if (!given.feedback.empty()) answer["feedback"] = given.feedback;
    if (given.edited) answer["edited"] = *given.edited;
    answers_.push_back(std::move(answer));
  }

  Call* find(const std::string& path) {
    const auto found = std::find_if(calls_.rbegin(), calls_.rend(),
                                    [&](const Call& call) { return call.path == path; });
    return found == calls_.rend() ? nullptr : &*found;
  }

  // Are all later calls of the agent without a reply, too?
  bool is_last(const Call& call) const {
    return std::none_of(calls_.begin(), calls_.end(), [&](const Call& other) {
      return &other > &call && other.agent == call.agent &&
             (other.over || !other.record.replies.empty());
    });
  }

  // What the world did, and not the agent, is in no cassette: a lost session, a provider that is
  // away.
  static bool ends_a_try(const agents::ReplyRecord& reply) {
    return reply.event.empty() || reply.event.starts_with("error.");
  }

  Ordered written(const Call& call) {
    Ordered entry = {{"agent", call.agent}, {"state", call.state}};
    Ordered attempts = Ordered::array();
    if (call.cancelled && !call.over) {
      // Whatever it said did not count; it must not come before it is cancelled again.
      entry.update(Ordered{{"error", "it was cancelled in the run"}, {"delay", for_long}});
      return entry;
    }
    std::map<int, const agents::ReplyRecord*> newest;
    for (const auto& reply : call.record.replies) newest[reply.attempt] = &reply;
    for (const auto& [number, reply] : newest) {
      if (ends_a_try(*reply)) attempts.push_back(attempt(call, *reply));
    }
    if (!call.over) {
      attempts.push_back({{"error", "nothing more was recorded of it"}});
    } else if (attempts.empty()) {
      attempts.push_back({{"error", "nothing was recorded of it"}});
    } else if (!call.alone) {
      attempts.back()["delay"] =
          std::to_string((apart * (call.end - call.ended_before)).count()) + "ms";
    }
    if (attempts.size() == 1) {
      entry.update(attempts.front());
    } else {
      entry["attempts"] = std::move(attempts);
    }
    return entry;
  }

  Ordered attempt(const Call& call, const agents::ReplyRecord& reply) {
    Ordered made = Ordered::object();
    const auto prompt =
        std::find_if(call.record.prompts.rbegin(), call.record.prompts.rend(),
                     [&](const auto& record) { return record.attempt == reply.attempt; });
    const bool asked = prompt != call.record.prompts.rend();
    // The reader has taken the secrets out.
    if (asked) made["prompt"] = agents::portable_prompt(prompt->text, Redactor(), run_.id, folder_);
    stream(made, call, reply);
    if (!reply.error.empty()) {
      made["error"] = portable(reply.error);
      if (reply.event != "error.exit" && !reply.event.empty()) made["event"] = reply.event;
      return made;
    }
    made["reply"] = portable(reply.text);
    const auto after = call.trees.find(reply.attempt);
    if (after == call.trees.end() || !asked || prompt->checkpoint.empty()) return made;
    std::string patch = patch_(prompt->checkpoint, after->second);
    if (!patch.empty()) made["patch"] = portable(std::move(patch));
    return made;
  }

  std::string portable(std::string text) const {
    return agents::portable_text(std::move(text), run_.id, folder_);
  }

  // Each text is without secrets; one that was said in pieces is seen in all of them.
  static bool has_secret(const std::vector<agents::Output>& output) {
    std::string all;
    for (const auto& each : output) all += each.text + "\n";
    return Redactor().text(all) != all;
  }

  void stream(Ordered& made, const Call& call, const agents::ReplyRecord& reply) {
    const auto text_of = [](Millis time) { return std::to_string(time.count()) + "ms"; };
    const bool secret = has_secret(reply.output);
    if (secret) {
      note("what " + call.agent + " said meanwhile at " + call.path +
           " has a secret, and is left out");
    }
    for (const auto& output : reply.output) {
      if (secret && output.kind == "text") continue;
      if (output.kind == "note") continue;  // nobody tries again when it is played
      if (output.kind == "cut") {
        note("of what " + call.agent + " said at " + call.path + " only the beginning was kept");
        break;
      }
      Ordered said = {{"at", text_of(output.at)}};
      if (output.kind == "tool_end") {
        said["tool_end"] = true;
      } else {
        said[output.kind] = portable(output.text);
      }
      made["output"].push_back(std::move(said));
    }
    if (reply.duration.count() > 0) made["took"] = text_of(reply.duration);
  }

  std::string heading(const std::string& start) const {
    std::string head =
        "# What was said and changed in run " + run_.id + " of workflow '" + run_.workflow + "'" +
        (start.empty() ? "" : ",\n# which began at commit " + start) + ".\n# Its inputs:\n";
    for (const auto& [name, value] : options_.inputs.items()) {
      head += "#   " + name + ": " + shortened(printable(to_text(value)), longest_input) + "\n";
    }
    if (options_.auto_merge) head += "# It was to be merged: --auto-merge\n";
    return head;
  }

  const journal::RunRecord& run_;
  const record::RunOptions options_;
  const record::AgentNames agents_;
  const PatchSource& patch_;
  const fs::path& folder_;
  std::vector<Call> calls_;  // in the order in which they were ordered
  Ordered answers_ = Ordered::array();
  int by_person_ = 0, by_default_ = 0;
  int ended_ = 0;
  Cassette cassette_;
};

}  // namespace

Cassette to_cassette(const journal::RunRecord& run, const std::vector<record::Entry>& entries,
                     const model::System& system, const PatchSource& patch,
                     const std::string& start, const fs::path& folder) {
  return CassetteWriter(run, system, patch, folder).write(entries, start);
}

}  // namespace agneto::replay
