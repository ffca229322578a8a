#include "run/read_schedules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "model/load.h"
#include "model/rules.h"
#include "run/assembly.h"
#include "run/prepare.h"
#include "run/queue.h"

namespace agneto::run {
namespace {

using yaml::Node;

bool can_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char each) {
    return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_' || each == '-' ||
           each == '.';
  });
}

void read_cron(yaml::Reader& reader, const Node& node, Schedule& schedule) {
  if (!reader.text(node, "cron", schedule.cron)) return;
  try {
    schedule.times = Cron(schedule.cron);
  } catch (const Error& error) {
    reader.diagnostics().report(rules::bad_schedule, node.span, error.what(), error.help());
  }
}

void read_zone(yaml::Reader& reader, const Node& node, Schedule& schedule) {
  if (!reader.text(node, "timezone", schedule.timezone)) return;
  if (const auto zone = zone_of(schedule.timezone)) {
    schedule.zone = *zone;
  } else {
    suggest(reader.diagnostics().report(
                rules::bad_schedule, node.span,
                fmt::format("there is no time zone '{}'", printable(schedule.timezone))),
            schedule.timezone, zone_names(), "time zones");
  }
}

void read_choice(yaml::Reader& reader, const Node& node, const std::string& what,
                 const std::string& no, const std::string& yes, bool& out) {
  std::string text;
  if (!reader.text(node, what, text)) return;
  if (text != no && text != yes) reader.wrong(node, what, no + " or " + yes);
  out = text == yes;
}

void read_inputs_of(yaml::Reader& reader, const Node& node, Schedule& schedule) {
  reader.each(node, "inputs", [&](const Node& name, const Node& value) {
    reader.text(value, "inputs." + name.text, schedule.inputs[name.text]);
    schedule.input_places[name.text] = name.span;
  });
}

void read_priority(yaml::Reader& reader, const Node& node, int& priority) {
  const auto number =
      node.kind == yaml::Kind::scalar ? parse_number<int>(node.text) : std::optional<int>();
  if (!number || *number < least_priority || *number > greatest_priority) {
    reader.wrong(node, "priority",
                 fmt::format("a whole number from {} to {}", least_priority, greatest_priority));
    return;
  }
  priority = *number;
}

// The shortest time between two of the next ones.
Millis shortest_between(const Cron& times) {
  constexpr int looked_at = 100;
  Millis shortest = Millis::max();
  auto at = times.next(Time(), cctz::utc_time_zone());
  for (int i = 0; at && i < looked_at; ++i) {
    const auto next = times.next(*at, cctz::utc_time_zone());
    if (next) shortest = std::min(shortest, *next - *at);
    at = next;
  }
  return shortest;
}

void read_schedule(yaml::Reader& reader, const Node& name, const Node& node, Schedule& schedule) {
  schedule.name = name.text;
  schedule.place = schedule.workflow_place = name.span;
  if (!can_name(name.text)) {
    reader.diagnostics().report(rules::bad_name, name.span,
                                fmt::format("'{}' cannot name a schedule", printable(name.text)),
                                "write letters, digits, '_', '-' and '.'");
  }
  const Node* jitter = nullptr;
  const auto text = [&](const char* key, std::string& out) {
    return yaml::Reader::Key{key, [&, key](const Node& n) { reader.text(n, key, out); }};
  };
  reader.map(node, "schedules." + name.text,
             {{"workflow",
               [&](const Node& n) {
                 schedule.workflow_place = n.span;
                 reader.text(n, "workflow", schedule.workflow);
               }},
              text("task", schedule.task.emplace()),
              {"inputs", [&](const Node& n) { read_inputs_of(reader, n, schedule); }},
              {"cron", [&](const Node& n) { read_cron(reader, n, schedule); }},
              {"timezone", [&](const Node& n) { read_zone(reader, n, schedule); }},
              {"missed",
               [&](const Node& n) {
                 read_choice(reader, n, "missed", "skip", "once", schedule.makes_up);
               }},
              {"overlap",
               [&](const Node& n) {
                 read_choice(reader, n, "overlap", "skip", "queue", schedule.queues);
               }},
              {"jitter",
               [&](const Node& n) {
                 if (reader.duration(n, "jitter", schedule.jitter)) jitter = &n;
               }},
              {"priority", [&](const Node& n) { read_priority(reader, n, schedule.priority); }}});
  if (schedule.task->empty()) schedule.task.reset();
  if (node.kind == yaml::Kind::map && !node.find("cron")) {
    reader.diagnostics().report(rules::missing_key, node.span, "a schedule needs the key 'cron'",
                                "write when it is due, such as cron: 30 7 * * mon-fri");
  }
  if (jitter != nullptr && schedule.jitter >= shortest_between(schedule.times)) {
    reader.diagnostics().report(rules::bad_schedule, jitter->span,
                                "the jitter is not shorter than the time between two runs",
                                "make it shorter");
  }
}

// Says of each input that the workflow does not have what it may have been, else all that is wrong.
void check_inputs(const Schedule& schedule, const model::Machine& machine, const Config& config,
                  Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const auto& input : machine.inputs) known.push_back(input.name);
  bool all_known = true;
  for (const auto& [name, place] : schedule.input_places) {
    if (std::ranges::find(known, name) != known.end()) continue;
    all_known = false;
    suggest(diagnostics.report(
                rules::bad_schedule, place,
                fmt::format("workflow '{}' has no input '{}'", machine.name, printable(name))),
            name, known, "inputs");
  }
  if (!all_known) return;
  if (!schedule.task && machine.main_input() && machine.main_input()->required() &&
      !schedule.inputs.contains(machine.main_input()->name)) {
    diagnostics.report(rules::bad_schedule, schedule.place,
                       fmt::format("workflow '{}' needs a task", machine.name),
                       "write what is to be done behind 'task'");
    return;
  }
  try {
    Request request;
    request.task = schedule.task;
    request.inputs = schedule.inputs;
    read_inputs(machine, request, config);
  } catch (const Error& error) {
    diagnostics.report(rules::bad_schedule, schedule.place, error.what(), error.help());
  }
}

void check_schedule(const Schedule& schedule, const Config& config, const fs::path& folder,
                    const Resources& resources, const Files& files, Diagnostics& diagnostics) {
  fs::path file;
  try {
    file = find_workflow(schedule.workflow, folder, resources);
  } catch (const Error& error) {
    diagnostics.report(rules::bad_schedule, schedule.workflow_place, error.what(), error.help());
    return;
  }
  Diagnostics of_workflow;
  const auto loaded = model::load(file, files, of_workflow, resources.library());
  if (loaded.system) return check_inputs(schedule, loaded.system->main(), config, diagnostics);
  diagnostics.report(rules::bad_schedule, schedule.workflow_place,
                     fmt::format("workflow '{}' cannot be run", printable(schedule.workflow)),
                     "agneto lint " + file.string() + " says why");
}

}  // namespace

void read_schedules(yaml::Reader& reader, const Node& node, std::vector<Schedule>& schedules) {
  reader.each(node, "schedules", [&](const Node& name, const Node& value) {
    read_schedule(reader, name, value, schedules.emplace_back());
  });
}

void check_schedules(const Config& config, const fs::path& folder, const Resources& resources,
                     const Files& files, Diagnostics& diagnostics) {
  for (const Schedule& schedule : config.schedules) {
    check_schedule(schedule, config, folder, resources, files, diagnostics);
  }
}

std::map<std::string, std::string> wrong_schedules(const Config& config, const fs::path& folder,
                                                   const Resources& resources, const Files& files) {
  std::map<std::string, std::string> wrong;
  for (const Schedule& schedule : config.schedules) {
    Diagnostics diagnostics;
    check_schedule(schedule, config, folder, resources, files, diagnostics);
    if (diagnostics.has_errors()) wrong[schedule.name] = diagnostics.sorted().front().message;
  }
  return wrong;
}

}  // namespace agneto::run
