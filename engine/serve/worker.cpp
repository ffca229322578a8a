#include "serve/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/text.h"
#include "run/labels.h"
#include "run/prepare.h"
#include "serve/server.h"

namespace agneto::serve {

namespace {

bool has(const Worker& worker, const std::string& label) {
  return std::ranges::find(worker.labels, label) != worker.labels.end();
}

// "gpu", "gpu and claude"
std::string listed(const std::vector<std::string>& labels) {
  return printable(join(labels, " and "));
}

// Can it take the run, once it has room?
bool can_take(const Worker& worker, const journal::RunRecord& run) {
  const auto it_has = [&](const std::string& label) { return has(worker, label); };
  return !worker.ends && std::ranges::all_of(run.needs, it_has);
}

// Empty: none has.
std::string why_put_off(const journal::RunRecord& run, const std::vector<Worker>& workers) {
  for (const Worker& worker : workers) {
    const auto off = worker.put_off.find(run.id);
    if (off == worker.put_off.end()) continue;
    return worker.name + " cannot work on it now, and tries again: " + off->second;
  }
  return "";
}

Here here_in(const fs::path& folder) {
  return {run::label_of_folder(run::home_of(folder)), run::is_shared(run::journal_place(folder))};
}

}  // namespace

Json Worker::to_json() const {
  Json json = {{"name", name}, {"kind", kind},     {"folder", folder}, {"slots", slots},
               {"runs", runs}, {"labels", labels}, {"ends", ends}};
  if (!versions.empty()) json["versions"] = versions;
  if (!put_off.empty()) json["put_off"] = put_off;
  if (!version.empty()) json["version"] = version;
  if (since != Time()) json["since"] = format_time(since);
  return json;
}

Worker Worker::from(const journal::Worker& worker) {
  const Json& body = worker.body;
  const auto text = [&](const char* key) {
    const Json& value = member(body, key);
    return value.is_string() ? value.get<std::string>() : "";
  };
  const auto texts = [&](const char* key) {
    std::vector<std::string> found;
    for (const Json& each : member(body, key)) {
      if (each.is_string()) found.push_back(each.get<std::string>());
    }
    return found;
  };
  Worker read;
  read.name = worker.name;
  read.kind = text("kind");
  read.folder = text("folder");
  read.version = text("version");
  read.since = parse_time(text("since")).value_or(Time());
  const Json& slots = member(body, "slots");
  if (slots.is_number_integer()) read.slots = slots.get<int>();
  read.ends = member(body, "ends") == true;
  read.runs = texts("runs");
  read.labels = texts("labels");
  const auto named = [&](const char* key) {
    std::map<std::string, std::string> found;
    for (const auto& [name, each] : member(body, key).items()) {
      if (each.is_string()) found[name] = each.get<std::string>();
    }
    return found;
  };
  read.versions = named("versions");
  read.put_off = named("put_off");
  return read;
}

std::string Lack::told(const std::string& follows) const {
  if (what.empty()) return "";
  return what + (follows.empty() ? "" : ", " + follows) + (command.empty() ? "" : ": " + command);
}

namespace {

// Those of a shared journal, as they say it themselves.
std::vector<Worker> workers_of(journal::Journal& journal) {
  std::vector<Worker> all;
  for (const auto& worker : journal.workers()) all.push_back(Worker::from(worker));
  return all;
}

}  // namespace

std::vector<Worker> workers(journal::Journal& journal, const fs::path& folder,
                            const run::Resources& resources) {
  std::vector<Worker> all = workers_of(journal);
  if (!all.empty() || !is_served(folder)) return all;
  const run::Config config = run::current_config(folder, resources);
  const fs::path root = run::home_of(folder);
  Worker here;
  here.kind = "server";
  here.name = fmt::format("process {}", server_of(folder).value_or(0));
  here.folder = root.string();
  here.since = served_since(folder).value_or(Time());
  here.slots = config.concurrency.runs;
  for (const auto& [name, program] : run::callable_providers(folder, resources)) {
    here.labels.push_back(name);
  }
  std::ranges::move(run::labels_of(config, folder, resources), std::back_inserter(here.labels));
  here.labels.push_back(run::label_of_folder(root));
  for (const auto& run : journal.worked_on()) here.runs.push_back(run.id);
  all.push_back(std::move(here));
  return all;
}

Lack lack_of(const journal::RunRecord& run, const std::vector<Worker>& workers, const Here& here) {
  const auto takes = [&](const Worker& worker) { return can_take(worker, run); };
  if (std::ranges::any_of(workers, takes)) return {};
  const auto nobody = [&](const auto& is_one) { return std::ranges::none_of(workers, is_one); };
  std::vector<std::string> missing;
  for (const std::string& label : run.needs) {
    if (!nobody([&](const Worker& worker) { return !worker.ends && has(worker, label); })) continue;
    if (label == here.folder) return {"nobody serves this folder", "agneto serve"};
    if (run::is_of_folder(label)) {
      return {"it is of the folder " + printable(label) + ", which nobody serves",
              "agneto serve there"};
    }
    missing.push_back(label);
  }
  if (nobody([](const Worker& worker) { return !worker.ends; })) {
    if (here.is_shared) return {"no worker is there", "agneto worker"};
    return {"nobody serves this folder", "agneto serve"};
  }
  if (missing.empty()) {
    return {"it needs " + listed(run.needs) + ", which no worker has together", ""};
  }
  return {"it needs " + listed(missing) + ", which no worker has", ""};
}

Lack lack_of(const journal::RunRecord& run, journal::Journal& journal, const fs::path& folder,
             const run::Resources& resources) {
  try {
    return lack_of(run, workers(journal, folder, resources), here_in(folder));
  } catch (const Error&) {
    return {};  // whoever serves the folder says what is wrong
  }
}

std::string why_not_taken(const journal::RunRecord& run, const std::vector<Worker>& workers,
                          const Here& here, const journal::Bounds& bounds,
                          const std::vector<journal::RunRecord>& worked_on) {
  if (const Lack lack = lack_of(run, workers, here)) return lack.told();
  std::vector<Worker> able;
  for (const Worker& worker : workers) {
    if (can_take(worker, run)) able.push_back(worker);
  }
  if (auto why = why_put_off(run, able); !why.empty()) return why;
  const auto is_full = [](const Worker& worker) {
    return worker.runs.size() >= static_cast<std::size_t>(worker.slots);
  };
  if (std::ranges::all_of(able, is_full)) {
    int slots = 0;
    bool serve = true;
    for (const Worker& worker : able) {
      slots += worker.slots;
      serve = serve && worker.kind == "server";
    }
    return fmt::format("as many runs are worked on as may be at a time ({}, by {})", slots,
                       serve ? "serve.runs" : "--slots");
  }
  return obstacle(bounds, run, worked_on);
}

std::string why_queued(journal::Journal& journal, const fs::path& folder,
                       const run::Resources& resources, const journal::RunRecord& run) {
  if (journal::has_ended(run) || run.status == "suspended") return "";
  try {
    if (run.status != "queued") return why_put_off(run, workers_of(journal));
    return why_not_taken(run, workers(journal, folder, resources), here_in(folder),
                         run::current_config(folder, resources).concurrency.bounds,
                         journal.worked_on());
  } catch (const Error& error) {
    return std::string("the configuration cannot be read: ") + error.what();
  }
}

}  // namespace agneto::serve
