// agneto send

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/runs.h"

namespace agneto::cli {
namespace {

struct SendOptions {
  std::string run;
  std::string event;
  std::string data;
};

Json data_of(const std::string& text) {
  if (text.empty()) return {};
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    throw Error(fmt::format("--data is not JSON: unexpected at character {}", error.byte),
                R"(such as --data '{"branch": "main"}', in single quotes)");
  }
}

ExitStatus send(const Context& context, const SendOptions& options) {
  const auto runs = runs_of(context);
  const journal::RunRecord run = runs->steer(options.run)->run();
  const auto delivery = runs->send(run, options.event, data_of(options.data));
  if (delivery.fate == run::Delivery::Fate::taken) {
    const auto* sent = delivery.entry.get<record::Sent>();
    fmt::print("sent: {}{}\n", options.event,
               !sent || sent->taken ? "" : ", which nothing takes where the run is");
  } else if (run.status == "parked" && !runs->lack_of(run.id)) {
    fmt::print("noted: {}; the server takes it as soon as it has room for the run\n",
               options.event);
  } else {
    fmt::print(
        "noted: {}; nobody works on the run now, so it is sent when it goes on:\n"
        "    agneto resume {}\n",
        options.event, run.id);
  }
  return printed(ExitStatus::complete);
}

}  // namespace

void add_send(Program& program) {
  auto options = std::make_shared<SendOptions>();
  CommandLine& command = program.add_command("send", "Send an event to a run, from any terminal");
  command.add("RUN", &options->run, "Its id, the start of one, or 'last'", {.required = true});
  command.add("EVENT", &options->event, "The event's name", {.required = true});
  command.add("--data", &options->data, "Its data, as JSON");
  command.footer = R"(Examples:
  agneto send last build.finished
  agneto send last build.finished --data '{"status": "green"}')";
  program.add_server_options(command);
  command.action = [options](const Context& context) { return send(context, *options); };
}

}  // namespace agneto::cli
