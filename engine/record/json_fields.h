// Fields that several records share: for the files here that make and read JSON.
#pragma once

#include "base/fields.h"
#include "record/entry.h"
#include "record/question.h"
#include "record/totals.h"

namespace agneto::record {

void transition_fields(auto& field, auto& t) {
  field.newer("instance", t.instance);
  field("event", t.event);
  field("from", t.from);
  field("to", t.to);
  field("line", t.line);
  field.sparse("origin", t.origin);
  field.sparse("item", t.item);
}

void fields(auto& field, Of<Transition> auto& t) {
  transition_fields(field, t);
}

void fields(auto& field, Of<Problem> auto& p) {
  field("path", p.path);
  field("event", p.event);
  field("message", p.message);
}

void fields(auto& field, Of<RecordedTimer> auto& timer) {
  field("due", timer.due);
  field("pausable", timer.pausable);
  field("left", timer.left);
}

inline void fields(FieldWriter& field, const Deadline& deadline) {
  if (deadline.due) field("time", format_time(*deadline.due));
  field("left", deadline.left);
  field("to", deadline.to);
  field.sparse("guarded", deadline.guarded);
}

inline void fields(FieldReader& field, Deadline& deadline) {
  std::string time;
  field.sparse("time", time);
  deadline.due = parse_time(time);
  field("left", deadline.left);
  field("to", deadline.to);
  field.sparse("guarded", deadline.guarded);
}

void usage_fields(auto& field, Of<agents::Usage> auto& usage) {
  field("cost", usage.cost);
  field("input_tokens", usage.input_tokens);
  field("output_tokens", usage.output_tokens);
  field.sparse("unpriced", usage.unpriced);
  field.sparse("uncounted", usage.uncounted);
}

void time_fields(auto& field, Of<WorkTime> auto& time) {
  field.newer("worked", time.worked);
  field.sparse("since", time.since);
}

void fields(auto& field, Of<Totals> auto& totals) {
  field("calls", totals.calls);
  field("attempts", totals.attempts);
  usage_fields(field, totals.usage);
  time_fields(field, totals.time);
}

void fields(auto& field, Of<Prompt> auto& p) {
  field("attempt", p.attempt);
  field("provider", p.provider);
  field("model", p.model);
  field("session", p.session);
  field("text", p.text);
  field("checkpoint", p.checkpoint);
  field.sparse("problem", p.problem);
  field.sparse("follows", p.follows);
  field.sparse("tried", p.tried);
  field.sparse("effort", p.effort);
  field.sparse("tools", p.tools);
  field.sparse("args", p.args);
  field.sparse("env", p.env);
  field.sparse("mcp", p.mcp);
  field.sparse("item", p.item);
}

void fields(auto& field, Of<Reply> auto& r) {
  field("attempt", r.attempt);
  field("text", r.text);
  field("error", r.error);
  field("event", r.event);
  field("session", r.session);
  usage_fields(field, r.usage);
  field("ms", r.duration);
  field.sparse("wait", r.wait);
  field.sparse("output", r.output);
  field.sparse("tree", r.tree);
  field.sparse("kept", r.kept);
  field.sparse("put_right", r.put_right);
  field.sparse("undone", r.undone);
}

void answer_fields(auto& field, auto& answer) {
  field.newer("option", answer.option);
  field.newer("feedback", answer.feedback);
  field.sparse("edited", answer.edited);
  field.newer("by", answer.by);
}

void given_answer_fields(auto& field, auto& answer) {
  answer_fields(field, answer);
  field.sparse("name", answer.name);
}

void fields(auto& field, Of<Question::Option> auto& option) {
  field("name", option.name);
  field("label", option.label);
  field("feedback", option.feedback);
  field("edit", option.edit);
}

void fields(auto& field, Of<Question> auto& question) {
  field("question", question.question);
  field("show", question.show);
  field("options", question.options);
  field("default", question.default_option);
  field("words", question.words);
  field.sparse("deadlines", question.around.deadlines);
  field.sparse("events", question.around.events);
}

}  // namespace agneto::record

namespace agneto {

template <>
struct Coding<agents::Output> {  // [milliseconds, kind, text]
  static Json to(const agents::Output& output) {
    return Json::array({output.at.count(), output.kind, output.text});
  }
  static void from(const Json& json, agents::Output& output) {
    output = {Millis(json.at(0).get<std::int64_t>()), json.at(1), json.at(2)};
  }
};

}  // namespace agneto
