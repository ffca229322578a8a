// What goes wrong with a request, as the protocol says it.
#pragma once

#include <stdexcept>
#include <string>

namespace agneto::lsp {

enum class ErrorCode {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
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

}  // namespace agneto::lsp
