// Random pairs of machines that send each other events, and themselves: few states and few events,
// so that much of what one says comes while the other has still to hear what it sent itself.
#pragma once

#include <string>
#include <vector>

#include "chart/random_chart.h"

namespace agneto::lint {

class RandomTalk {
 public:
  explicit RandomTalk(chart::Choices choices) : choices_(std::move(choices)) {}

  // S1 and S2 delegate to child.yaml. `ctx.busy` is true only while the machine has something to
  // hear from itself.
  std::string main() {
    to_others_ = {"S1", "S2", "S1"};
    std::string text =
        "agneto: 1\nname: main\n" + context_ + "initial: S1\n" + hears_itself_ + "states:\n";
    for (const char* state : {"S1", "S2"}) {
      text += state_of(state, "machine: child.yaml", target());
      text += "      - {event: [DONE, error], target: " + target() + "}\n";
    }
    text += state_of("S3", "run: {argv: [x]}", target());
    return text + "      - {event: [ok, failed, error], target: " + target() + "}\n";
  }
  std::string child() {
    to_others_ = {"parent"};
    std::string text =
        "agneto: 1\nname: child\n" + context_ + "initial: S1\n" + hears_itself_ + "states:\n";
    text += state_of("S1", "run: {argv: [x]}", "DONE");
    text += "      - {event: [ok, failed, error], do: '" + block() + "'}\n";
    return text + "  DONE: {final: true}\n";
  }

 private:
  std::string event() { return "e" + std::to_string(choices_.below(3)); }
  std::string target() { return "S" + std::to_string(1 + choices_.below(3)); }

  std::string block() {
    static const std::vector<std::string> changes = {"ctx.flag = true", "ctx.flag = false",
                                                     "ctx.flag = not ctx.flag"};
    std::string text = choices_.one_of(changes);
    for (std::size_t i = choices_.below(3); i > 0; --i) {
      if (choices_.one_in(3)) {
        text += "; ctx.busy = true; send(\"own\")";
      } else {
        text += "; send(\"" + event() + "\"";
        text += ", nil, {to = \"" + choices_.one_of(to_others_) + "\"})";
      }
    }
    return text;
  }

  // More transitions of it may follow. `out`: where some of these lead.
  std::string state_of(const std::string& name, const std::string& activity,
                       const std::string& out) {
    static const std::vector<std::string> guards = {"ctx.busy", "ctx.flag", "not ctx.flag"};
    std::string text = "  " + name + ":\n    " + activity + "\n    on:\n";
    for (int i = 0; i < 4; ++i) {
      text += "      - {event: " + event();
      if (choices_.one_in(2)) text += ", guard: " + choices_.one_of(guards);
      if (choices_.one_in(5)) text += ", target: " + out;
      text += ", do: '" + block() + "'}\n";
    }
    return text;
  }

  const std::string context_ = "context: {flag: false, busy: false}\n";
  const std::string hears_itself_ = "on: {own: {do: ctx.busy = false}}\n";
  chart::Choices choices_;
  std::vector<std::string> to_others_;
};

}  // namespace agneto::lint
