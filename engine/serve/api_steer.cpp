// What is done to runs by those who may.
#include "base/log.h"
#include "base/text.h"
#include "run/queue.h"
#include "run/rewind.h"
#include "run/steer.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"

namespace agneto::serve {

namespace {

class Quiet : public record::Observer {
  void event(const record::RunEvent&) override {}
};

}  // namespace

HttpResponse Api::submit(const Asked& asked) const {
  Body body(asked.request.body);
  run::Request request;
  request.folder = world_.folder;
  request.workflow = body.text("workflow").value_or("agneto");
  request.task = body.text("task");
  request.inputs = body.texts("inputs");
  request.provider = body.text("agent").value_or("");
  request.model = body.text("model").value_or("");
  request.base = body.text("base").value_or("");
  request.auto_merge = body.flag("auto_merge", false);
  request.interactive = body.flag("interactive", true);
  const auto priority = body.number("priority").value_or(0);
  body.end();
  // A path would lead anywhere on this machine.
  if (request.workflow.find("..") != std::string::npos || request.workflow.starts_with('/')) {
    throw Unusable("'workflow' is a name, such as 'agneto' or 'kit/review'");
  }
  if (priority < -100 || priority > 100) throw Unusable("'priority' is from -100 to 100");
  try {
    const run::Queued queued = run::Assembly::enqueue(
        request, world_.resources, static_cast<int>(priority), asked.bearer.name);
    Json made = described(*world_.journal->find(queued.run));
    made["remarks"] = queued.remarks;
    HttpResponse response = json(made, 201);
    response.headers["Location"] = "/api/v1/runs/" + queued.run;
    return response;
  } catch (const Unusable&) {
    throw;
  } catch (const Error& error) {
    if (error.status() == ExitStatus::failed) throw;
    throw Unusable(redactor_.text(error.what()), redactor_.text(error.help()));
  }
}

HttpResponse Api::steered(const Asked& asked,
                          const std::function<void(const journal::RunRecord&)>& act) const {
  const journal::RunRecord run = run_of(asked);
  const log::Scope scope(run.id);
  act(run);
  return json(described(*world_.journal->find(run.id)));
}

HttpResponse Api::answer(const Asked& asked) const {
  Body body(asked.request.body);
  run::Answer given;
  given.option = body.text("option").value_or("");
  given.feedback = body.text("feedback").value_or("");
  given.edited = body.text("edited");
  const std::string question = body.text("question").value_or("");
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::answer({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run,
                question, given);
  });
}

HttpResponse Api::send(const Asked& asked) const {
  Body body(asked.request.body);
  const std::string name = body.text("name").value_or("");
  const Json data = body.value("data");
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::send({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run,
              name, data);
  });
}

HttpResponse Api::suspend(const Asked& asked) const {
  Body body(asked.request.body);
  const bool after_call = body.flag("after_call", false);
  body.end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::suspend({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run,
                 after_call);
  });
}

HttpResponse Api::resume(const Asked& asked) const {
  Body(asked.request.body).end();
  return steered(asked, [&](const journal::RunRecord& run) {
    run::enqueue_again(*world_.journal, home_, run.id, asked.bearer.name);
  });
}

HttpResponse Api::abort(const Asked& asked) const {
  Body(asked.request.body).end();
  Quiet quiet;
  return steered(asked, [&](const journal::RunRecord& run) {
    run::abort({world_.folder, world_.resources, world_.journal, asked.bearer.name, quiet}, run);
  });
}

HttpResponse Api::rewind(const Asked& asked) const {
  Body body(asked.request.body);
  const auto to = body.number("to");
  body.end();
  if (!to) throw Unusable("'to' is missing", "the number of the entry to go back to");
  return steered(asked, [&](const journal::RunRecord& run) {
    run::rewind({world_.folder, run.id, *to}, world_.resources);
  });
}

HttpResponse Api::fork(const Asked& asked) const {
  Body body(asked.request.body);
  const auto at = body.number("at");
  body.end();
  if (!at) throw Unusable("'at' is missing", "the number of the entry to go on from");
  const journal::RunRecord run = run_of(asked);
  const run::Restored forked = run::fork({world_.folder, run.id, *at}, world_.resources);
  return json(described(*world_.journal->find(forked.run)), 201);
}

}  // namespace agneto::serve
