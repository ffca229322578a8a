// JSON-RPC 2.0, as far as every protocol on top of it has it alike: how answers look, and what goes
// wrong with a request.
#pragma once

#include <string>

#include "base/json.h"

namespace agneto::json_rpc {

// The codes that JSON-RPC itself has; protocols add their own.
inline constexpr int parse_error = -32700;
inline constexpr int invalid_request = -32600;
inline constexpr int method_not_found = -32601;
inline constexpr int invalid_params = -32602;
inline constexpr int internal_error = -32603;

// Can a request have it? A notification has none.
bool is_id(const Json& id);

Json result(const Json& id, Json result);
// `id` is null where it is not known which request is answered.
Json error(const Json& id, int code, const std::string& message);
Json notification(const std::string& method, Json params);

// Is it an answer to a request of ours?
bool is_response(const Json& message);

}  // namespace agneto::json_rpc
