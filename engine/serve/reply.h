// The kinds of answers that the API gives.
#pragma once

#include <string>

#include "base/error.h"
#include "base/json.h"
#include "serve/http.h"

namespace agneto::serve {

HttpResponse json(const Json& body, int status = 200);

// What is wrong and what to do about it, as RFC 9457 has it.
// `exit`: with which a command here would end that met it; it is said where it is not the usual
// one.
HttpResponse problem(int status, const std::string& title, const std::string& help = {},
                     ExitStatus exit = ExitStatus::usage);

}  // namespace agneto::serve
