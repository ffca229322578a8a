// agneto serve

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <mutex>
#include <utility>

#include "base/log.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/lint_report.h"
#include "cli/served.h"
#include "cli/service.h"
#include "cli/working.h"
#include "serve/address.h"
#include "serve/api.h"
#include "serve/lookout.h"
#include "serve/server.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

// How often it is looked at whether anybody has written to the journal.
constexpr serve::Lookout::Pauses between_journal_looks = {Millis(25), Millis(500)};

constexpr rlim_t most_descriptors = 16'384;
constexpr rlim_t most_for_runs = 2'048;

struct ServeOptions {
  std::string grace = "30s";
  std::string listen;
  std::vector<std::string> hosts;
  std::vector<std::string> proxies;
  std::string user_header;
  bool stop = false;
};

// "127.0.0.1:8420", "[::1]:8420", ":8420" or "8420".
serve::HttpServer::Options address_of(const std::string& text) {
  serve::HttpServer::Options options;
  const auto colon = text.rfind(':');
  const std::string port = colon == std::string::npos ? text : text.substr(colon + 1);
  std::string address = colon == std::string::npos ? "" : text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) {
    address = address.substr(1, address.size() - 2);
  }
  const auto number = parse_number<std::uint16_t>(port);
  if (!number) {
    throw Error("--listen '" + text + "' is no address",
                "write ADDRESS:PORT, such as 127.0.0.1:8420");
  }
  options.port = *number;
  if (!address.empty()) options.address = address == "localhost" ? "127.0.0.1" : address;
  return options;
}

// Nothing: nowhere. A socket that the service manager has handed over needs no word of it.
std::optional<serve::HttpServer::Options> where_it_listens(const ServeOptions& options) {
  if (!options.listen.empty() && options.listen != "systemd") return address_of(options.listen);
  auto socket = socket_handed_over();
  if (!socket && !options.listen.empty()) {
    throw Error("--listen systemd: no service manager has handed over a socket",
                "have a .socket unit start this, or write where to listen: 127.0.0.1:8420");
  }
  return socket;
}

// Each client has a descriptor; programs that are started get as many. Returns how many clients
// there may be, so that runs have some left however many come.
unsigned clients_allowed(unsigned wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, most_descriptors);
  setrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t for_runs = std::min<rlim_t>(most_for_runs, limit.rlim_cur / 2);
  return static_cast<unsigned>(std::min<rlim_t>(wanted, limit.rlim_cur - for_runs));
}

// Throws Error where one of them means nothing.
void check_proxies(const ServeOptions& options) {
  for (const std::string& proxy : options.proxies) {
    const bool has_port = proxy.starts_with('[') || std::ranges::count(proxy, ':') == 1;
    if (!has_port && serve::plain_address(proxy)) continue;
    throw Error("--trusted-proxy '" + printable(proxy) + "' is no address",
                "write one such as 127.0.0.1 or ::1, and neither a name nor a network");
  }
  for (const std::string& host : options.hosts) {
    if (host.find_first_of("/*@ ") == std::string::npos) continue;
    throw Error("--host '" + printable(host) + "' is no name of a host",
                "write one such as agneto.example.com");
  }
  const bool is_header = std::ranges::all_of(options.user_header, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!is_header) {
    throw Error("--user-header '" + printable(options.user_header) + "' is no name of a header",
                "write one such as X-Forwarded-User");
  }
}

// As URLs have it.
std::string host_of(const serve::HttpServer::Options& address) {
  const bool is_six = address.address.find(':') != std::string::npos;
  return is_six ? "[" + address.address + "]" : address.address;
}

// Plain addresses; those that are wrong were refused before.
std::vector<std::string> proxies_of(const ServeOptions& options) {
  std::vector<std::string> proxies;
  for (const std::string& proxy : options.proxies) {
    proxies.push_back(serve::plain_address(proxy).value_or(proxy));
  }
  return proxies;
}

// By which names requests may call the server: those that were given, and where it listens.
std::vector<std::string> hosts_of(const ServeOptions& options,
                                  const serve::HttpServer::Options& address) {
  std::vector<std::string> hosts = options.hosts;
  hosts.push_back(host_of(address));
  return hosts;
}

// The API, as long as this lives.
class Door {
 public:
  Door(const Context& context, const ServeOptions& options, serve::HttpServer::Options address)
      : journal_(run::open_journal(context.folder)),
        watched_(run::open_journal(context.folder)),
        api_({.folder = context.folder,
              .resources = context.resources,
              .journal = journal_,
              .version = AGNETO_VERSION,
              .program = fs::read_symlink("/proc/self/exe"),
              .hosts = hosts_of(options, address),
              .proxies = address.proxies,
              .user_header = options.user_header,
              .linter =
                  [&context](const fs::path& file) {
                    return lint_report({file.string()}, {}, context, Disk());
                  },
              .pages = context.resources.pages}),
        http_(std::move(address),
              {[this](const serve::HttpRequest& request) { return api_.refusal(request); },
               [this](const serve::HttpRequest& request) { return api_.handle(request); }}),
        watching_([this](const std::stop_token& stop) { watch(stop); }) {}

  std::uint16_t port() const { return http_.port(); }

 private:
  // Streams are told when there is something new; now and then also where there is not, so that
  // they can say that they still are. Where there is none, nothing is asked.
  void watch(const std::stop_token& stop) {
    constexpr Millis longest_silence{5'000};
    SystemClock clock;
    serve::JournalLookout lookout(between_journal_looks, *watched_, clock);
    std::int64_t seen = 0;
    Millis woken{0};
    bool failed = false;
    while (http_.await_stream(stop) && lookout.wait(stop)) {
      std::int64_t now = seen;
      try {
        now = watched_->written_by_others();
        failed = false;
      } catch (const Error& error) {
        if (!std::exchange(failed, true)) {
          log::error("journal cannot be read", {{"error", error.what()}});
        }
      }
      if (now == seen && clock.elapsed() - woken < longest_silence) continue;
      seen = now;
      woken = clock.elapsed();
      http_.wake_streams();
    }
  }

  const std::shared_ptr<journal::Journal> journal_;
  const std::unique_ptr<journal::Journal> watched_;  // writes nothing: so it hears of everybody
  const serve::Api api_;
  serve::HttpServer http_;
  std::jthread watching_;
};

ExitStatus stop_server(const Context& context) {
  const auto server = server_of(context.folder);
  if (!server) {
    fmt::print("nobody serves this folder\n");
    return printed(ExitStatus::complete);
  }
  if (*server <= 0) {
    throw Error("the process that serves this folder cannot be seen from here",
                "end it where it runs", ExitStatus::failed);
  }
  if (kill(*server, SIGTERM) != 0) {
    throw Error(
        fmt::format("process {}, which serves this folder, cannot be told to stop", *server),
        "end it where it runs", ExitStatus::failed);
  }
  fmt::print("process {} takes up nothing more; it waits for what is under way\n", *server);
  printed(ExitStatus::complete);
  for (SystemClock clock; server_of(context.folder) == server;) clock.sleep(Millis(50), {});
  fmt::print("stopped\n");
  return printed(ExitStatus::complete);
}

// Throws Error in a folder where there is nothing to serve: no repository, and nobody has made it
// one of Agneto's.
void require_home(const fs::path& folder) {
  if (fs::exists(run::home_of(folder) / ".agneto")) return;
  workspace::find_repository(folder);
}

ExitStatus serve(const Context& context, const ServeOptions& options) {
  if (options.stop) return stop_server(context);
  require_home(context.folder);
  std::optional<Door> door;
  return work_until_ended(
      context, {.folder = context.folder}, options.grace, [&](journal::Journal& journal) {
        const auto listens = where_it_listens(options);
        if (!listens) return;
        check_proxies(options);
        auto address = *listens;
        address.proxies = proxies_of(options);
        address.most_connections = clients_allowed(address.most_connections);
        if (!serve::is_loopback(host_of(address)) && journal.grants().empty()) {
          throw Error(
              "--listen " + (options.listen.empty() ? address.address : options.listen) +
                  " would let others reach this server, and there is no "
                  "token yet",
              "make one: agneto token make NAME; and have a proxy speak TLS in front of it, "
              "which --host and --trusted-proxy name");
        }
        door.emplace(context, options, address);
        fmt::print("API: http://{}:{}/api/v1/\n", host_of(address), door->port());
        if (!serve::is_loopback(host_of(address))) {
          fmt::print(
              "what is said there is not encrypted: have a proxy speak TLS in front of it, "
              "which --host and --trusted-proxy name\n");
        }
      });
}

}  // namespace

void add_serve(Program& program) {
  auto options = std::make_shared<ServeOptions>();
  CommandLine& command = program.add_command(
      "serve", "Work on the runs of this repository that were submitted, until it is ended");
  command.add("--grace", &options->grace,
              "After the first signal: how long what is under way may take to end",
              {.shown_default = options->grace});
  command.add(
      "-l,--listen", &options->listen,
      "Serve the API there, too: 127.0.0.1:8420, [::1]:8420, 8420, or 'systemd': its socket",
      {.shown_as = "ADDRESS:PORT"});
  command.add("--host", &options->hosts,
              "With --listen: a name by which requests may call this server, besides localhost",
              {.needs = "--listen"});
  command.add("--trusted-proxy", &options->proxies,
              "The address of a proxy in front of this server, which says whom requests are from",
              {.shown_as = "ADDRESS"});
  command.add("--user-header", &options->user_header,
              "The header by which that proxy names the person, such as X-Forwarded-User",
              {.shown_as = "NAME", .needs = "--trusted-proxy"});
  command.add("--stop", &options->stop, "End the server that works here, and wait for that");
  command.footer =
      R"(How many runs it works on at the same time is in .agneto/config.yaml: serve: {runs: 4}.

Examples:
  agneto serve
  agneto submit "add a --shout flag"      in another terminal
  agneto serve --stop)";
  command.action = [options](const Context& context) { return serve(context, *options); };
}

}  // namespace agneto::cli
