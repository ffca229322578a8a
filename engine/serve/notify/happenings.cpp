#include "serve/notify/happenings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "record/options.h"
#include "record/question.h"
#include "run/assembly.h"
#include "run/questions.h"

namespace agneto::serve {

namespace {

constexpr std::size_t longest = 300;  // bytes of a text

// Its first line with words in it.
std::string plain_line(const Redactor& redactor, const std::string& text) {
  const std::string clean = printable(redactor.text(text));
  for (const std::string_view line : split_lines(clean)) {
    std::string words(trim(line));
    std::ranges::replace(words, '\t', ' ');
    std::erase(words, '\r');
    if (!words.empty()) return shortened(words, longest);
  }
  return {};
}

// A limit that its workflow takes is not told; one that suspends says what to raise (meter.cpp).
bool is_of_a_limit(const std::string& outcome) {
  return outcome.find(" is reached") != std::string::npos &&
         outcome.find("raise limits.") != std::string::npos;
}

class Teller {
 public:
  Teller(const journal::RunRecord& run, const Redactor& redactor, const std::string& url)
      : run_(run), redactor_(redactor), url_(url) {}

  void tell(const std::string& key, const std::string& occasion, const std::string& text) {
    Json told = {{"id", run_.id + " " + key},
                 {"event", occasion},
                 {"run", run_.id},
                 {"workflow", plain_line(redactor_, run_.workflow)},
                 {"task", plain_line(redactor_, run_.task)},
                 {"status", run_.status},
                 {"time", format_time(run_.updated)},
                 {"text", run_.id + " " + plain_line(redactor_, text)}};
    if (!url_.empty()) told["url"] = url_ + "/runs/" + run_.id;
    all_.push_back({told["id"], occasion, std::move(told)});
  }
  std::vector<Happening> all() { return std::move(all_); }

 private:
  const journal::RunRecord& run_;
  const Redactor& redactor_;
  const std::string& url_;
  std::vector<Happening> all_;
};

}  // namespace

std::vector<Happening> happenings(journal::Journal& journal, const journal::RunRecord& run,
                                  const Redactor& redactor, const std::string& url) {
  const record::RunOptions options = record::options_of(run);
  if (!options.served) return {};
  Teller teller(run, redactor, url);
  if (journal::has_ended(run)) {
    const std::string key = fmt::format("end {}", journal.newest(run.id));
    const bool failed = run.status == "failed";
    const std::string outcome = run.outcome.empty() ? "" : " (" + run.outcome + ")";
    teller.tell(key, failed ? "failure" : "end",
                (failed                    ? "has failed"
                 : run.status == "aborted" ? "was aborted"
                                           : "is complete") +
                    outcome);
    return teller.all();
  }
  if (run.status == "suspended") {
    const bool limit = is_of_a_limit(run.outcome);
    teller.tell(fmt::format("suspended {}", journal.newest(run.id)), limit ? "limit" : "suspended",
                "is suspended: " + run.outcome);
  }
  if (run.questions == 0) return teller.all();
  const auto inbox = journal.inbox(run.id);
  for (const auto& question : record::open_questions(journal.state(run.id))) {
    if (run::answer_waiting(inbox, question.path)) continue;
    // After a rewind it is asked anew.
    teller.tell(fmt::format("gate {} {}", question.path, options.rewinds), "gate",
                "asks: " + question.question);
  }
  return teller.all();
}

}  // namespace agneto::serve
