// JSON-RPC as the Language Server Protocol has it: messages in, messages out, one after the other.
// Which methods there are, and what they do, a derived class says.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "lsp/protocol.h"

namespace agneto::lsp {

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  // Takes a message's content. It waits for `step`, and until then the client may cancel it.
  void receive(const std::string& content);
  // Something came that was no message; the client is told why.
  void refuse(const std::string& why);

  bool is_waiting() const { return !inbox_.empty(); }
  // Answers the message that waits longest.
  void step();

  // What is to be sent, in this order.
  std::vector<Json> take_outgoing() { return std::exchange(outgoing_, {}); }

  // The program's exit status, once the client has asked for the end. A client that goes without
  // asking leaves it at 1.
  std::optional<int> exit_status() const { return exit_status_; }

 protected:
  using Request = std::function<Json(const Json& params)>;
  using Notification = std::function<void(const Json& params)>;

  // `initialize` must be among the requests; the phases between it and `exit` are kept here.
  void add(const std::string& method, Request request) { requests_[method] = std::move(request); }
  void add_notification(const std::string& method, Notification notification) {
    notifications_[method] = std::move(notification);
  }
  // Called after each message that came between `initialize` and `shutdown`.
  virtual void handled() = 0;

  bool is_running() const { return phase_ == Phase::running; }
  void send(Json message) { outgoing_.push_back(std::move(message)); }
  void notify(const char* method, Json params);
  void log(const std::string& message);

 private:
  enum class Phase { created, running, shut_down };
  struct Incoming {
    Json message;
    bool cancelled = false;
  };

  void answer(const Incoming& incoming);
  Json result_of(const std::string& method, const Json& params);
  void take(const std::string& method, const Json& params);
  void respond_error(const Json& id, ErrorCode code, const std::string& message);

  std::map<std::string, Request> requests_;
  std::map<std::string, Notification> notifications_;
  std::deque<Incoming> inbox_;
  std::vector<Json> outgoing_;
  Phase phase_ = Phase::created;
  std::optional<int> exit_status_;
};

}  // namespace agneto::lsp
