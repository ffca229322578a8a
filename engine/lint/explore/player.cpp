#include "lint/explore/player.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "chart/interpreter.h"
#include "chart/path.h"
#include "lint/explore/at_rest.h"
#include "model/outcomes.h"
#include "play/simulator.h"
#include "script/evaluator.h"

namespace agneto::lint {

namespace {

using Kind = chart::Event::Kind;

// Most events that a machine may send itself before the next.
constexpr int most_queued = 1000;

std::vector<model::StateId> states_of(const chart::Instance& instance) {
  std::vector<model::StateId> states;
  for (const chart::ActiveState& active : instance.configuration()) {
    if (active.atomic) states.push_back(active.state);
  }
  return states;
}

bool is_queued(const Exploration& found, std::uint32_t edge) {
  return found.alphabet[found.edges[edge].input].event.kind == Kind::queued;
}

// Has the machine sent itself something that it has not taken there?
bool is_pending(const Exploration& found, std::uint32_t at) {
  const Configuration& one = found.configurations[at];
  return one.edges > 0 && is_queued(found, one.first_edge);
}

std::string quoted(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/' || c == '=';
  });
  return plain ? text : "'" + text + "'";
}

// What would come with that end of the state's activity: those of its fields that are `wanted`.
// Null where there are none.
Json sample(const model::State& state, const model::System& system, const std::string& outcome,
            const std::set<std::string>& wanted) {
  const auto all = model::outcomes(state, system);
  const auto* known = model::find(all, outcome);
  Json data;
  for (const model::Field& field : known ? known->fields : model::error_fields()) {
    if (wanted.contains(field.name)) data[field.name] = model::example(field.type);
  }
  return data;
}

}  // namespace

// One way, as `agneto simulate` plays it.
class Player::Run {
 public:
  Run(Player& player, const Exploration& found, const Beginning& beginning)
      : player_(player),
        found_(found),
        simulator_(player.system_, *player.evaluator_,
                   {.shallow = true, .run = beginning.run, .max_macrosteps = most_queued},
                   [this](const play::Macrostep& step) { note(step); }) {}

  void start(const Json& inputs) { simulator_.start(inputs); }

  void follow(std::uint32_t edge) {
    if (is_queued(found_, edge)) return;
    const auto input = input_of(found_.alphabet[found_.edges[edge].input]);
    if (!input) {
      played_.confirmed = false;
      return;
    }
    played_.trace.push_back(play::to_line(*input));
    simulator_.input(*input, static_cast<int>(played_.trace.size()));
  }

  // The next edge is `next`, if there is one.
  void compare(std::uint32_t at, std::optional<std::uint32_t> next) {
    if (next ? is_queued(found_, *next) : is_pending(found_, at)) return;
    const Configuration& expected = found_.configurations[at];
    const bool ended = expected.end != Configuration::End::none;
    const chart::Instance& instance = simulator_.instance();
    if (instance.finished() != ended || states_of(instance) != expected.states) {
      played_.confirmed = false;
    }
  }

  Played finish(model::CodeId asked) {
    if (asked != model::none) {
      const chart::Instance& instance = simulator_.instance();
      AtRest scope(instance, player_.system_.main());
      std::optional<chart::Fault> fault;
      played_.holds = player_.evaluator_->test(*instance.impl().root->data, asked, scope, fault);
    }
    return std::move(played_);
  }

 private:
  void note(const play::Macrostep& step) {
    if (!step.refused.empty()) played_.confirmed = false;
    for (const auto& problem : step.problems) {
      played_.restless = played_.restless || problem.event == "error.livelock";
    }
  }

  // Nothing where the machine has gone another way.
  std::optional<play::Input> input_of(const Input& input) const {
    const chart::Event& event = input.event;
    if (event.kind == Kind::timer) return advance(event.path);
    if (event.kind != Kind::outcome) return play::Input{event.name, {}, {}, {}};
    const model::State& state = player_.machine_.state(input.state);
    const auto running = simulator_.running();
    const bool runs = std::any_of(running.begin(), running.end(), [&](const auto* effect) {
      return chart::first_name(chart::path_of(*effect)) == state.name;
    });
    if (!runs) return std::nullopt;
    Json data = sample(state, player_.context_.system, event.name, player_.fields_);
    if (event.data.is_object()) data.update(event.data);
    return play::Input{event.name, std::move(data), state.name, {}};
  }

  // Only the timer that comes due first can be waited for.
  std::optional<play::Input> advance(const std::string& path) const {
    const auto& timers = simulator_.timers();
    if (timers.empty() || chart::without_entries(timers[0].path) != chart::without_entries(path) ||
        (timers.size() > 1 && timers[1].due == timers[0].due)) {
      return std::nullopt;
    }
    return play::Input{{}, {}, {}, timers[0].due - simulator_.now()};
  }

  Player& player_;
  const Exploration& found_;
  Played played_;
  play::Simulator simulator_;
};

Player::Player(const LintContext& context, const model::Machine& machine)
    : context_(context), machine_(machine), system_(context.system) {
  system_.machines.front() = machine;
  system_.machines.front().id = 0;
  Diagnostics none;  // it has compiled before
  evaluator_ = script::make_evaluator(system_, none);
  for (const Piece& piece : context.pieces(machine)) {
    if (!piece.tree) continue;
    lua::walk(*piece.tree, [&](const lua::Node& node) {
      if (node.kind == lua::Node::Kind::index && node.children[1].kind == lua::Node::Kind::string) {
        fields_.insert(node.children[1].text);
      }
    });
  }
}

Player::~Player() = default;

Played Player::to(const Exploration& found, std::uint32_t at, model::CodeId asked) {
  const auto way = found.way_to(at);
  return play(found, way.empty() ? at : found.edges[way.front()].from, way, asked);
}

Played Player::along(const Exploration& found, std::uint32_t edge) {
  const std::uint32_t from = found.edges[edge].from;
  auto way = found.way_to(from);
  const std::uint32_t first = way.empty() ? from : found.edges[way.front()].from;
  way.push_back(edge);
  return play(found, first, way, model::none);
}

Played Player::play(const Exploration& found, std::uint32_t first,
                    const std::vector<std::uint32_t>& way, model::CodeId asked) {
  const auto number = static_cast<std::size_t>(-1 - found.configurations[first].found_by);
  const Beginning& beginning = found.beginnings[number];
  const Json inputs = inputs_of(beginning);
  Run run(*this, found, beginning);
  run.start(inputs);
  const auto next = [&](std::size_t i) {
    return i < way.size() ? std::optional(way[i]) : std::nullopt;
  };
  run.compare(first, next(0));
  for (std::size_t i = 0; i < way.size(); ++i) {
    run.follow(way[i]);
    run.compare(found.edges[way[i]].to, next(i + 1));
  }
  Played played = run.finish(asked);
  played.trace.insert(played.trace.begin(), command(beginning, inputs));
  return played;
}

// Those that must be given and are not known are made up.
Json Player::inputs_of(const Beginning& beginning) const {
  Json given = beginning.inputs;
  for (const model::Variable& input : machine_.inputs) {
    if (given.contains(input.name) || !input.required()) continue;
    given[input.name] = model::example(input.type);
    if (input.minimum && given[input.name].is_number()) given[input.name] = *input.minimum;
  }
  std::vector<std::string> errors;
  return machine_.check_inputs(given, errors);
}

std::string Player::command(const Beginning& beginning, const Json& inputs) const {
  const std::string file = machine_.file.string();
  const bool plain = std::all_of(file.begin(), file.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_./-").find(static_cast<char>(c)) != std::string_view::npos;
  });
  std::string text = "agneto simulate " + (plain ? file : quoted(file));
  const bool delegates = std::any_of(
      machine_.states.begin(), machine_.states.end(),
      [](const model::State& state) { return model::delegate_of(state.activity) != nullptr; });
  if (delegates) text += " --shallow";
  if (!beginning.run.interactive) text += " --non-interactive";
  if (beginning.run.auto_merge) text += " --auto-merge";
  for (const model::Variable& input : machine_.inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end() || value->is_null() || (input.initial && *input.initial == *value)) {
      continue;
    }
    const std::string shown = value->is_string() ? value->get<std::string>() : value->dump();
    text += " --input " + quoted(input.name + "=" + shown);
  }
  return text + " --events -";
}

}  // namespace agneto::lint
