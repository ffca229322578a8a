// What it costs to look for secrets in a text that has none, as most have: bytes per second.
#include <benchmark/benchmark.h>

#include "base/files.h"
#include "base/redact.h"

namespace {

using namespace agneto;

// Prose and code, one after another, `bytes` of it.
std::string ordinary(std::size_t bytes) {
  const Disk disk;
  std::string text;
  while (text.size() < bytes) {
    for (const char* file : {"/docs/language.md", "/README.md", "/engine/base/redact.cpp"}) {
      text += disk.read(std::string(AGNETO_SOURCE) + file).value();
    }
  }
  return text;
}

void redact_ordinary_text(benchmark::State& state) {
  std::map<std::string, std::string> known;
  for (int i = 0; i < state.range(0); ++i) {
    known.emplace("known-secret-" + std::to_string(i * 7919), "NAME");
  }
  const Redactor redactor(known);
  const std::string text = ordinary(1 << 20);
  for (auto _ : state) benchmark::DoNotOptimize(redactor.text(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(redact_ordinary_text)->Arg(0)->Arg(20);

}  // namespace
