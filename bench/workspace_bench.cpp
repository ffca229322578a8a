// What a run pays to git: mostly the number of processes.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>

#include "process/process.h"
#include "workspace/workspace.h"

namespace {

using namespace agneto;
namespace fs = std::filesystem;

// A repository of 100 files and one run in it, gone at the end.
class Project {
 public:
  Project() {
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    std::string name = fs::temp_directory_path() / "agneto-bench-XXXXXX";
    root_ = mkdtemp(name.data());
    for (int i = 0; i < 100; ++i) std::ofstream(root_ / ("file" + std::to_string(i))) << i << "\n";
    const std::string git = "cd '" + root_.string() + "' && git init -q && git add -A && git " +
                            "-c user.name=b -c user.email=b@localhost commit -q -m Start";
    process::capture({"sh", "-c", git}, root_);
    workspace::prepare_home(root_);
    workspace = workspace::create({root_, root_ / ".agneto/worktrees/run", "run", ""});
  }
  ~Project() { fs::remove_all(root_); }

  void edit(std::int64_t n) const { std::ofstream(workspace->path() / "file1") << n << "\n"; }

  std::unique_ptr<workspace::Workspace> workspace;

 private:
  fs::path root_;
};

void checkpoint_of_a_clean_tree(benchmark::State& state) {
  const Project project;
  for (auto _ : state) project.workspace->checkpoint("A#1");
}
BENCHMARK(checkpoint_of_a_clean_tree)->Unit(benchmark::kMillisecond)->UseRealTime();

void checkpoint_of_an_edit(benchmark::State& state) {
  const Project project;
  std::int64_t n = 0;
  for (auto _ : state) {
    project.edit(++n);
    project.workspace->checkpoint("A#1");
  }
}
BENCHMARK(checkpoint_of_an_edit)->Unit(benchmark::kMillisecond)->UseRealTime();

void commit_of_an_edit(benchmark::State& state) {
  const Project project;
  std::int64_t n = 0;
  for (auto _ : state) {
    project.edit(++n);
    project.workspace->commit("Edit", "C#" + std::to_string(n));
  }
}
BENCHMARK(commit_of_an_edit)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
