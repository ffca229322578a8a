#include "base/json_rpc.h"

namespace agneto::json_rpc {

bool is_id(const Json& id) {
  return id.is_string() || id.is_number_integer();
}

Json result(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

Json error(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

Json notification(const std::string& method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

bool is_response(const Json& message) {
  return message.is_object() && is_id(member(message, "id")) &&
         (message.contains("result") || message.contains("error"));
}

}  // namespace agneto::json_rpc
