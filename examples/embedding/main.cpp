// Lints a workflow, then lets it run with services of this program's own.

#include <agneto/embed.h>

#include <iostream>

namespace embed = agneto::embed;

namespace {

// Where a real program asks a model: `prompt` is all that it is to be told.
embed::Reply write(const embed::AgentCall& call, const std::string& prompt) {
  const bool wished = prompt.find("What is wished") != std::string::npos;
  std::cout << call.path << ": " << call.agent << (wished ? " writes again\n" : " writes\n");
  return {std::string("Here it is.\n\n```json\n{\"verdict\": \"WRITTEN\", \"letter\": \"") +
          (wished ? "Dear Ada, come at five." : "Come at five.") + "\"}\n```\n"};
}

embed::Answer read(const embed::Question& question) {
  std::cout << question.path << ": " << question.question << " " << question.show << "\n";
  if (question.show.find("Dear") != std::string::npos) return {"SEND", "", {}};
  return {"CHANGE", "Greet her first.", {}};
}

embed::CommandResult send(const embed::Command& command) {
  std::cout << command.path << ": " << command.argv.at(0) << ": " << command.argv.at(1) << "\n";
  return {0, "sent"};
}

void run(const embed::Workflow& workflow) {
  embed::Machine machine(workflow, {.inputs = R"({"about": "tea"})"});
  embed::Services services;
  services.agent = write;
  services.ask = read;
  services.command = send;
  services.wait = [](std::chrono::milliseconds time) {
    std::cout << "waits for " << time.count() / 60'000 << " minutes\n";
  };
  const auto ending = embed::run(machine, services);
  std::cout << ending.value().outcome << " (" << ending->status << ") " << ending->outputs << "\n";
}

// The same by hand: nothing happens unless it is told to.
void step(const embed::Workflow& workflow) {
  embed::Machine machine(workflow, {.inputs = R"({"about": "tea"})"});
  machine.end("WRITING", "WRITTEN", R"({"letter": "No."})");
  machine.answer("READING", {"SEND", "", {}});
  std::cout << machine.states().at(0) << ", for " << machine.next_timer()->count() << " ms\n";
  machine.send("stop");
  std::cout << machine.ending().value().outcome << "\n";
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: letter WORKFLOW\n";
    return 2;
  }
  try {
    for (const embed::Finding& finding : embed::lint(arguments[1], AGNETO_LIBRARY)) {
      std::cout << finding.path << ":" << finding.line << ": " << finding.message << "\n";
    }
    const embed::Workflow workflow(arguments[1], AGNETO_LIBRARY);
    run(workflow);
    step(workflow);
  } catch (const embed::Error& error) {
    std::cerr << error.what() << "\n" << error.help() << "\n";
    return 1;
  }
}
