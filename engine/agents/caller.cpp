#include "agents/caller.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "agents/attached.h"
#include "agents/attempt.h"
#include "agents/message.h"
#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "script/verdicts.h"

namespace agneto::agents {

namespace {

constexpr int most_reasks = 2;
// Between two looks at a provider that is away.
constexpr Millis longest_pause{60'000};
const model::Retry pauses{.longest = longest_pause};
constexpr std::size_t shown_reply = 4000;

// The newest record of an attempt; null where there is none.
template <typename Record>
const Record* find(const std::vector<Record>& records, int attempt) {
  const auto found = std::find_if(records.rbegin(), records.rend(),
                                  [&](const Record& record) { return record.attempt == attempt; });
  return found == records.rend() ? nullptr : &*found;
}

// More than 25 names: what follows from an attempt depends on all attempts before it, which are its
// members.
class Call {
 public:
  Call(const Request& request, const Services& services, CallRecorder& recorder,
       std::stop_token stop)
      : request_(request),
        services_(services),
        recorder_(recorder),
        stop_(std::move(stop)),
        hooks_(services.files, services.modules),
        verdicts_(script::verdicts_to_json(request.verdicts)),
        schema_(request.verdicts.empty() ? Json() : script::verdict_schema(request.verdicts)),
        conversation_(request.conversation),
        absence_(request.absence) {
    if (conversation_.provider != request.provider) conversation_.session.clear();
    hooks_.heed(stop_);
  }

  Result run() {
    try {
      for (;; ++attempt_) {
        if (auto result = once()) return *std::move(result);
      }
    } catch (const script::HookError& error) {
      if (hooks_.was_stopped()) return cancelled();
      return failure("error.lua", error.what());
    }
  }

 private:
  // One attempt; nothing where another has to follow.
  std::optional<Result> once() {
    const PromptRecord* asked = find(request_.recorded_prompts, attempt_);
    const ReplyRecord* replied = find(request_.recorded_replies, attempt_);
    if (asked && replied && !is_void(replied->event)) return taken(*asked, *replied);

    if (!wait_until_back()) return cancelled();
    // What is kept must be so before a stop can come between.
    std::string checkpoint;
    if (!asked && answer_again_) checkpoint = recorder_.keep(attempt_);
    if (stop_.stop_requested()) return cancelled();
    // What was asked once is asked again as it was.
    if (!asked && problem_.empty()) {
      if (auto without = attach_files()) return without;
    }
    PromptRecord prompt;
    prompt.attempt = attempt_;
    prompt.provider = request_.provider;
    prompt.model = request_.model;
    prompt.session = conversation_.session;
    prompt.problem = asked ? asked->problem : problem_;
    prompt.follows = request_.follows;
    prompt.tried = asked ? asked->tried : std::exchange(tried_, {});
    prompt.effort = request_.effort;
    prompt.tools = request_.tools;
    prompt.args = request_.args;
    prompt.env = request_.env;
    prompt.mcp = request_.mcp;
    prompt.text = asked ? asked->text : message();
    prompt.checkpoint = !asked && answer_again_ ? checkpoint : recorder_.prepare(attempt_);
    recorder_.prompt(prompt);

    for (;; ++outages_) {
      Attempt made = attempt(driver_call(prompt), request_, services_, recorder_, notes_, stop_);
      if (made.is_stopped()) {
        recorder_.reply(made.record);
        return cancelled();
      }
      if (made.record.error.empty()) {
        made.record.error = recorder_.damage();
        if (!made.record.error.empty()) made.record.event = "error.exit";
      }
      if (made.record.event == "away") made.record.wait = pause_after(made);
      recorder_.reply(made.record);
      if (made.record.event == "refused") return unavailable(made.record.error);
      if (made.record.event != "away") return taken(prompt, made.record);
      if (made.record.wait == Millis(0)) return unavailable(absence(made));
      log::warning("provider is away", {{"provider", request_.provider},
                                        {"attempt", attempt_},
                                        {"wait_ms", made.record.wait.count()}});
      recorder_.progress("retry", why_again(made.record));
      if (!services_.clock.sleep(made.record.wait, stop_)) return cancelled();
      recorder_.prepare(attempt_);
    }
  }

  // What an owner before has begun to wait for; false: we are to stop.
  bool wait_until_back() {
    const auto absence = std::exchange(absence_, std::nullopt);
    outages_ = absence ? absence->times : 0;
    if (!absence) return true;
    const Millis left =
        std::max(Millis(0), std::chrono::ceil<Millis>(absence->until - services_.clock.now()));
    away_since_ = services_.clock.elapsed() + left - absence->waited;
    return left == Millis(0) || services_.clock.sleep(left, stop_);
  }

  // How long a provider is left alone that is away; 0: there is no patience left for that.
  Millis pause_after(const Attempt& made) {
    const Millis now = services_.clock.elapsed();
    if (outages_ == 0 || made.record.usage.output_tokens > 0) away_since_ = now;
    away_for_ = now - away_since_;
    const Millis at_least =
        made.wait + std::chrono::duration_cast<Millis>(std::min(made.wait, longest_pause) * 0.25 *
                                                       services_.random());
    const Millis pause = std::max(at_least, pauses.wait(outages_ + 1, services_.random()));
    return pause > request_.patience - away_for_ ? Millis(0) : pause;
  }

  // What is said when we stop waiting for a provider.
  std::string absence(const Attempt& made) const {
    const std::string& why = made.record.error;
    if (made.wait > Millis(0)) {
      return why + "; it is away for another " + format_duration(made.wait);
    }
    return away_for_ == Millis(0) ? why : why + "; away for " + format_duration(away_for_);
  }

  std::optional<Result> taken(const PromptRecord& prompt, const ReplyRecord& reply) {
    answer_again_ = false;
    if (!reply.error.empty()) return failed(reply);
    ++replies_;
    last_error_.clear();
    conversation_.provider = request_.provider;
    conversation_.session = prompt.provider == request_.provider ? reply.session : "";
    said_.push_back({prompt.text, reply.text});
    return judged(reply.text);
  }

  // A reply is in: is it a verdict?
  std::optional<Result> judged(const std::string& reply) {
    const PromptRecord* next = find(request_.recorded_prompts, attempt_ + 1);
    if (next && !next->problem.empty()) return ask_again(next->problem);
    Result result;
    result.conversation = conversation_;
    if (const auto problem = read(reply, result)) {
      return reasks_ == most_reasks ? unusable(*problem, reply) : ask_again(*problem);
    }
    // Who is asked in vain has the last word: what becomes of the files is up to the workflow.
    if (reasks_ < most_reasks) {
      if (const std::string obstacle = recorder_.obstacle(); !obstacle.empty()) {
        return ask_again(obstacle);
      }
    }
    return result;
  }

  // What the reply means; or what is wrong with it.
  std::optional<std::string> read(const std::string& reply, Result& result) {
    const bool is_empty = trim(reply).empty();
    constexpr const char* empty = "the reply is empty";
    if (request_.verdicts.empty()) {
      if (is_empty) return empty;
      result.event = "done";
      result.data = {{"reply", reply}};
      return std::nullopt;
    }
    auto read = is_empty ? script::VerdictReply{"", Json(), empty}
                         : hooks_.parse(request_.hooks, request_.task, reply, hook_data(),
                                        request_.workspace);
    auto problem = script::problem_with(request_.verdicts, read);
    if (problem) return problem;
    result.event = read->name;
    result.data = std::move(read->fields);
    return std::nullopt;
  }

  // The work itself may be done again, in a new conversation, which the last one has not led
  // astray.
  std::optional<Result> unusable(const std::string& problem, const std::string& reply) {
    ++failures_;
    if (is_tried_again("error.unparsed")) {
      reasks_ = 0;
      problem_.clear();
      said_.clear();
      conversation_ = request_.conversation;
      last_error_ = problem;
      return try_again(problem);
    }
    const std::string expected = join(names_of(request_.verdicts), ", ");
    Result none =
        failure("error.unparsed",
                fmt::format("{} gave no usable {} in {} replies; of the last: {}{}", who(),
                            expected.empty() ? "reply" : "verdict", replies_, problem,
                            expected.empty() ? "" : "; expected one of " + expected));
    none.data["reply"] = shortened(reply, shown_reply);
    return none;
  }

  std::optional<Result> ask_again(const std::string& problem) {
    ++reasks_;
    problem_ = problem;
    answer_again_ = true;
    recorder_.progress("reask", problem);
    return std::nullopt;
  }

  std::optional<Result> failed(const ReplyRecord& reply) {
    if (reply.event == "session.lost" && !conversation_.session.empty()) {
      conversation_.session.clear();
      recorder_.progress("retry", reply.error);
      return std::nullopt;
    }
    last_error_ = reply.error;
    const std::string event =
        reply.event.starts_with("error.") ? reply.event : std::string("error.exit");
    log::warning("agent's try failed", {{"provider", request_.provider},
                                        {"attempt", attempt_},
                                        {"event", event},
                                        {"ms", reply.duration.count()}});
    if (event == "error.lua") return failure(event, reply.error);
    ++failures_;
    if (is_tried_again(event)) return try_again(reply.error);
    if (failures_ > 1) {
      return failure(event, fmt::format("{} failed {} times; the last time: {}", who(), failures_,
                                        reply.error));
    }
    return failure(event, fmt::format("{}{} {}", who(),
                                      event == "error.spawn" ? ":" : " failed:", reply.error));
  }

  bool is_tried_again(const std::string& event) const {
    return failures_ < request_.retry.tries && request_.retry.takes(event);
  }

  std::optional<Result> try_again(const std::string& why) {
    tried_ = fmt::format("try {} of {}: {}", failures_, request_.retry.tries, why);
    recorder_.progress("retry", tried_);
    if (find(request_.recorded_prompts, attempt_ + 1)) return std::nullopt;
    const Millis wait = request_.retry.wait(failures_, services_.random());
    if (!services_.clock.sleep(wait, stop_)) return cancelled();
    return std::nullopt;
  }

  // Where a call cannot be given its files, it does not begin.
  std::optional<Result> attach_files() {
    const Attachments attached = attach(request_.cwd, request_.files, stop_);
    if (stop_.stop_requested()) return cancelled();
    files_ = section_of(attached.files);
    if (!attached.problem.empty()) {
      return failure("error.spawn", fmt::format("{}: {}", who(), attached.problem));
    }
    for (const std::string& pattern : attached.unmatched) {
      if (attempt_ == 1) recorder_.note(fmt::format("{}: no file matches '{}'", who(), pattern));
    }
    return std::nullopt;
  }

  std::string message() {
    const std::string format = hooks_.verdict_format(verdicts_, way_of_verdicts());
    if (!problem_.empty()) return again_message(problem_, request_.verdicts, format);
    return work_message(
        hooks_.prompt(request_.hooks, request_.task, hook_data(), request_.workspace), files_,
        request_, last_error_, format);
  }

  // As the provider has it that is given their schema; empty: as words of the reply.
  std::string way_of_verdicts() const {
    if (schema_.is_null()) return {};
    try {
      return script::Driver(request_.provider, services_.files, services_.provider_folders)
          .verdict();
    } catch (const Error&) {
      return {};  // the attempt says that there is no driver
    }
  }

  Json hook_data() const {
    Json m = request_.m;
    m["attempt"] = attempt_;
    m["last_error"] = last_error_.empty() ? Json() : Json(last_error_);
    m["verdicts"] = verdicts_;
    return m;
  }

  script::DriverCall driver_call(const PromptRecord& prompt) const {
    script::DriverCall call;
    call.agent = request_.agent;
    call.access = std::string(model::to_text(request_.access));
    call.model = request_.model;
    call.session = prompt.session;
    call.message = prompt.text;
    call.prompt = prompt.session.empty() ? with_exchanges(so_far(), prompt.text) : prompt.text;
    call.new_session = services_.new_uuid();
    call.cwd = request_.cwd.string();
    call.schema = schema_;
    call.options = request_.options.is_null() ? Json::object() : request_.options;
    call.tools = request_.tools;
    call.effort = request_.effort;
    call.args = request_.args;
    call.env = request_.env;
    call.mcp = request_.mcp;
    call.attempt = prompt.attempt;
    call.state = request_.state;
    call.task = request_.task;
    call.nth = request_.nth;
    call.path = request_.id;
    call.sandboxed = services_.sandboxed;
    return call;
  }

  std::vector<Exchange> so_far() const {
    std::vector<Exchange> exchanges;
    if (request_.recall) exchanges = request_.recall();
    exchanges.insert(exchanges.end(), said_.begin(), said_.end());
    return exchanges;
  }

  std::string who() const {
    return fmt::format("agent '{}' ({})", request_.agent, request_.provider);
  }

  Result failure(std::string event, std::string message) const {
    Result result;
    result.event = std::move(event);
    result.data = {{"message", std::move(message)}, {"attempts", attempt_}};
    result.conversation = request_.conversation;
    return result;
  }

  Result unavailable(const std::string& why) const {
    Result result;
    result.unavailable = fmt::format("{}: {}", who(), why);
    return result;
  }

  static Result cancelled() {
    Result result;
    result.cancelled = true;
    return result;
  }

  const Request& request_;
  const Services& services_;
  CallRecorder& recorder_;
  std::stop_token stop_;
  script::Hooks hooks_;
  const Json verdicts_;
  std::string files_;           // that it is given with its prompt
  const Json schema_;           // null where no provider can enforce it
  Conversation conversation_;   // up to the last good reply
  std::vector<Exchange> said_;  // in this call
  Notes notes_;
  int attempt_ = 1;
  int failures_ = 0;
  int reasks_ = 0;
  int replies_ = 0;
  int outages_ = 0;                 // in a row, of this attempt
  std::optional<Absence> absence_;  // with which it begins
  Millis away_since_{0}, away_for_{0};
  std::string tried_;          // what came of the last try; empty: this is the same, or the first
  std::string last_error_;     // of the attempt before; empty if it did not fail
  std::string problem_;        // with the last reply; empty: the work is still to be done
  bool answer_again_ = false;  // the attempt before was a reply without a verdict
};

}  // namespace

std::string why_again(const ReplyRecord& reply) {
  if (reply.wait == Millis(0)) return reply.error;
  return reply.error + "; asking again in " + format_duration(reply.wait);
}

Result call(const Request& request, const Services& services, CallRecorder& recorder,
            std::stop_token stop) {
  return Call(request, services, recorder, std::move(stop)).run();
}

}  // namespace agneto::agents
