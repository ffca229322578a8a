// agneto serve

#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
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
#include "cli/run_log.h"
#include "cli/served.h"
#include "cli/service.h"
#include "cli/signals.h"
#include "run/secrets.h"
#include "serve/address.h"
#include "serve/api.h"
#include "serve/server.h"
#include "ui/readable.h"
#include "workspace/workspace.h"

namespace agneto::cli {
namespace {

constexpr std::size_t text_columns = 100;

// How often it is looked at whether anybody has written to the journal.
constexpr Millis between_journal_looks{25};

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
  // they can say that they still are.
  void watch(const std::stop_token& stop) {
    constexpr int looks_of_silence = 200;
    SystemClock clock;
    std::int64_t seen = 0;
    bool failed = false;
    for (int silent = 0; clock.sleep(between_journal_looks, stop); ++silent) {
      std::int64_t now = seen;
      try {
        now = watched_->written_by_others();
        failed = false;
      } catch (const Error& error) {
        if (!std::exchange(failed, true)) {
          log::error("journal cannot be read", {{"error", error.what()}});
        }
      }
      if (now == seen && silent < looks_of_silence) continue;
      seen = now;
      silent = 0;
      http_.wake_streams();
    }
  }

  const std::shared_ptr<journal::Journal> journal_;
  const std::unique_ptr<journal::Journal> watched_;  // writes nothing: so it hears of everybody
  const serve::Api api_;
  serve::HttpServer http_;
  std::jthread watching_;
};

// Prints what becomes of the runs, a line each. Several threads tell at once.
class Lines {
 public:
  explicit Lines(Redactor redactor) : redactor_(std::move(redactor)) {}

  void say(const std::string& run, const std::string& what, const std::string& words = {}) {
    const std::string text = ui::first_line(printable(redactor_.text(words)), text_columns);
    const std::string line = fmt::format("{}  {}  {}{}{}\n", ui::local_time(SystemClock().now()),
                                         run, what, text.empty() ? "" : ": ", text);
    const std::lock_guard lock(mutex_);
    // The runs go on where nobody reads that any more.
    if (std::fputs(line.c_str(), stdout) >= 0) std::fflush(stdout);
  }

 private:
  std::mutex mutex_;
  const Redactor redactor_;
};

// What a person who looks at a server wants to know of a run: whom it waits for.
class ServedRun : public record::Observer {
 public:
  ServedRun(Lines& lines, std::string run) : lines_(lines), run_(std::move(run)), log_(nobody_) {}

  void event(const record::RunEvent& event) override {
    log_.event(event);
    if (const auto* asked = event.get<record::QuestionAsked>()) {
      lines_.say(run_, "asks", asked->question.question);
    }
  }

 private:
  Lines& lines_;
  const std::string run_;
  record::NoObserver nobody_;
  RunLog log_;
};

class Served : public serve::Watcher {
 public:
  explicit Served(Redactor redactor) : lines_(std::move(redactor)) {}

  std::unique_ptr<record::Observer> taken(const journal::RunRecord& run) override {
    lines_.say(run.id, run.status == "queued" ? "begins" : "goes on", run.task);
    return std::make_unique<ServedRun>(lines_, run.id);
  }
  void left(const journal::RunRecord& run) override { lines_.say(run.id, run.status, run.outcome); }
  void is_alive() override { watchdog_.is_alive(); }
  void is_wrong(const Error& what) override { print(what, stderr); }
  void put_off(const std::string& run_id, const std::string& why, Millis again) override {
    lines_.say(run_id, "cannot go on now, and is tried again in " + format_duration(again), why);
  }

 private:
  Lines lines_;
  Watchdog watchdog_;
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
  const auto grace = parse_duration(options.grace);
  if (!grace) throw Error("--grace '" + options.grace + "' is no time", "write such as 30s or 5m");
  require_home(context.folder);
  EndSignals signals;
  const fs::path home = workspace::prepare_home(run::home_of(context.folder));
  const std::shared_ptr<journal::Journal> journal = run::open_journal(context.folder);
  run::require_person(*journal);
  SystemClock clock;
  Served watcher(run::redactor_for(context.folder));
  serve::Server server({context.folder, *grace}, context.resources, journal, clock, watcher);
  std::optional<Door> door;
  if (const auto listens = where_it_listens(options)) {
    check_proxies(options);
    auto address = *listens;
    address.proxies = proxies_of(options);
    address.most_connections = clients_allowed(address.most_connections);
    if (!serve::is_loopback(host_of(address)) && journal->grants().empty()) {
      throw Error("--listen " + (options.listen.empty() ? address.address : options.listen) +
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
  }
  fmt::print("serving the runs of {}; Ctrl+C ends that\n", home.parent_path().string());
  printed(ExitStatus::complete);
  const std::jthread listening([&](const std::stop_token& stop) {
    constexpr int patience_ms = 50;
    while (!stop.stop_requested()) {
      pollfd wait{signals.descriptor(), POLLIN, 0};
      signalfd_siginfo info;
      if (poll(&wait, 1, patience_ms) <= 0) continue;
      if (read(signals.descriptor(), &info, sizeof info) != sizeof info) continue;
      say_stopping();
      server.stop();
      fmt::print("nothing more is taken up; what is under way may end within {}\n", options.grace);
      std::fflush(stdout);
    }
  });
  say_ready();
  server.work();
  return printed(ExitStatus::complete);
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
