// What loading costs beside yaml-cpp's bare parse of the same text: both in every iteration, so
// that a busy machine slows them alike. Milliseconds are the process's own time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <ctime>
#include <sstream>

#include "model/load.h"
#include "script/evaluator.h"

namespace {

using namespace agneto;
namespace fs = std::filesystem;

class Ignore : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Style = YAML::EmitterStyle::value;

 public:
  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, YAML::anchor_t) override {}
  void OnAlias(const Mark&, YAML::anchor_t) override {}
  void OnScalar(const Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, YAML::anchor_t, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, YAML::anchor_t, Style) override {}
  void OnMapEnd() override {}
};

void parse(const std::string& text) {
  std::istringstream stream(text);
  Ignore handler;
  YAML::Parser(stream).HandleNextDocument(handler);
}

double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// A machine's text, line by line.
class Writer {
 public:
  explicit Writer(std::string_view context = "{count: 0}") {
    text_ = fmt::format("agneto: 1\nname: generated\ncontext: {}\n", context);
  }

  void line(int depth, std::string_view words) {
    text_.append(static_cast<std::size_t>(2 * depth), ' ').append(words) += '\n';
  }

  // Six lines: transitions to the next state and, guarded, back to itself.
  void state(int depth, int id, int next) {
    line(depth, fmt::format("STATE_{}:", id));
    line(depth + 1, fmt::format("description: Step {} of the plan", id));
    line(depth + 1, "entry: ctx.count = ctx.count + 1");
    line(depth + 1, "on:");
    line(depth + 2, fmt::format("done: STATE_{}", next));
    line(depth + 2, fmt::format("retry: {{guard: ctx.count < 3, target: STATE_{}}}", id));
  }

  std::string text() { return std::move(text_); }

 private:
  std::string text_;
};

std::string flat(std::int64_t states) {
  Writer out;
  out.line(0, "initial: STATE_0");
  out.line(0, "states:");
  const int count = static_cast<int>(states);
  for (int i = 0; i < count; ++i) out.state(1, i, (i + 1) % count);
  return out.text();
}

// Each compound holds ten states or compounds of a tenth of its states.
void nest(Writer& out, int depth, int first, int count) {
  if (count <= 10) {
    for (int i = first; i < first + count; ++i) out.state(depth, i, (i + 7) % (first + count));
    return;
  }
  for (int child = first; child < first + count; child += count / 10) {
    out.line(depth, fmt::format("GROUP_{}_{}:", count, child));
    out.line(depth + 1, fmt::format("initial: STATE_{}", child));
    out.line(depth + 1, "states:");
    nest(out, depth + 2, child, count / 10);
  }
}

std::string nested(std::int64_t states) {
  Writer out;
  out.line(0, "initial: STATE_0");
  out.line(0, "states:");
  nest(out, 1, 0, static_cast<int>(states));
  return out.text();
}

std::string transitions_of_one_state(std::int64_t count) {
  Writer out;
  out.line(0, "initial: A");
  out.line(0, "states:");
  out.line(1, "A:");
  out.line(2, "on:");
  for (std::int64_t i = 0; i < count; ++i) {
    out.line(3, fmt::format("event_{}: {{guard: ctx.count < {}, target: A}}", i, i));
  }
  return out.text();
}

std::string entry_blocks_of_one_state(std::int64_t count) {
  Writer out;
  out.line(0, "initial: A");
  out.line(0, "states:");
  out.line(1, "A:");
  out.line(2, "entry:");
  for (std::int64_t i = 0; i < count; ++i) {
    out.line(3, fmt::format("- ctx.count = ctx.count + {}", i));
  }
  return out.text();
}

// Each name is used once.
std::string context_names(std::int64_t count) {
  Writer out("");
  for (std::int64_t i = 0; i < count; ++i) out.line(1, fmt::format("name_{}: {}", i, i));
  out.line(0, "initial: A");
  out.line(0, "states:");
  out.line(1, "A:");
  out.line(2, "entry:");
  for (std::int64_t i = 0; i < count; ++i) {
    out.line(3, fmt::format("- ctx.name_{} = ctx.name_{} + 1", i, (i + 1) % count));
  }
  return out.text();
}

// Every state leads to one that does not exist, and whose name is near to that of many that do.
std::string wrong_targets(std::int64_t states) {
  Writer out;
  out.line(0, "initial: STATE_0");
  out.line(0, "states:");
  for (int i = 0; i < static_cast<int>(states); ++i)
    out.state(1, i, i + 2 * static_cast<int>(states));
  return out.text();
}

void load(benchmark::State& state, const fs::path& file, const Files& files,
          const std::vector<std::string>& texts, std::size_t errors) {
  double yaml = 0;
  double loading = 0;
  double compiling = 0;
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  for (auto _ : state) {
    const double start = now();
    for (const std::string& text : texts) parse(text);
    const double parsed = now();
    double loaded = parsed;
    {
      Diagnostics diagnostics;
      const model::Loaded result = model::load(file, files, diagnostics);
      loaded = now();
      if (diagnostics.error_count() != errors) {
        state.SkipWithError(render(diagnostics).substr(0, 2000).c_str());
        return;
      }
      if (result.system)
        benchmark::DoNotOptimize(script::make_evaluator(*result.system, diagnostics));
    }
    const double compiled = now();
    yaml += parsed - start;
    loading += loaded - parsed;
    compiling += compiled - loaded;
    state.SetIterationTime(compiled - parsed);
  }
  const auto milliseconds = [](double seconds) {
    return benchmark::Counter(1e3 * seconds, benchmark::Counter::kAvgIterations);
  };
  state.counters["KB"] = static_cast<double>(bytes) / 1e3;
  state.counters["yaml_ms"] = milliseconds(yaml);
  state.counters["load_ms"] = milliseconds(loading);
  state.counters["lua_ms"] = milliseconds(compiling);
  state.counters["load/yaml"] = loading / yaml;
  state.counters["all/yaml"] = (loading + compiling) / yaml;
}

void generated(benchmark::State& state, std::string (*write)(std::int64_t), bool wrong = false) {
  const std::string text = write(state.range(0));
  load(state, "flow.yaml", MemoryFiles({{"flow.yaml", text}}), {text}, wrong ? state.range(0) : 0);
}

void bundled_workflow(benchmark::State& state) {
  const fs::path folder = fs::path(AGNETO_SOURCE) / "workflows";
  const Disk disk;
  load(state, folder / "agneto.yaml", disk,
       {disk.read(folder / "agneto.yaml").value(), disk.read(folder / "execution.yaml").value()},
       0);
}
BENCHMARK(bundled_workflow)->UseManualTime()->Unit(benchmark::kMillisecond);

// The bundled workflow with a stage more: loading it, beside loading the bundled one.
void overlay_of_bundled(benchmark::State& state) {
  const fs::path source = AGNETO_SOURCE;
  const fs::path file = source / "build" / "secure.yaml";
  const Disk disk;
  const Overlay files({{file.string(), R"yaml(agneto: 1
extends: agneto
name: secure
agents:
  security_reviewer: {prompt: "Look for holes in {{workspace.diff}}"}
states:
  TASK_EXECUTING: {on: {EXECUTION_COMPLETE: TASK_SECURING}}
  TASK_SECURING:
    agent: {name: security_reviewer, verdicts: {SECURE: {}, INSECURE: {problems: string}}}
    on:
      SECURE: TASK_SUPER_REVIEWING
      INSECURE: {target: SUPER_REVIEW_GATE, do: ctx.concerns = event.problems}
      error: {target: SUPER_REVIEW_GATE, do: ctx.concerns = event.message}
)yaml"}},
                      disk);
  const auto load_it = [&](const fs::path& path) {
    const double start = now();
    Diagnostics diagnostics;
    const auto loaded = model::load(path, files, diagnostics, source / "scripts" / "lib");
    if (diagnostics.has_errors()) state.SkipWithError(render(diagnostics).substr(0, 2000).c_str());
    benchmark::DoNotOptimize(loaded);
    return now() - start;
  };
  double bundled = 0;
  double overlay = 0;
  for (auto _ : state) {
    bundled += load_it(source / "workflows" / "agneto.yaml");
    overlay += load_it(file);
  }
  state.counters["overlay/bundled"] = overlay / bundled;
}
BENCHMARK(overlay_of_bundled)->Unit(benchmark::kMillisecond);

#define AGNETO_LOAD_BENCHMARK(...) \
  BENCHMARK_CAPTURE(generated, __VA_ARGS__)->UseManualTime()->Unit(benchmark::kMillisecond)
AGNETO_LOAD_BENCHMARK(states, flat)->Arg(1000)->Arg(10000)->Arg(40000);
AGNETO_LOAD_BENCHMARK(nested_states, nested)->Arg(1000)->Arg(10000);
AGNETO_LOAD_BENCHMARK(transitions_of_one_state, transitions_of_one_state)->Arg(1000)->Arg(10000);
AGNETO_LOAD_BENCHMARK(entry_blocks_of_one_state, entry_blocks_of_one_state)->Arg(1000)->Arg(10000);
AGNETO_LOAD_BENCHMARK(context_names, context_names)->Arg(1000)->Arg(10000);
AGNETO_LOAD_BENCHMARK(wrong_targets, wrong_targets, true)->Arg(1000)->Arg(10000);

}  // namespace
