// What an append to a journal in PostgreSQL costs that is on the disk before it returns, beside the
// least that could be paid: a prepared INSERT of a row of 100 bytes, by libpq. Wall time.
//
// The server is one of its own, in TMPDIR, and waits for the disk. Where AGNETO_BENCH_PEERS names a
// folder with the packages of bench/peers, the durable steps of those go by turns with bare
// commits, too.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "journal/stores.h"
#include "support/postgresql_server.h"
#include "turns.h"

namespace {

using namespace agneto;

class BareCommits {
 public:
  explicit BareCommits(const std::string& uri)
      : handle_(PQconnectdb(uri.c_str()), &PQfinish), row_(100, 'x') {
    run(PQexec(handle_.get(), "CREATE TABLE IF NOT EXISTS bare (text text)"));
    run(PQprepare(handle_.get(), "insert", "INSERT INTO bare VALUES ($1)", 1, nullptr));
  }

  void commit(int rows) {
    const char* values[] = {row_.c_str()};
    for (int i = 0; i < rows; ++i) {
      run(PQexecPrepared(handle_.get(), "insert", 1, values, nullptr, nullptr, 0));
    }
  }

 private:
  static void run(PGresult* result) {
    const bool done = PQresultStatus(result) == PGRES_COMMAND_OK;
    PQclear(result);
    if (!done) throw std::runtime_error("a bare commit failed");
  }

  std::unique_ptr<PGconn, decltype(&PQfinish)> handle_;
  const std::string row_;
};

// A run that only says that it takes steps: entries and states as a small machine has them.
class Steps {
 public:
  Steps(journal::Journal& journal, std::string id) : journal_(journal), id_(std::move(id)) {
    journal::RunRecord run;
    run.id = id_;
    run.status = "running";
    journal_.create(run, {{"a.yaml", "text"}}, {entry(0)}, state(0));
  }

  void take(int steps) {
    for (int i = 0; i < steps; ++i) {
      ++taken_;
      journal_.append(id_, {entry(taken_)}, state(taken_));
    }
  }

 private:
  static journal::Entry entry(int step) {
    return {0,
            Time(Millis(step)),
            "macrostep",
            "",
            {{"event", {{"name", "tick"}, {"kind", "external"}, {"data", nullptr}}},
             {"effects", Json::array()},
             {"transitions", {{{"event", "tick"}, {"from", "PING"}, {"to", {"PONG"}}}}}}};
  }
  static Json state(int step) {
    return {{"step", step},
            {"active", {step % 2 == 0 ? "PING" : "PONG"}},
            {"rest", std::string(1000, 'x')}};
  }

  journal::Journal& journal_;
  const std::string id_;
  int taken_ = 0;
};

// With `slow`, each wait for the disk takes a millisecond more, as many a disk of a cloud does.
// As a tenant, each statement is held to what is that tenant's.
void fleet_steps(benchmark::State& state, int runs, bool slow, bool of_tenant = false) {
  const int steps = runs == 1 ? 400 : 200;  // of each run
  constexpr int bare_commits = 400;
  std::vector<std::string> settings = {"fsync=on", "full_page_writes=on"};
  if (slow) settings.insert(settings.end(), {"commit_delay=1000", "commit_siblings=0"});
  const testing::PostgresqlServer server(settings);
  BareCommits bare(server.uri("postgres"));
  const std::string role = of_tenant ? "acme" : "agneto";
  if (of_tenant) {
    journal::open_postgresql_journal(server.uri("postgres"));
    testing::Psql(server.uri("postgres"))
        .query(
            "CREATE ROLE acme LOGIN; GRANT USAGE ON SCHEMA agneto TO acme; "
            "GRANT ALL ON ALL TABLES IN SCHEMA agneto TO acme; "
            "GRANT ALL ON ALL SEQUENCES IN SCHEMA agneto TO acme; "
            "SELECT agneto.admit('acme', 'acme')");
  }
  const auto journal = journal::open_postgresql_journal(
      server.uri("postgres", role), {.connections = static_cast<std::size_t>(runs)});
  std::vector<std::unique_ptr<Steps>> all;
  for (int i = 0; i < runs; ++i) {
    all.push_back(std::make_unique<Steps>(*journal, fmt::format("run-{}", i)));
  }
  bench::compare(state, [&] {
    bench::Turn turn{static_cast<double>(runs) * steps,
                     bare_commits,
                     [&] { bare.commit(bare_commits / 2); },
                     {}};
    for (auto& one : all) turn.works.emplace_back([&one = *one, steps] { one.take(steps); });
    return turn;
  });
}
BENCHMARK_CAPTURE(fleet_steps, one_run, 1, false)
    ->Name("fleet/one_run")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(fleet_steps, one_run_of_a_tenant, 1, false, true)
    ->Name("fleet/one_run_of_a_tenant")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(fleet_steps, many_runs, 32, false)
    ->Name("fleet/many_runs")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(fleet_steps, one_run_slow, 1, true)
    ->Name("fleet/one_run_slow_disk")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(fleet_steps, many_runs_slow, 32, true)
    ->Name("fleet/many_runs_slow_disk")
    ->Iterations(1)
    ->UseRealTime();

// bench/peers/postgresql.mjs, which takes steps when it is told to.
class Peer {
 public:
  Peer(const std::string& packages, const std::string& name, const std::string& address) {
    std::array<int, 2> to{}, from{};
    if (::pipe(to.data()) != 0 || ::pipe(from.data()) != 0) throw std::runtime_error("no pipe");
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(from[1], STDOUT_FILENO);
      for (const int end : {to[0], to[1], from[0], from[1]}) ::close(end);
      ::execlp("node", "node", "--no-warnings", AGNETO_SOURCE "/bench/peers/postgresql.mjs",
               packages.c_str(), name.c_str(), address.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_.reset(::fdopen(to[1], "w"));
    from_.reset(::fdopen(from[0], "r"));
    await("ready\n");
  }
  ~Peer() {
    to_.reset();  // which ends it
    ::waitpid(child_, nullptr, 0);
  }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  void take(int runs, int steps) {
    fmt::print(to_.get(), "{} {}\n", runs, steps);
    std::fflush(to_.get());
    await("done\n");
  }

 private:
  // Past lines that it says to people.
  void await(const std::string& word) {
    std::array<char, 1000> line{};
    do {
      if (std::fgets(line.data(), line.size(), from_.get()) == nullptr) {
        throw std::runtime_error("the peer has ended");
      }
    } while (word != line.data());
  }

  pid_t child_ = 0;
  std::unique_ptr<FILE, decltype(&std::fclose)> to_{nullptr, &std::fclose};
  std::unique_ptr<FILE, decltype(&std::fclose)> from_{nullptr, &std::fclose};
};

void peer_steps(benchmark::State& state, const std::string& name, int runs) {
  const char* packages = std::getenv("AGNETO_BENCH_PEERS");
  if (packages == nullptr) {
    state.SkipWithError("AGNETO_BENCH_PEERS does not say where its package is");
    return;
  }
  const int steps = runs == 1 ? 200 : 20;  // of each run
  constexpr int bare_commits = 400;
  const testing::PostgresqlServer server({"fsync=on", "full_page_writes=on"});
  BareCommits bare(server.uri("postgres"));
  testing::Psql(server.uri("postgres")).query("CREATE DATABASE peer");
  std::string folder;
  for (const char letter : server.folder())
    folder += letter == '/' ? "%2F" : std::string(1, letter);
  Peer peer(packages, name, "postgresql://agneto@" + folder + "/peer");
  bench::compare(state, [&] {
    return bench::Turn{static_cast<double>(runs) * steps,
                       bare_commits,
                       [&] { bare.commit(bare_commits / 2); },
                       {[&] { peer.take(runs, steps); }}};
  });
}
BENCHMARK_CAPTURE(peer_steps, langgraph_one, "langgraph", 1)
    ->Name("fleet/peers/langgraph/one_run")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(peer_steps, langgraph_many, "langgraph", 32)
    ->Name("fleet/peers/langgraph/many_runs")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(peer_steps, dbos_one, "dbos", 1)
    ->Name("fleet/peers/dbos/one_run")
    ->Iterations(1)
    ->UseRealTime();
BENCHMARK_CAPTURE(peer_steps, dbos_many, "dbos", 32)
    ->Name("fleet/peers/dbos/many_runs")
    ->Iterations(1)
    ->UseRealTime();

}  // namespace
