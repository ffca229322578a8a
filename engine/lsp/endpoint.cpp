#include "lsp/endpoint.h"

#include <fmt/format.h>

namespace agneto::lsp {

using json_rpc::is_id;

void Endpoint::notify(const char* method, Json params) {
  send(json_rpc::notification(method, std::move(params)));
}

void Endpoint::respond_error(const Json& id, ErrorCode code, const std::string& message) {
  send(json_rpc::error(id, static_cast<int>(code), message));
}

void Endpoint::log(const std::string& message) {
  constexpr int error = 1;
  notify("window/logMessage", {{"type", error}, {"message", message}});
}

void Endpoint::refuse(const std::string& why) {
  respond_error(nullptr, ErrorCode::parse_error, why);
}

void Endpoint::receive(const std::string& content) {
  Json message = Json::parse(content, nullptr, false);
  if (message.is_discarded()) return refuse("the message is not JSON");
  if (text_at(message, "/method") == "$/cancelRequest") {
    const Json id = at(message, "/params/id");
    for (Incoming& waiting : inbox_) waiting.cancelled |= at(waiting.message, "/id") == id;
    return;
  }
  inbox_.push_back({std::move(message)});
}

void Endpoint::step() {
  const Incoming incoming = std::move(inbox_.front());
  inbox_.pop_front();
  if (!exit_status_) answer(incoming);
  if (is_running()) handled();
}

void Endpoint::answer(const Incoming& incoming) {
  const Json& message = incoming.message;
  const Json id = at(message, "/id");
  const std::string method = text_at(message, "/method");
  const Json params = at(message, "/params");
  if (method.empty() || (!id.is_null() && !is_id(id))) {
    if (json_rpc::is_response(message)) return;
    return respond_error(is_id(id) ? id : Json(), ErrorCode::invalid_request,
                         "a message is an object with a 'method', and an 'id' where it is a "
                         "request");
  }
  if (id.is_null()) return take(method, params);
  try {
    if (incoming.cancelled) {
      throw RequestError(ErrorCode::request_cancelled, "the request was cancelled");
    }
    send(json_rpc::result(id, result_of(method, params)));
  } catch (const RequestError& error) {
    respond_error(id, error.code(), error.what());
  } catch (const std::exception& error) {
    respond_error(id, ErrorCode::internal_error,
                  fmt::format("{}; that is a mistake of Agneto, please report it", error.what()));
  }
}

Json Endpoint::result_of(const std::string& method, const Json& params) {
  const bool is_first = method == "initialize";
  if (phase_ == Phase::created && !is_first) {
    throw RequestError(ErrorCode::server_not_initialized, "'initialize' comes first");
  }
  if (phase_ == Phase::shut_down) {
    throw RequestError(ErrorCode::invalid_request, "after 'shutdown' only 'exit' can come");
  }
  if (phase_ == Phase::running && is_first) {
    throw RequestError(ErrorCode::invalid_request, "'initialize' comes only once");
  }
  if (method == "shutdown") {
    phase_ = Phase::shut_down;
    return nullptr;
  }
  const auto handler = requests_.find(method);
  if (handler == requests_.end()) {
    throw RequestError(ErrorCode::method_not_found, fmt::format("there is no method '{}'", method));
  }
  Json result = handler->second(params);
  if (is_first) phase_ = Phase::running;
  return result;
}

void Endpoint::take(const std::string& method, const Json& params) {
  if (method == "exit") {
    exit_status_ = phase_ == Phase::shut_down ? 0 : 1;
    return;
  }
  const auto handler = notifications_.find(method);
  if (phase_ != Phase::running || handler == notifications_.end()) return;
  try {
    handler->second(params);
  } catch (const std::exception& error) {
    log(fmt::format("{}: {}", method, error.what()));
  }
}

}  // namespace agneto::lsp
