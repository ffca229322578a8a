// The kinds of answers that the API gives.
#pragma once

#include <string>

#include "base/json.h"
#include "serve/http.h"

namespace agneto::serve {

HttpResponse json(const Json& body, int status = 200);

// What is wrong and what to do about it, as RFC 9457 has it.
HttpResponse problem(int status, const std::string& title, const std::string& help = {});

}  // namespace agneto::serve
