// Messages as requests of HTTP.
#include <fmt/format.h>

#include "base/json_rpc.h"
#include "base/text.h"
#include "serve/mcp.h"
#include "serve/reply.h"

namespace agneto::serve {

namespace {

// Of clients that say none: the newest of those that did not have to.
constexpr const char* unless_said = "2025-03-26";

HttpResponse refused(const std::string& what) {
  return json(json_rpc::error(nullptr, json_rpc::invalid_request, what), 400);
}

}  // namespace

HttpResponse answer_over_http(Mcp::World world, const HttpRequest& request) {
  // A stream of what the server has to say on its own: it has nothing.
  if (request.method != "POST") {
    HttpResponse response = problem(405, "messages are sent with POST");
    response.headers["Allow"] = "POST";
    return response;
  }
  const auto said = request.headers.find("mcp-protocol-version");
  const std::string protocol = said == request.headers.end() ? unless_said : said->second;
  if (!Mcp::speaks(protocol)) {
    return refused(fmt::format("this server does not speak version '{}' of the protocol",
                               printable(protocol)));
  }
  const auto answer = Mcp(std::move(world), protocol).answer(request.body);
  if (!answer) return {.status = 202};
  const bool was_no_request = answer->is_object() && member(*answer, "id").is_null();
  return json(*answer, was_no_request ? 400 : 200);
}

}  // namespace agneto::serve
