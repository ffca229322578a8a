// The shapes of the protocol's messages: what goes wrong with a request, members that may be
// missing or of any type, and what a client can do.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/json.h"
#include "base/json_rpc.h"
#include "lsp/position.h"

namespace agneto::lsp {

enum class ErrorCode {
  parse_error = json_rpc::parse_error,
  invalid_request = json_rpc::invalid_request,
  method_not_found = json_rpc::method_not_found,
  invalid_params = json_rpc::invalid_params,
  internal_error = json_rpc::internal_error,
  server_not_initialized = -32002,
  request_cancelled = -32800,
  request_failed = -32803,
};

// Ends a request with that answer.
class RequestError : public std::runtime_error {
 public:
  RequestError(ErrorCode code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  ErrorCode code() const { return code_; }

 private:
  ErrorCode code_;
};

class InvalidParams : public RequestError {
 public:
  explicit InvalidParams(const std::string& message)
      : RequestError(ErrorCode::invalid_params, message) {}
};

// The member at a path like "/general/positionEncodings"; null where there is none.
inline Json at(const Json& object, const char* path) {
  const Json::json_pointer pointer(path);
  return object.is_structured() && object.contains(pointer) ? object.at(pointer) : Json();
}

inline bool is_set(const Json& object, const char* path) {
  return at(object, path) == true;
}

inline std::string text_at(const Json& object, const char* path) {
  const Json value = at(object, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

// What the client has said that it can do.
struct ClientCapabilities {
  Encoding encoding = Encoding::utf16;
  // These three are about `publishDiagnostics`.
  bool related_information = false;
  bool code_description = false;
  bool version = false;
  bool watches_files = false;
  bool markdown = false;  // in hovers
};

inline ClientCapabilities capabilities_of(const Json& capabilities) {
  const auto offers = [&](const char* path, const char* choice) {
    const Json list = at(capabilities, path);
    return list.is_array() && std::find(list.begin(), list.end(), choice) != list.end();
  };
  const std::string publishing = "/textDocument/publishDiagnostics/";
  const auto publishes = [&](const char* what) {
    return is_set(capabilities, (publishing + what).c_str());
  };
  ClientCapabilities client;
  if (offers("/general/positionEncodings", "utf-8")) client.encoding = Encoding::utf8;
  client.related_information = publishes("relatedInformation");
  client.code_description = publishes("codeDescriptionSupport");
  client.version = publishes("versionSupport");
  client.watches_files =
      is_set(capabilities, "/workspace/didChangeWatchedFiles/dynamicRegistration");
  client.markdown = offers("/textDocument/hover/contentFormat", "markdown");
  return client;
}

}  // namespace agneto::lsp
