#include "ui/cassette_human.h"

#include <algorithm>

#include "base/error.h"
#include "chart/path.h"

namespace agneto::ui {

CassetteHuman::CassetteHuman(const Json& answers) {
  for (const auto& json : answers) {
    run::Answer answer{json.value("option", ""), json.value("feedback", ""), std::nullopt};
    if (json.contains("edited")) answer.edited = json["edited"].get<std::string>();
    answers_.push_back({json.value("state", ""), std::move(answer)});
  }
}

void CassetteHuman::ask(const run::Question& question, std::function<void(run::Answer)> answer) {
  std::string state = chart::last_name(question.ask.path);
  auto found = std::ranges::find(answers_, state, &Scripted::state);
  if (found == answers_.end()) {
    throw Error("the cassette has no answer for the question in " + state,
                "add {state: " + state + ", option: …} to its answers, or use --interactive");
  }
  run::Answer chosen = std::move(found->answer);
  answers_.erase(found);
  answer(std::move(chosen));
}

void CassetteHuman::interrupted(std::function<void(run::Interrupt)> answer) {
  answer({run::Interrupt::Kind::suspend, ""});
}

}  // namespace agneto::ui
