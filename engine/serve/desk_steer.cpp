// What is done to runs.
#include <fmt/format.h>

#include <algorithm>

#include "base/log.h"
#include "base/text.h"
#include "run/queue.h"
#include "run/rewind.h"
#include "serve/desk.h"
#include "serve/workflows.h"

namespace agneto::serve {

run::Queued submit(const fs::path& folder, const run::Resources& resources,
                   const std::shared_ptr<journal::Journal>& journal, const std::string& workflow,
                   Body& body, bool interactive, const std::string& by, const std::string& origin) {
  run::Request request;
  request.folder = folder;
  request.journal = journal;
  request.workflow = workflow;
  request.task = body.text("task");
  request.inputs = body.texts("inputs");
  request.provider = body.text("agent").value_or("");
  request.model = body.text("model").value_or("");
  request.base = body.text("base").value_or("");
  request.auto_merge = body.flag("auto_merge", false);
  request.interactive = interactive;
  request.needs = body.list("needs");
  const auto priority = body.number("priority").value_or(0);
  body.end();
  require_offered<Unusable>(workflow, offered_names(folder, resources));
  if (priority < run::least_priority || priority > run::greatest_priority) {
    throw Unusable(
        fmt::format("'priority' is from {} to {}", run::least_priority, run::greatest_priority));
  }
  try {
    return run::Assembly::enqueue(request, resources, static_cast<int>(priority), by, origin);
  } catch (const journal::OriginTaken&) {
    throw;
  } catch (const Error& error) {
    if (error.status() == ExitStatus::failed) throw;
    throw Unusable(error.what(), error.help());
  }
}

run::Helm Desk::helm(const std::string& by) const {
  static record::NoObserver nobody;
  return {world_.folder, world_.resources, world_.journal, by, nobody};
}

Json Desk::now(const journal::RunRecord& run) const {
  return described(*world_.journal->find(run.id));
}

// With what became of a word to it.
Json Desk::told(const journal::RunRecord& run, const run::Delivery& delivery) const {
  Json json = now(run);
  json["taken"] = delivery.fate == run::Delivery::Fate::taken;
  const auto* sent = delivery.entry.get<record::Sent>();
  if (sent) json["used"] = sent->taken;
  return json;
}

Json Desk::answer(const journal::RunRecord& run, Body& body, const std::string& by) const {
  const log::Scope scope(run.id);
  run::Answer given;
  given.option = body.text("option").value_or("");
  given.feedback = body.text("feedback").value_or("");
  given.edited = body.text("edited");
  const std::string question = body.text("question").value_or("");
  body.end();
  return told(run, run::answer(helm(by), run, question, given));
}

Json Desk::send(const journal::RunRecord& run, Body& body, const std::string& by) const {
  const log::Scope scope(run.id);
  const std::string name = body.text("name").value_or("");
  const Json data = body.value("data");
  body.end();
  if (name.empty()) throw Unusable("'name' is missing", "the name of the event");
  return told(run, run::send(helm(by), run, name, data));
}

Json Desk::suspend(const journal::RunRecord& run, Body& body, const std::string& by) const {
  const log::Scope scope(run.id);
  const bool after_call = body.flag("after_call", false);
  body.end();
  if (!run::suspend(helm(by), run, after_call)) {
    throw Error("nobody works on run " + run.id + ", and nobody would", "it is suspended already");
  }
  return now(run);
}

Json Desk::resume(const journal::RunRecord& run, Body& body, const std::string& by) const {
  const log::Scope scope(run.id);
  body.end();
  run::enqueue_again(*world_.journal, home_, run.id, by);
  return now(run);
}

Json Desk::abort(const journal::RunRecord& run, Body& body, const std::string& by) const {
  const log::Scope scope(run.id);
  body.end();
  run::abort(helm(by), run);
  return now(run);
}

Json Desk::rewind(const journal::RunRecord& run, Body& body) const {
  const log::Scope scope(run.id);
  const auto to = body.number("to");
  body.end();
  if (!to) throw Unusable("'to' is missing", "the number of the entry to go back to");
  run::rewind({world_.folder, run.id, *to}, world_.resources);
  return now(run);
}

Json Desk::fork(const journal::RunRecord& run, Body& body) const {
  const auto at = body.number("at");
  body.end();
  if (!at) throw Unusable("'at' is missing", "the number of the entry to go on from");
  const run::Restored forked = run::fork({world_.folder, run.id, *at}, world_.resources);
  return described(*world_.journal->find(forked.run));
}

}  // namespace agneto::serve
