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

}  // namespace agneto::serve
