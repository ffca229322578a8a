#include "serve/http.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "serve/address.h"
#include "serve/answerers.h"
#include "serve/connections.h"
#include "serve/reply.h"

namespace agneto::serve {

namespace {

constexpr unsigned threads = 4;                  // that read and write
constexpr std::chrono::seconds between_cuts{1};  // of clients that take too long
constexpr std::size_t most_header_bytes = 16 * 1024;
constexpr std::size_t stream_block = 8 * 1024;

// Owns one that libmicrohttpd keeps as long as it needs it.
using Response = std::unique_ptr<MHD_Response, decltype(&MHD_destroy_response)>;

// A request while it comes in and is answered.
struct Incoming {
  HttpRequest request;
  std::optional<HttpResponse> response = {};  // once it is there
};

// A client that is sent a stream.
struct Listening {
  MHD_Connection* connection = nullptr;
  std::unique_ptr<Stream> stream;
  std::string pending;   // of what the stream gave
  std::size_t sent = 0;  // of that
  std::mutex mutex;
  bool suspended = false;  // libmicrohttpd does not ask for more until it is resumed
};

MHD_Result take_value(void* into, MHD_ValueKind, const char* name, const char* value) {
  auto& request = *static_cast<HttpRequest*>(into);
  if (!request.query.emplace(name, value ? value : "").second) request.repeated = name;
  return MHD_YES;
}

MHD_Result take_header(void* into, MHD_ValueKind, const char* name, const char* value) {
  auto& headers = *static_cast<std::map<std::string, std::string>*>(into);
  // Of several of one name none is read over: they are one list.
  const auto [header, is_first] = headers.emplace(lower(name), value ? value : "");
  if (!is_first) header->second += std::string(", ") + (value ? value : "");
  return MHD_YES;
}

std::string peer_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info ? plain_address(info->client_addr) : "";
}

int descriptor_of(MHD_Connection* connection) {
  const auto* info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// How long the head says that the body will be.
std::size_t announced(const HttpRequest& request) {
  const auto length = request.headers.find("content-length");
  if (length == request.headers.end()) return 0;
  return parse_number<std::size_t>(length->second).value_or(0);
}

// To be sent to somebody who is not listened to any more.
HttpResponse last_answer(HttpResponse response) {
  response.headers["Connection"] = "close";
  return response;
}

Connections::Limits limits_of(const HttpServer::Options& options) {
  Connections::Limits limits;
  limits.of_one = std::min(limits.of_one, options.most_connections / 4);
  limits.of_trusted = std::min(limits.of_trusted, options.most_connections / 6 * 5);
  return limits;
}

sockaddr_storage address_of(const HttpServer::Options& options) {
  sockaddr_storage storage{};
  auto* four = reinterpret_cast<sockaddr_in*>(&storage);
  auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
  if (::inet_pton(AF_INET, options.address.c_str(), &four->sin_addr) == 1) {
    four->sin_family = AF_INET;
    four->sin_port = htons(options.port);
  } else if (::inet_pton(AF_INET6, options.address.c_str(), &six->sin6_addr) == 1) {
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(options.port);
  } else {
    throw Error("'" + options.address + "' is no address",
                "write one such as 127.0.0.1 or ::1, and not a name");
  }
  return storage;
}

}  // namespace

struct HttpServer::Parts {
  Parts(Options its_options, Handler its_handler)
      : options(std::move(its_options)),
        handler(std::move(its_handler)),
        connections(limits_of(options), {options.proxies.begin(), options.proxies.end()}, clock) {}

  const Options options;
  const Handler handler;
  SystemClock clock;
  Connections connections;
  MHD_Daemon* daemon = nullptr;
  std::mutex mutex;
  std::set<Listening*> listening;
  std::condition_variable_any more_listen;
  std::set<MHD_Connection*> answered;  // suspended until there is an answer
  std::atomic<bool> closing = false;
  Lanes lanes;
  std::jthread looking;  // at connections that take too long

  static std::optional<HttpResponse> guarded(
      const std::function<std::optional<HttpResponse>()>& handle, const HttpRequest& request);
  MHD_Result take(MHD_Connection* connection, const char* url, const char* method, const char* data,
                  std::size_t* size, void** state);
  MHD_Result answer(MHD_Connection* connection, HttpResponse response);
  MHD_Result stream(MHD_Connection* connection, HttpResponse& response);
  ssize_t read(Listening& client, char* out, std::size_t most);
  void forget(Listening* client);
  void end_slow(const std::stop_token& stop);
};

std::optional<HttpResponse> HttpServer::Parts::guarded(
    const std::function<std::optional<HttpResponse>()>& handle, const HttpRequest& request) {
  try {
    return handle();
  } catch (const std::exception& error) {
    log::error("request failed", {{"path", request.path}, {"error", error.what()}});
    return problem(500, "the server has failed", "its log says why");
  }
}

MHD_Result HttpServer::Parts::take(MHD_Connection* connection, const char* url, const char* method,
                                   const char* data, std::size_t* size, void** state) {
  auto* incoming = static_cast<Incoming*>(*state);
  if (!incoming) {
    incoming = new Incoming;  // `completed` deletes it
    *state = incoming;
    HttpRequest& request = incoming->request;
    request.method = method;
    request.path = url;
    request.peer = peer_of(connection);
    MHD_get_connection_values(connection, MHD_GET_ARGUMENT_KIND, take_value, &request);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, take_header, &request.headers);
    // Somebody between us could take the end of one request for the beginning of another.
    if (request.headers.contains("transfer-encoding") &&
        request.headers.contains("content-length")) {
      return answer(connection,
                    last_answer(problem(400, "a request has Content-Length or Transfer-Encoding")));
    }
    if (auto refused = guarded([&] { return handler.refusal(request); }, request)) {
      return answer(connection, std::move(*refused));
    }
    if (announced(request) > options.longest_body) {
      return answer(connection,
                    last_answer(problem(413, fmt::format("a request's body has at most {} "
                                                         "bytes",
                                                         options.longest_body))));
    }
    connections.awaits_body(descriptor_of(connection));
    return MHD_YES;
  }
  if (*size > 0) {
    std::string& body = incoming->request.body;
    // One whose length was not said; libmicrohttpd lets nothing be answered before its end.
    if (body.size() + *size > options.longest_body) return MHD_NO;
    body.append(data, *size);
    *size = 0;
    return MHD_YES;
  }
  if (incoming->response) return answer(connection, std::move(*incoming->response));
  connections.awaits_nothing(descriptor_of(connection));
  // Whoever answers may wait; libmicrohttpd asks again once the answer is there.
  {
    const std::lock_guard lock(mutex);
    if (closing) return MHD_NO;
    answered.insert(connection);
    MHD_suspend_connection(connection);
  }
  lanes.of(incoming->request.method, incoming->request.path).post([this, connection, incoming] {
    incoming->response =
        guarded([&]() -> std::optional<HttpResponse> { return handler.answer(incoming->request); },
                incoming->request);
    const std::lock_guard lock(mutex);
    if (answered.erase(connection) > 0) MHD_resume_connection(connection);
  });
  return MHD_YES;
}

MHD_Result HttpServer::Parts::answer(MHD_Connection* connection, HttpResponse response) {
  connections.awaits_nothing(descriptor_of(connection));
  if (response.stream) return stream(connection, response);
  const Response made(MHD_create_response_from_buffer(response.body.size(), response.body.data(),
                                                      MHD_RESPMEM_MUST_COPY),
                      MHD_destroy_response);
  MHD_add_response_header(made.get(), "Content-Type", response.type.c_str());
  for (const auto& [name, value] : response.headers) {
    MHD_add_response_header(made.get(), name.c_str(), value.c_str());
  }
  return MHD_queue_response(connection, static_cast<unsigned>(response.status), made.get());
}

MHD_Result HttpServer::Parts::stream(MHD_Connection* connection, HttpResponse& response) {
  auto* client = new Listening;  // `forget` deletes it
  client->connection = connection;
  client->stream = std::move(response.stream);
  {
    const std::lock_guard lock(mutex);
    listening.insert(client);
  }
  more_listen.notify_all();
  struct Both {
    Parts* parts;
    Listening* client;
  };
  const auto read_next = [](void* both, std::uint64_t, char* out, std::size_t most) -> ssize_t {
    auto& [parts, from] = *static_cast<Both*>(both);
    return parts->read(*from, out, most);
  };
  const auto free_both = [](void* both) {
    const std::unique_ptr<Both> owned(static_cast<Both*>(both));
    owned->parts->forget(owned->client);
  };
  const Response made(MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, stream_block, read_next,
                                                        new Both{this, client}, free_both),
                      MHD_destroy_response);
  MHD_add_response_header(made.get(), "Content-Type", response.type.c_str());
  for (const auto& [name, value] : response.headers) {
    MHD_add_response_header(made.get(), name.c_str(), value.c_str());
  }
  return MHD_queue_response(connection, static_cast<unsigned>(response.status), made.get());
}

ssize_t HttpServer::Parts::read(Listening& client, char* out, std::size_t most) {
  const std::lock_guard lock(client.mutex);
  if (closing) return MHD_CONTENT_READER_END_OF_STREAM;
  try {
    if (client.sent == client.pending.size()) {
      const auto next = client.stream->next();
      if (!next) return MHD_CONTENT_READER_END_OF_STREAM;
      client.pending = *next;
      client.sent = 0;
    }
  } catch (const std::exception& error) {
    log::error("stream failed", {{"error", error.what()}});
    return MHD_CONTENT_READER_END_WITH_ERROR;
  }
  if (client.pending.empty()) {
    client.suspended = true;
    MHD_suspend_connection(client.connection);
    return 0;
  }
  const std::size_t size = std::min(most, client.pending.size() - client.sent);
  std::memcpy(out, client.pending.data() + client.sent, size);
  client.sent += size;
  return static_cast<ssize_t>(size);
}

void HttpServer::Parts::forget(Listening* client) {
  {
    const std::lock_guard lock(mutex);
    listening.erase(client);
  }
  delete client;
}

// What is shut down here libmicrohttpd closes as if the client had gone.
void HttpServer::Parts::end_slow(const std::stop_token& stop) {
  while (clock.sleep(between_cuts, stop)) {
    connections.end_overdue([](int descriptor) { ::shutdown(descriptor, SHUT_RDWR); });
  }
}

HttpServer::HttpServer(Options options, Handler handler)
    : parts_(std::make_unique<Parts>(std::move(options), std::move(handler))) {
  const sockaddr_storage address = address_of(parts_->options);
  const auto take = [](void* parts, MHD_Connection* connection, const char* url, const char* method,
                       const char*, const char* data, std::size_t* size, void** state) {
    return static_cast<Parts*>(parts)->take(connection, url, method, data, size, state);
  };
  const auto completed = [](void* parts, MHD_Connection* connection, void** state,
                            MHD_RequestTerminationCode) {
    delete static_cast<Incoming*>(*state);
    static_cast<Parts*>(parts)->connections.awaits_head(descriptor_of(connection));
  };
  const auto may_come = [](void* parts, const sockaddr* from, socklen_t) {
    return static_cast<Parts*>(parts)->connections.may_come(plain_address(from)) ? MHD_YES : MHD_NO;
  };
  const auto came_or_left = [](void* parts, MHD_Connection* connection, void**,
                               MHD_ConnectionNotificationCode code) {
    Connections& connections = static_cast<Parts*>(parts)->connections;
    const int descriptor = descriptor_of(connection);
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) return connections.left(descriptor);
    connections.came(descriptor, peer_of(connection));
  };
  // A path stays as it was sent, so that a slash in a name is none between names.
  const auto undecoded = [](void*, MHD_Connection*, char* text) { return std::strlen(text); };
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC;
  if (address.ss_family == AF_INET6) flags |= MHD_USE_IPv6;
  errno = 0;
  parts_->daemon = MHD_start_daemon(
      flags, parts_->options.port, may_come, parts_.get(), take, parts_.get(), MHD_OPTION_SOCK_ADDR,
      &address, MHD_OPTION_LISTEN_SOCKET, parts_->options.descriptor, MHD_OPTION_THREAD_POOL_SIZE,
      threads, MHD_OPTION_CONNECTION_LIMIT, parts_->options.most_connections,
      MHD_OPTION_CONNECTION_TIMEOUT, parts_->options.patience, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      most_header_bytes, MHD_OPTION_NOTIFY_COMPLETED,
      static_cast<MHD_RequestCompletedCallback>(completed), parts_.get(),
      MHD_OPTION_NOTIFY_CONNECTION, static_cast<MHD_NotifyConnectionCallback>(came_or_left),
      parts_.get(), MHD_OPTION_UNESCAPE_CALLBACK,
      static_cast<std::size_t (*)(void*, MHD_Connection*, char*)>(undecoded), nullptr,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (!parts_->daemon) {
    throw Error(fmt::format("cannot serve {}:{}: {}", parts_->options.address, parts_->options.port,
                            errno == 0 ? "no" : std::strerror(errno)),
                "another program may serve there: give another address, as in --listen "
                "127.0.0.1:8421",
                ExitStatus::failed);
  }
  parts_->looking = std::jthread([this](const std::stop_token& stop) { parts_->end_slow(stop); });
}

HttpServer::~HttpServer() {
  parts_->looking = {};
  {
    const std::lock_guard lock(parts_->mutex);
    parts_->closing = true;
  }
  parts_->lanes.stop();
  // Nothing may be suspended when it stops.
  wake_streams();
  {
    const std::lock_guard lock(parts_->mutex);
    for (MHD_Connection* connection : parts_->answered) MHD_resume_connection(connection);
    parts_->answered.clear();
  }
  MHD_stop_daemon(parts_->daemon);
}

std::uint16_t HttpServer::port() const {
  if (parts_->options.descriptor >= 0) return parts_->options.port;
  const MHD_DaemonInfo* info = MHD_get_daemon_info(parts_->daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

bool HttpServer::await_stream(const std::stop_token& stop) {
  std::unique_lock lock(parts_->mutex);
  return parts_->more_listen.wait(lock, stop, [this] { return !parts_->listening.empty(); }) &&
         !stop.stop_requested();
}

void HttpServer::wake_streams() {
  const std::lock_guard lock(parts_->mutex);
  for (Listening* client : parts_->listening) {
    const std::lock_guard own(client->mutex);
    if (!client->suspended) continue;
    client->suspended = false;
    MHD_resume_connection(client->connection);
  }
}

}  // namespace agneto::serve
