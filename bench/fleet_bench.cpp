// What an append to a journal in PostgreSQL costs that is on the disk before it returns, beside the
// least that could be paid: a prepared INSERT of a row of 100 bytes, by libpq. Wall time.
//
// The server is one of its own, in TMPDIR, and waits for the disk.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <libpq-fe.h>

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
void fleet_steps(benchmark::State& state, int runs, bool slow) {
  const int steps = runs == 1 ? 400 : 200;  // of each run
  constexpr int bare_commits = 400;
  std::vector<std::string> settings = {"fsync=on", "full_page_writes=on"};
  if (slow) settings.insert(settings.end(), {"commit_delay=1000", "commit_siblings=0"});
  const testing::PostgresqlServer server(settings);
  BareCommits bare(server.uri("postgres"));
  const auto journal = journal::open_postgresql_journal(
      server.uri("postgres"), {.connections = static_cast<std::size_t>(runs)});
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

}  // namespace
