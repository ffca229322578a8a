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

HttpResponse problem(int status, const std::string& title, const std::string& help,
                     ExitStatus exit) {
  Json body = {{"title", title}, {"status", status}};
  if (!help.empty()) body["detail"] = help;
  if (exit != ExitStatus::usage) body["exit"] = static_cast<int>(exit);
  HttpResponse response = json(body, status);
  response.type = "application/problem+json";
  return response;
}

}  // namespace agneto::serve
