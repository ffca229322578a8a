#include "run/assembly.h"

#include <random>

#include "run/assembly_parts.h"
#include "workspace/worktree/kept_settings.h"

namespace agneto::run {

namespace {

std::string new_uuid() {
  std::string hex = random_hex(32);
  hex[12] = '4';
  hex[16] = "89ab"[hex[16] % 4];
  return hex.substr(0, 8) + "-" + hex.substr(8, 4) + "-" + hex.substr(12, 4) + "-" +
         hex.substr(16, 4) + "-" + hex.substr(20);
}

}  // namespace

std::unique_ptr<agents::Services> make_services(const Files& files,
                                                const script::ModulePaths& modules,
                                                const std::vector<fs::path>& folders,
                                                process::Runner& runner, Clock& clock,
                                                Redactor redactor) {
  auto random = [engine = std::make_shared<std::mt19937_64>(std::random_device{}()),
                 lock = std::make_shared<std::mutex>()] {
    std::lock_guard guard(*lock);
    return std::uniform_real_distribution<double>(0, 1)(*engine);
  };
  return std::make_unique<agents::Services>(agents::Services{
      files, modules, folders, runner, clock, random, new_uuid, std::move(redactor)});
}

void Assembly::Parts::make_sandbox(const fs::path& folder, const Resources& resources) {
  sandbox = sandbox_for(config.sandbox, root, run_id, workspace->path(), *runner, disk,
                        sandbox_folders(folder, resources));
}

std::vector<std::string> put_settings_back(const fs::path& home, journal::Holds& holds,
                                           const std::string& run_id) {
  return workspace::put_kept_settings_back(home / "worktrees", [&](const std::string& run) {
    return run != run_id && holds.is_held(run);
  });
}

model::Loaded recorded_workflow(journal::Reader& journal, const journal::RunRecord& run) {
  const Disk disk;
  const Overlay files(journal.sources(run.id), disk);
  return load_recorded(run, files);
}

Assembly::Assembly(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Assembly::~Assembly() = default;
Engine& Assembly::engine() {
  return *parts_->engine;
}
const std::string& Assembly::run_id() const {
  return parts_->run_id;
}

const std::string& Assembly::record_file() const {
  return parts_->record_file;
}

void Assembly::listen() {
  const auto wake_up = [engine = parts_->engine.get()] { engine->wake_up(); };
  parts_->watch = parts_->journal->watch(parts_->run_id, wake_up);
  if (parts_->watch) return;
  parts_->listener = std::make_unique<WakeupListener>(
      wakeup_of(home_of(parts_->root) / ".agneto", parts_->run_id), wake_up);
}

}  // namespace agneto::run
