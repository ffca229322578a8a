#include "serve/reply.h"

#include "base/text.h"

namespace agneto::serve {

HttpResponse json(const Json& body, int status) {
  HttpResponse response;
  response.status = status;
  response.body = to_text(body) + "\n";
  response.headers["Cache-Control"] = "no-store";
  return response;
}

HttpResponse problem(int status, const std::string& title, const std::string& help) {
  Json body = {{"title", title}, {"status", status}};
  if (!help.empty()) body["detail"] = help;
  HttpResponse response = json(body, status);
  response.type = "application/problem+json";
  return response;
}

}  // namespace agneto::serve
