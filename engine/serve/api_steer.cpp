// What is done to runs by those who may.
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"

namespace agneto::serve {

HttpResponse Api::submit(const Asked& asked) const {
  Body body(asked.request.body);
  const std::string workflow = body.text("workflow").value_or("agneto");
  const bool interactive = body.flag("interactive", true);
  const run::Queued queued = serve::submit(world_.folder, world_.resources, workflow, body,
                                           interactive, asked.bearer.name);
  HttpResponse response = json(desk_.described(queued), 201);
  response.headers["Location"] = "/api/v1/runs/" + queued.run;
  return response;
}

HttpResponse Api::answer(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.answer(desk_.find(asked.name), body, asked.bearer.name));
}

HttpResponse Api::send(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.send(desk_.find(asked.name), body, asked.bearer.name));
}

HttpResponse Api::suspend(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.suspend(desk_.find(asked.name), body, asked.bearer.name));
}

HttpResponse Api::resume(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.resume(desk_.find(asked.name), body, asked.bearer.name));
}

HttpResponse Api::abort(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.abort(desk_.find(asked.name), body, asked.bearer.name));
}

HttpResponse Api::rewind(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.rewind(desk_.find(asked.name), body));
}

HttpResponse Api::fork(const Asked& asked) const {
  Body body(asked.request.body);
  return json(desk_.fork(desk_.find(asked.name), body), 201);
}

}  // namespace agneto::serve
