#include "lint/explore/player.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>

#include "chart/interpreter.h"
#include "chart/path.h"
#include "lint/explore/at_rest.h"
#include "model/outcomes.h"
#include "play/simulator.h"
#include "script/evaluator.h"

namespace agneto::lint {

namespace {

using EventKind = chart::Event::Kind;

bool is_queued(const Exploration& found, std::uint32_t edge) {
  return found.alphabet[found.edges[edge].input].event.kind == EventKind::queued;
}

std::string quoted(const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '=';
  });
  return plain ? text : "'" + replaced(text, "'", "'\\''") + "'";
}

// What would come with that end of the state's activity: those of its fields that are `wanted`.
// Null where there are none.
Json sample(const State& state, const model::System& system, const std::string& outcome,
            const std::set<std::string>& wanted) {
  const auto all = model::outcomes(state, system);
  const auto* known = model::find(all, outcome);
  Json data;
  for (const model::Field& field : known ? known->fields : model::error_fields()) {
    if (wanted.contains(field.name)) data[field.name] = model::example(field.type);
  }
  return data;
}

// Those that must be given and are not known are made up.
Json inputs_of(const Machine& machine, const Beginning& beginning) {
  Json given = beginning.inputs;
  for (const model::Variable& input : machine.inputs) {
    if (given.contains(input.name) || !input.required()) continue;
    given[input.name] = model::example(input.type);
    if (input.minimum && given[input.name].is_number()) given[input.name] = *input.minimum;
  }
  std::vector<std::string> errors;
  return machine.check_inputs(given, errors);
}

std::string command(const Machine& machine, const Beginning& beginning, const Json& inputs) {
  std::string text = "agneto simulate " + quoted(machine.file.string());
  const bool delegates = std::ranges::any_of(
      machine.states, [](const State& state) { return model::delegate_of(state.activity); });
  if (delegates) text += " --shallow";
  if (!beginning.run.interactive) text += " --non-interactive";
  if (beginning.run.auto_merge) text += " --auto-merge";
  for (const model::Variable& input : machine.inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end() || value->is_null() || (input.initial && *input.initial == *value)) {
      continue;
    }
    const std::string shown = value->is_string() ? value->get<std::string>() : value->dump();
    text += " --input " + quoted(input.name + "=" + shown);
  }
  return text + " --events -";
}

// Plays one way, as `agneto simulate` does.
class Player {
 public:
  // `way`: the edges from a beginning to `at`.
  Player(const LintContext& context, const Machine& machine, const Exploration& found,
         std::vector<std::uint32_t> way, std::uint32_t at, std::vector<Expected> expected)
      : context_(context),
        machine_(machine),
        found_(found),
        first_(way.empty() ? at : found.edges[way.front()].from),
        way_(std::move(way)),
        expected_(std::move(expected)),
        beginning_(
            found.beginnings[static_cast<std::size_t>(-1 - found.configurations[first_].found_by)]),
        system_(alone(context.system, machine)),
        evaluator_(script::make_evaluator(system_, none_)),
        simulator_(system_, *evaluator_, {.shallow = true, .run = beginning_.run},
                   [this](const play::Macrostep& step) { note(step); }) {
    context.each_node(machine, [&](const Piece&, const Node& node) {
      if (node.kind == Node::Kind::index && node.children[1].kind == Node::Kind::string) {
        fields_.insert(node.children[1].text);
      }
    });
  }

  Played play() {
    const Json inputs = inputs_of(machine_, beginning_);
    simulator_.start(inputs);
    for (std::size_t i = 0; i < way_.size(); ++i) {
      // The simulator takes by itself what the machine has sent itself.
      if (is_queued(found_, way_[i])) continue;
      if (steps_ != i + 1) played_.confirmed = false;
      follow(way_[i]);
    }
    if (steps_ <= way_.size()) played_.confirmed = false;
    played_.trace.insert(played_.trace.begin(), command(machine_, beginning_, inputs));
    return std::move(played_);
  }

 private:
  void follow(std::uint32_t edge) {
    const auto input = input_of(found_.alphabet[found_.edges[edge].input]);
    if (!input) {
      played_.confirmed = false;
      return;
    }
    played_.trace.push_back(play::to_line(*input));
    simulator_.input(*input, static_cast<int>(played_.trace.size()));
  }

  // The machine has gone along so many edges of the way.
  void compare(std::size_t gone) {
    const Configuration& expected =
        found_.configurations[gone == 0 ? first_ : found_.edges[way_[gone - 1]].to];
    const bool ended = expected.end != Configuration::End::none;
    const chart::Instance& instance = simulator_.machine().instance();
    if (instance.finished() != ended || AtRest(instance, machine_).states() != expected.states) {
      played_.confirmed = false;
    }
    for (const Expected& one : expected_) {
      const std::size_t first = std::min(one.first, way_.size());
      if (gone < first || gone > one.last) continue;
      AtRest scope(instance, system_.main());
      std::optional<chart::Fault> fault;
      const bool holds = evaluator_->test(*instance.impl().root->data, one.code, scope, fault);
      if (holds != one.holds || fault) played_.confirmed = false;
    }
  }

  void note(const play::Macrostep& step) {
    if (!step.refused.empty()) played_.confirmed = false;
    for (const auto& problem : step.problems) {
      played_.restless = played_.restless || problem.event == "error.livelock";
    }
    if (steps_ <= way_.size()) compare(steps_);
    ++steps_;
  }

  // Nothing where the machine has gone another way.
  std::optional<play::Input> input_of(const Input& input) const {
    const chart::Event& event = input.event;
    if (event.kind == EventKind::timer) return advance(event.path);
    if (event.kind != EventKind::outcome) return play::Input{event.name, {}, {}, {}};
    const State& state = machine_.state(input.state);
    const auto running = simulator_.machine().running();
    const bool runs = std::ranges::any_of(running, [&](const auto* effect) {
      return chart::first_name(chart::path_of(*effect)) == state.name;
    });
    if (!runs) return std::nullopt;
    Json data = sample(state, context_.system, event.name, fields_);
    if (event.data.is_object()) data.update(event.data);
    return play::Input{event.name, std::move(data), state.name, {}};
  }

  // Only the timer that comes due first can be waited for.
  std::optional<play::Input> advance(const std::string& path) const {
    const auto& timers = simulator_.machine().timers();
    if (timers.empty() || chart::without_entries(timers[0].path) != chart::without_entries(path) ||
        (timers.size() > 1 && timers[1].due == timers[0].due)) {
      return std::nullopt;
    }
    return play::Input{{}, {}, {}, timers[0].due - simulator_.machine().now()};
  }

  const LintContext& context_;
  const Machine& machine_;
  const Exploration& found_;
  const std::uint32_t first_;
  const std::vector<std::uint32_t> way_;
  const std::vector<Expected> expected_;
  const Beginning& beginning_;
  const model::System system_;
  Diagnostics none_;  // it has compiled before
  const std::unique_ptr<chart::Evaluator> evaluator_;
  std::set<std::string> fields_;  // of events, that the machine's Lua names
  std::size_t steps_ = 0;         // that the machine has made, its beginning among them
  Played played_;
  play::Simulator simulator_;
};

}  // namespace

Played play(const LintContext& context, const Machine& machine, const Exploration& found,
            std::vector<std::uint32_t> way, std::uint32_t at, std::vector<Expected> expected) {
  return Player(context, machine, found, std::move(way), at, std::move(expected)).play();
}

Played play_to(const LintContext& context, const Machine& machine, const Exploration& found,
               std::uint32_t at) {
  return play(context, machine, found, found.way_to(at), at);
}

Played play_along(const LintContext& context, const Machine& machine, const Exploration& found,
                  std::uint32_t edge) {
  auto way = found.way_to(found.edges[edge].from);
  way.push_back(edge);
  return play(context, machine, found, std::move(way), found.edges[edge].to);
}

}  // namespace agneto::lint
