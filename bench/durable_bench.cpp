// What a step costs that is on the disk before anything follows from it, beside the least that
// could be paid: a commit of one row by SQLite itself. Wall time, since it is the disk's.
//
// A disk that others use is another one every second, so both go by turns, and what is compared is
// within a turn. In TMPDIR.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "record/event.h"
#include "run/engine/engine.h"
#include "run/prepare.h"
#include "turns.h"

namespace {

using namespace agneto;
using Seconds = std::chrono::duration<double>;

// Two states and back by itself, as often as it is told to.
constexpr const char* kWorkflow = R"yaml(
agneto: 1
name: ping-pong
inputs: {steps: integer}
context: {n: 0}
initial: PING
states:
  PING:
    entry: |
      if ctx.n < inputs.steps then send("tick") else send("enough") end
    on: {tick: {target: PONG, do: ctx.n = ctx.n + 1}, enough: DONE}
  PONG:
    entry: |
      if ctx.n < inputs.steps then send("tick") else send("enough") end
    on: {tick: {target: PING, do: ctx.n = ctx.n + 1}, enough: DONE}
  DONE: {final: true}
)yaml";

class Folder {
 public:
  explicit Folder(const fs::path& parent = fs::temp_directory_path()) {
    std::string name = parent / "agneto-bench.XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string file(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Where what is only prepared need not wait for a disk.
fs::path memory() {
  return fs::exists("/dev/shm") ? "/dev/shm" : fs::temp_directory_path();
}

class Bare {
 public:
  explicit Bare(const std::string& file) {
    sqlite3_open(file.c_str(), &database_);
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)");
    sqlite3_prepare_v2(database_, "INSERT INTO rows (text) VALUES (?)", -1, &insert_, nullptr);
  }
  ~Bare() {
    sqlite3_finalize(insert_);
    sqlite3_close(database_);
  }
  Bare(const Bare&) = delete;
  Bare& operator=(const Bare&) = delete;

  // So many commits of one row.
  void commit(int rows) {
    for (int i = 0; i < rows; ++i) {
      sqlite3_bind_text(insert_, 1, text_.data(), static_cast<int>(text_.size()), SQLITE_STATIC);
      if (sqlite3_step(insert_) != SQLITE_DONE) throw std::runtime_error(sqlite3_errmsg(database_));
      sqlite3_reset(insert_);
    }
  }

 private:
  void run(const char* sql) {
    if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
      throw std::runtime_error(sqlite3_errmsg(database_));
    }
  }

  sqlite3* database_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
  const std::string text_ = std::string(100, 'x');
};

class NoRunner : public process::Runner {
 public:
  process::Exit run(const process::Spec&, process::Listener&, std::stop_token) override {
    throw std::logic_error("there is nothing to run");
  }
};

// When every ten thousandth step was done.
class Laps : public record::Observer {
 public:
  static constexpr int kSteps = 10'000;

  void event(const record::RunEvent& event) override {
    if (event.get<record::TransitionTaken>() && ++steps_ % kSteps == 0) {
      ends_.push_back(std::chrono::steady_clock::now());
    }
  }
  // Seconds; 1, 2, 3, …
  double lap(std::size_t number) const {
    return Seconds(ends_.at(number) - ends_.at(number - 1)).count();
  }
  std::size_t last() const { return ends_.size() - 1; }

 private:
  int steps_ = 0;
  std::vector<std::chrono::steady_clock::time_point> ends_;
};

// One run of that workflow, as `agneto run` has it.
class Player {
 public:
  Player(journal::Journal& journal, const fs::path& folder, std::string id)
      : journal_(journal), id_(std::move(id)), workspace_(workspace::plain(folder)) {
    files_.add("/w/flow.yaml", kWorkflow);
    loaded_ = run::load_workflow("/w/flow.yaml", files_, {});
    evaluator_ = run::check_scripts(*loaded_.system, files_, {{"/w"}, "/w"});
    chart_.emplace(*loaded_.system, *evaluator_);
  }

  void begin(int steps) {
    journal::RunRecord line;
    line.id = id_;
    line.status = "running";
    line.created = line.updated = clock_.now();
    engine_ = std::make_unique<run::Engine>(
        setup(), std::move(line), chart::Instance(*chart_, {id_, false, false}), run::RunState());
    engine_->begin({{"steps", steps}}, {{"/w/flow.yaml", kWorkflow}});
  }
  // All of the steps.
  void work() {
    if (engine_->work() != ExitStatus::complete) throw std::runtime_error("the run failed");
  }
  const Laps& laps() const { return laps_; }
  // What a resume reads before it can go on.
  void take_up() {
    journal_.own(id_, "the next one");
    const Json saved = journal_.state(id_);
    auto instance = chart::Instance::restore(*chart_, saved.at("instance"));
    benchmark::DoNotOptimize(instance);
    auto state = run::RunState::from_json(saved.at("run"), *loaded_.system);
    benchmark::DoNotOptimize(state);
  }

 private:
  run::Setup setup() {
    return {*loaded_.system, journal_, journal_, *workspace_, services_,
            runner_,         clock_,   human_,   laps_,       config_};
  }

  journal::Journal& journal_;
  std::string id_;
  MemoryFiles files_;
  model::Loaded loaded_;
  std::unique_ptr<chart::Evaluator> evaluator_;
  std::optional<chart::Chart> chart_;
  std::unique_ptr<workspace::Workspace> workspace_;
  NoRunner runner_;
  SystemClock clock_;
  run::Nobody human_;
  Laps laps_;
  run::Config config_;
  agents::Services services_{files_,
                             {{"/w"}, "/w"},
                             {},
                             runner_,
                             clock_,
                             [] { return 0.5; },
                             [] { return std::string("session"); }};
  std::unique_ptr<run::Engine> engine_;
};

// `runs` runs at once, by turns with bare commits.
void steps(benchmark::State& state, int runs) {
  constexpr int steps = 400;  // of each run; and bare commits
  const Folder folder;
  Bare bare(folder.file("bare.db"));
  const auto journal = journal::open_journal(folder.file("runs.db"));
  int number = 0;
  bench::compare(state, [&] {
    bench::Turn turn{static_cast<double>(runs) * steps, steps, [&] { bare.commit(steps / 2); }, {}};
    for (int i = 0; i < runs; ++i) {
      auto player =
          std::make_shared<Player>(*journal, folder.path(), fmt::format("run-{}", ++number));
      player->begin(steps);
      turn.works.emplace_back([player] { player->work(); });
    }
    return turn;
  });
}
BENCHMARK_CAPTURE(steps, one_run, 1)->Name("durable/one_run")->Iterations(1)->UseRealTime();
BENCHMARK_CAPTURE(steps, many_runs, 32)->Name("durable/many_runs")->Iterations(1)->UseRealTime();

// A run of 100,000 steps is taken up by another process. `late`: what the last ten thousand took,
// of what the second ten thousand did.
void resume(benchmark::State& state) {
  constexpr int kSteps = 100'000;
  const Folder folder(memory());
  {
    const auto journal = journal::open_journal(folder.file("runs.db"));
    Player player(*journal, folder.path(), "run");
    player.begin(kSteps);
    player.work();
    const Laps& laps = player.laps();
    state.counters["late"] = laps.lap(laps.last()) / laps.lap(1);
  }
  state.counters["step_bytes"] =
      static_cast<double>(fs::file_size(folder.file("runs.db"))) / kSteps;
  for (auto _ : state) {
    const auto journal = journal::open_journal(folder.file("runs.db"));
    Player next(*journal, folder.path(), "run");
    const auto start = std::chrono::steady_clock::now();
    next.take_up();
    state.SetIterationTime(Seconds(std::chrono::steady_clock::now() - start).count());
  }
}
BENCHMARK(resume)
    ->Name("durable/resume")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(20)
    ->UseManualTime();

// Ten thousand runs in one database.
class ManyRuns : public benchmark::Fixture {
 public:
  void SetUp(benchmark::State&) override {
    folder_ = std::make_unique<Folder>(memory());
    journal_ = journal::open_journal(folder_->file("runs.db"));
    journal::Entry entry;
    entry.kind = "started";
    for (int i = 0; i < 10'000; ++i) {
      journal::RunRecord run;
      run.id = fmt::format("fix-the-login-redirect-{:04x}", i);
      run.task = "Fix the login redirect";
      run.status = "complete";
      run.options = {{"inputs", {{"task", run.task}}}, {"providers", {{"coder", "claude"}}}};
      journal_->create(run, {{"a.yaml", "text"}}, {entry, entry, entry}, {{"n", i}});
    }
  }
  void TearDown(benchmark::State&) override {
    journal_.reset();
    folder_.reset();
  }

 protected:
  std::unique_ptr<Folder> folder_;
  std::unique_ptr<journal::Journal> journal_;
};

BENCHMARK_DEFINE_F(ManyRuns, list)(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(journal_->list());
}
BENCHMARK_REGISTER_F(ManyRuns, list)->Name("durable/list")->Unit(benchmark::kMillisecond);

BENCHMARK_DEFINE_F(ManyRuns, find)(benchmark::State& state) {
  int n = 0;
  for (auto _ : state) {
    n = (n + 7919) % 10'000;
    benchmark::DoNotOptimize(journal_->find(fmt::format("fix-the-login-redirect-{:04x}", n)));
  }
}
BENCHMARK_REGISTER_F(ManyRuns, find)->Name("durable/find")->Unit(benchmark::kMicrosecond);

}  // namespace
