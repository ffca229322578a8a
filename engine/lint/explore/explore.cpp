#include "lint/explore/explore.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/varint.h"
#include "chart/interpreter.h"
#include "chart/path.h"
#include "lint/explore/abstract_evaluator.h"
#include "lint/explore/alphabet.h"
#include "lint/explore/at_rest.h"
#include "lint/expressions.h"

namespace agneto::lint {

namespace {

using Extent = Exploration::Extent;

constexpr int most_ways = 64;  // of one step

KnownInputs known_inputs(const std::vector<Beginning>& beginnings) {
  KnownInputs known;
  for (const Beginning& beginning : beginnings) {
    for (const auto& [name, value] : beginning.inputs.items()) {
      std::int64_t& greatest = known[name];
      if (value.is_number_integer()) greatest = std::max(greatest, value.get<std::int64_t>());
    }
  }
  return known;
}

void add_parts(const Node& node, std::vector<Part>& parts) {
  if (node.is(Node::Kind::binary, "and")) {
    for (const Node& child : node.children) add_parts(child, parts);
  } else {
    parts.push_back({&node});
  }
}

// A bound may be one that is kept everywhere.
bool is_of_machine(const Part& part) {
  return !any_node(*part.node, [](const Node& node) {
    return is_one_of(node.text, {"<", ">", "<=", ">="}) || lua::field_of(node, "inputs") ||
           lua::field_of(node, "run");
  });
}

std::vector<Part> parts_of(const LintContext& context, const Machine& machine,
                           const model::Invariant& invariant) {
  std::vector<Part> parts;
  const Piece& piece = context.piece(machine, invariant.code);
  if (invariant.kind != model::Invariant::Kind::never || !piece.tree) return parts;
  add_parts(expression(piece), parts);
  if (parts.size() == 1) return {};
  std::erase_if(parts, [](const Part& part) { return !is_of_machine(part); });
  return parts;
}

// How the activities that run were started, where that makes a difference.
using Hows = std::vector<std::pair<StateId, std::uint32_t>>;

std::string to_bytes(const Hows& started) {
  std::string bytes;
  for (const auto& [state, how] : started) {
    put_varint(bytes, state);
    put_varint(bytes, how);
  }
  put_varint(bytes, 0);
  return bytes;
}

Hows take_hows(std::string_view& bytes) {
  Hows started;
  while (const auto state = take_varint(bytes)) {
    started.emplace_back(static_cast<StateId>(state),
                         static_cast<std::uint32_t>(take_varint(bytes)));
  }
  return started;
}

// More than 25 names: each thing that an exploration notes has a function, and all step one
// machine.
class Explorer {
 public:
  Explorer(const LintContext& context, const Machine& machine, std::vector<Beginning> beginnings,
           Explorations& others, std::size_t& budget, const std::set<std::string>* only,
           bool faults)
      : machine_(machine),
        stop_(context.stop),
        budget_(budget),
        system_(alone(context.system, machine)),
        following_{AbstractNames(context, machine, known_inputs(beginnings), only)},
        evaluator_(context, machine, following_),
        chart_(system_, evaluator_, {.shallow = true}),
        alphabet_(context, machine, others, result_.alphabet),
        faults_(machine) {
    if (faults) following_.faults = &faults_;
    result_.extent = Extent::complete;
    result_.beginnings = std::move(beginnings);
    result_.names = following_.names.size();
    result_.entered.resize(machine.states.size());
    result_.taken.resize(machine.transitions.size());
    result_.started.emplace_back();
    result_.timed.emplace_back();
    result_.summarised.assign(machine.states.size(), true);
    result_.entered[0] = true;
    has_history_ = std::ranges::any_of(machine.states, chart::is_history);
    result_.invariants.resize(machine.invariants.size());
    result_.afters.resize(machine.invariants.size());
    for (const model::Invariant& invariant : machine.invariants) {
      result_.parts.push_back(parts_of(context, machine, invariant));
    }
  }

  Exploration run() {
    for (std::size_t i = 0; i < result_.beginnings.size() && goes_on(); ++i) begin(i);
    for (std::uint32_t i = 0; i < result_.configurations.size() && goes_on(); ++i) {
      result_.configurations[i].first_edge = static_cast<std::uint32_t>(result_.edges.size());
      go_on(i);
      result_.configurations[i].edges =
          static_cast<std::uint32_t>(result_.edges.size()) - result_.configurations[i].first_edge;
    }
    result_.comparisons = std::move(following_.comparisons);
    return std::move(result_);
  }

 private:
  bool goes_on() {
    if (following_.lost) result_.extent = Extent::lost;
    if (stop_.stop_requested()) result_.extent = Extent::over_budget;
    return result_.complete();
  }

  void begin(std::size_t number) {
    const Beginning& beginning = result_.beginnings[number];
    each_way([&] {
      chart::Instance instance(chart_, beginning.run);
      chart::start(instance, beginning.inputs, out_);
      Configuration found;
      found.found_by = -1 - static_cast<std::int64_t>(number);
      found.at_once = true;
      found.certain = !following_.choices.was_asked();
      if (const auto at = note(instance, {}, std::move(found))) note_lost(*at, -1);
    });
  }

  void go_on(std::uint32_t at) {
    if (result_.configurations[at].end != Configuration::End::none) return;
    std::string_view bytes = *bytes_[at];
    const Hows started = take_hows(bytes);
    const chart::Instance instance = chart::unpack(chart_, bytes, evaluator_);
    if (instance.pending()) {
      step(at, alphabet_.queued());
      overtake(at, started, instance);
      return;
    }
    bool waits = false;
    for (const std::string& path : instance.outstanding()) {
      waits = true;
      const StateId state = state_of(path);
      if (chart::is_timer(path)) {
        step(at, alphabet_.timer(path, state));
        continue;
      }
      for (const auto end : alphabet_.ends(state, how_of(started, state))) step(at, end);
    }
    for (const auto event : outside(instance, &Alphabet::outside)) {
      const Input& input = result_.alphabet[event];
      waits = waits || (input.waited_for && !model::is_engines(input.event.name));
      step(at, event);
    }
    result_.configurations[at].stuck = !waits;
  }

  // That other machines have ended, and what they have sent, before the machine sent itself what
  // waits, comes before it.
  void overtake(std::uint32_t at, const Hows& started, const chart::Instance& instance) {
    for (const auto event : outside(instance, &Alphabet::overtaking)) step(at, event);
    for (const std::string& path : instance.outstanding()) {
      const StateId state = state_of(path);
      if (chart::is_timer(path) || !model::delegate_of(machine_.state(state).activity)) continue;
      for (const auto end : alphabet_.overtaking_ends(state, how_of(started, state))) step(at, end);
    }
  }

  static std::uint32_t how_of(const Hows& started, StateId state) {
    for (const auto& [one, how] : started) {
      if (one == state) return how;
    }
    return 0;
  }

  // Each once, in the order of the states that take them.
  std::vector<Alphabet::Id> outside(const chart::Instance& instance,
                                    const std::vector<Alphabet::Id>& (Alphabet::*of)(StateId)
                                        const) const {
    std::vector<Alphabet::Id> all = (alphabet_.*of)(0);
    std::unordered_set<Alphabet::Id> met(all.begin(), all.end());
    for (const chart::ActiveState& active : instance.configuration()) {
      for (const auto event : (alphabet_.*of)(active.state)) {
        if (met.insert(event).second) all.push_back(event);
      }
    }
    return all;
  }

  void step(std::uint32_t at, Alphabet::Id input) {
    each_way([&] {
      std::string_view bytes = *bytes_[at];
      const Hows started = take_hows(bytes);
      chart::Instance instance = chart::unpack(chart_, bytes, evaluator_);
      chart::step(instance, result_.alphabet[input].event, out_);
      const Input& came = result_.alphabet[input];
      const Configuration& from = result_.configurations[at];
      const bool guessed =
          following_.choices.was_asked() || (came.machine_end && !came.machine_end->certain);
      Configuration found;
      found.found_by = static_cast<std::int64_t>(result_.edges.size());
      found.at_once = from.at_once && came.by_itself();
      found.certain = from.certain && !guessed;
      found.usual = from.usual && came.usual;
      found.distance = from.distance + 1;
      const auto to = note(instance, started, std::move(found));
      if (!to) return;
      const auto edge = static_cast<std::uint32_t>(result_.edges.size());
      result_.edges.push_back({at, *to, input, calls_, machines_, timed(), guessed, restless_});
      note_lost(*to, edge);
      note_cancelled(came, edge);
    });
  }

  template <typename Way>
  void each_way(Way way) {
    following_.choices.reset();
    int ways = 0;
    do {
      following_.raised.clear();
      way();
      if (++ways > most_ways) result_.extent = Extent::over_budget;
    } while (following_.choices.next() && goes_on());
  }

  // Which configuration this is; nothing where there is no room for it.
  std::optional<std::uint32_t> note(const chart::Instance& instance, Hows started,
                                    Configuration found) {
    note_moves(found.found_by < 0);
    const chart::Finish* finish = look_at_effects(instance, started);
    if (found.found_by < 0) {
      found.calls = calls_;
      found.machines = machines_;
      found.restless = restless_;
    }
    if (finish) {
      const bool failed = finish->outcome.starts_with("error.");
      found.end = failed ? Configuration::End::failure : Configuration::End::final;
      found.complete = finish->status == model::FinalStatus::complete;
    }
    found.interactive = instance.run().interactive;
    if (found.end == Configuration::End::final) {
      found.machine_end = note_machine_end(*finish, found);
    }
    const auto [known, is_new] = index_.try_emplace(
        key(instance, started), static_cast<std::uint32_t>(result_.configurations.size()));
    if (!is_new) {
      Configuration& same = result_.configurations[known->second];
      if (same.machine_end != found.machine_end) same.machine_end = Configuration::several_ends;
      prefer(same, found);
      return known->second;
    }
    if (budget_ == 0) {
      index_.erase(known);
      result_.extent = Extent::over_budget;
      return std::nullopt;
    }
    --budget_;
    bytes_.push_back(&known->first);
    AtRest scope(instance, machine_);
    found.states = scope.states();
    chart::Data& data = *instance.impl().root->data;
    const auto truth = [&](CodeId code) {
      const auto holds = evaluator_.holds(data, code, scope);
      return !holds ? Truth::unknown : *holds ? Truth::yes : Truth::no;
    };
    for (std::size_t i = 0; i < machine_.invariants.size(); ++i) {
      const model::Invariant& invariant = machine_.invariants[i];
      result_.invariants[i].push_back(truth(invariant.code));
      if (invariant.after != none) result_.afters[i].push_back(truth(invariant.after));
      for (Part& part : result_.parts[i]) {
        part.can_be_true = part.can_be_true || evaluator_.holds(data, *part.node, scope) != false;
      }
    }
    if (!finish) note_unoffered(instance, found.states, known->second);
    result_.configurations.push_back(std::move(found));
    return known->second;
  }

  void note_unoffered(const chart::Instance& instance, const std::vector<StateId>& active,
                      std::uint32_t at) {
    for (const chart::Effects::Moved& moved : out_.moved) {
      const auto* ask = std::get_if<model::Ask>(&machine_.state(moved.state).activity);
      const bool asks = ask && moved.entered && std::ranges::count(active, moved.state) > 0;
      if (!asks || ask->options.empty()) continue;
      AtRest scope(instance, machine_);
      chart::Data& data = *instance.impl().root->data;
      const auto is_refused = [&](const model::Option& option) {
        return option.when != none && evaluator_.holds(data, option.when, scope) == false;
      };
      // A default is for where nobody can be asked, if anything depends on that.
      const bool is_for_people = instance.run().interactive &&
                                 std::ranges::any_of(result_.beginnings, [](const Beginning& one) {
                                   return !one.run.interactive;
                                 });
      const bool all = std::ranges::all_of(ask->options, is_refused);
      const auto usual = std::ranges::find(ask->options, ask->default_option, &model::Option::name);
      const bool no_default = !is_for_people && usual != ask->options.end() && is_refused(*usual);
      const auto is_known = [&](const Unoffered& one) {
        return one.state == moved.state && one.all == all;
      };
      if ((all || no_default) && std::ranges::none_of(result_.unoffered, is_known)) {
        result_.unoffered.push_back({moved.state, all, at});
      }
    }
  }

  // What a transition enters is always the same, but for history.
  void note_moves(bool is_new) {
    for (const chart::Effects::Taken& taken : out_.transitions) {
      is_new = is_new || !result_.taken[taken.transition];
      result_.taken[taken.transition] = true;
    }
    if (!is_new && !has_history_) return;
    for (const chart::Effects::Moved& moved : out_.moved) {
      if (moved.entered) result_.entered[moved.state] = true;
    }
  }

  void note_lost(std::uint32_t at, std::int64_t edge) {
    const Configuration& here = result_.configurations[at];
    const auto* came = edge < 0 ? nullptr : &result_.edges[static_cast<std::size_t>(edge)];
    const bool usual =
        !came || (result_.configurations[came->from].usual && result_.alphabet[came->input].usual);
    if (!usual || here.end != Configuration::End::none) return;
    for (const auto& raised : following_.raised) {
      const auto& taken = out_.transitions;
      const bool seen =
          std::ranges::any_of(taken, [&](const auto& t) { return t.event == raised.event; }) ||
          std::ranges::any_of(result_.lost,
                              [&](const Lost& one) { return one.call == raised.call; });
      if (!seen) result_.lost.push_back({raised.event, raised.call, at, edge});
    }
  }

  // A transition of a state around both is meant to, and so is one that gives up.
  void note_cancelled(const Input& came, std::uint32_t edge) {
    const std::string& event = came.event.name;
    const bool gives_up = event == "failed" || event == "conflict" || event.starts_with("error");
    if (came.event.kind != chart::Event::Kind::outcome || gives_up) return;
    const auto* finish =
        out_.effects.empty() ? nullptr : std::get_if<chart::Finish>(&out_.effects.back());
    if (!finish || finish->status != model::FinalStatus::complete) return;
    for (const chart::Effect& effect : out_.effects) {
      const auto* cancel = std::get_if<chart::Cancel>(&effect);
      if (!cancel || chart::is_timer(cancel->path)) continue;
      const StateId state = state_of(cancel->path);
      const auto around = [&](const chart::Effects::Taken& taken) {
        const StateId source = machine_.transitions[taken.transition].source;
        return source == state || machine_.is_descendant(state, source);
      };
      const auto& all = result_.cancelled;
      const bool seen =
          std::ranges::any_of(all, [&](const Cancelled& one) { return one.state == state; });
      if (seen || std::ranges::any_of(out_.transitions, around)) continue;
      result_.cancelled.push_back({state, edge});
    }
  }

  // At the end its data make no difference, but to invariants. (No other key ends so.)
  std::string key(const chart::Instance& instance, const Hows& started) const {
    const auto& root = *instance.impl().root;
    if (!instance.finished()) {
      evaluator_.forget(*root.data, root.active);
    } else if (machine_.invariants.empty()) {
      std::string bytes;
      for (const chart::ActiveState& active : instance.configuration()) {
        put_varint(bytes, active.state);
      }
      return bytes + "\xff";
    }
    return to_bytes(started) + chart::pack(instance, evaluator_);
  }

  // A way on which nothing is doubtful, though there be a shorter one.
  static void prefer(Configuration& known, const Configuration& found) {
    if ((known.certain && known.usual) || !found.certain || !found.usual) return;
    known.certain = known.usual = true;
    known.found_by = found.found_by;
  }

  // Which states with timers the step entered.
  std::uint16_t timed() {
    std::vector<StateId> states;
    for (const chart::Effects::Moved& moved : out_.moved) {
      const bool counts = moved.entered && !machine_.state(moved.state).after.empty();
      if (counts) states.push_back(moved.state);
    }
    const auto same = std::ranges::find(result_.timed, states);
    const auto number = static_cast<std::uint16_t>(same - result_.timed.begin());
    if (same == result_.timed.end()) result_.timed.push_back(std::move(states));
    return number;
  }

  // What was started, and how the machine ended, if it did.
  const chart::Finish* look_at_effects(const chart::Instance& instance, Hows& started) {
    calls_ = 0;
    std::vector<Started> machines;
    restless_ = std::ranges::any_of(
        out_.problems, [](const auto& problem) { return problem.event == "error.livelock"; });
    const chart::Finish* finish = nullptr;
    for (const chart::Effect& effect : out_.effects) {
      calls_ += std::holds_alternative<chart::CallAgent>(effect);
      if (const auto* end = std::get_if<chart::Finish>(&effect)) finish = end;
      const bool tells = std::holds_alternative<chart::RunMachine>(effect) ||
                         std::holds_alternative<chart::AskHuman>(effect);
      if (!tells) continue;
      const std::string& path = chart::path_of(effect);
      const StateId state = state_of(path);
      const std::uint32_t how = alphabet_.started(effect, instance.run());
      if (const auto* start = std::get_if<chart::RunMachine>(&effect)) {
        machines.push_back({start->machine, alphabet_.machine(how)});
        if (how == 0) result_.summarised[state] = false;
      }
      std::erase_if(started, [&](const auto& one) { return one.first == state; });
      if (how > 0) started.emplace_back(state, how);
    }
    const auto same = std::ranges::find(result_.started, machines);
    machines_ = static_cast<std::uint16_t>(same - result_.started.begin());
    if (same == result_.started.end()) result_.started.push_back(std::move(machines));
    const std::vector<std::string> running =
        finish || started.empty() ? std::vector<std::string>() : instance.outstanding();
    std::erase_if(started, [&](const auto& one) { return !is_running(running, one.first); });
    std::ranges::sort(started);
    return finish;
  }

  StateId state_of(const std::string& path) const {
    return machine_.find(std::string(chart::first_name(path)));
  }

  bool is_running(const std::vector<std::string>& paths, StateId state) const {
    return std::ranges::any_of(paths, [&](const std::string& path) {
      return state_of(path) == state && !chart::is_timer(path);
    });
  }

  std::uint32_t note_machine_end(const chart::Finish& finish, const Configuration& at) {
    Json outputs;
    for (const auto& [name, value] : finish.outputs.items()) {
      if (!value.is_null()) outputs[name] = value;
    }
    const auto [known, is_new] =
        ends_.try_emplace(finish.outcome + " " + outputs.dump(), result_.machine_ends.size());
    if (is_new) {
      result_.machine_ends.push_back({finish.outcome, std::move(outputs), at.at_once, at.certain});
    }
    MachineEnd& machine_end = result_.machine_ends[known->second];
    machine_end.at_once = machine_end.at_once || at.at_once;
    machine_end.certain = machine_end.certain || at.certain;
    return static_cast<std::uint32_t>(known->second);
  }

  const Machine& machine_;
  const std::stop_token stop_;
  std::size_t& budget_;
  const model::System system_;
  Following following_;
  AbstractEvaluator evaluator_;
  chart::Chart chart_;
  Exploration result_;
  Alphabet alphabet_;
  const Faults faults_;
  chart::Effects out_;
  std::unordered_map<std::string, std::uint32_t> index_;
  std::vector<const std::string*> bytes_;              // by configuration
  std::unordered_map<std::string, std::size_t> ends_;  // which of the machine's ends it is
  bool has_history_ = false;
  // The last step's.
  std::uint16_t calls_ = 0;
  std::uint16_t machines_ = 0;
  bool restless_ = false;
};

}  // namespace

std::string_view reason(Exploration::Extent extent) {
  switch (extent) {
    case Exploration::Extent::complete:
      return "these are all";
    case Exploration::Extent::over_budget:
      return "there are more";
    case Exploration::Extent::too_large:
      return "it has too many states";
    case Exploration::Extent::lost:
      return "an action does what cannot be followed";
  }
  return {};
}

model::System alone(const model::System& system, const Machine& machine) {
  model::System result = system;
  result.machines.front() = machine;
  result.machines.front().id = 0;
  return result;
}

std::vector<std::uint32_t> Exploration::way_to(std::uint32_t configuration) const {
  std::vector<std::uint32_t> way;
  for (std::int64_t edge = configurations[configuration].found_by; edge >= 0;
       edge = configurations[edges[static_cast<std::size_t>(edge)].from].found_by) {
    way.push_back(static_cast<std::uint32_t>(edge));
  }
  std::ranges::reverse(way);
  return way;
}

Exploration explore(const LintContext& context, const Machine& machine,
                    std::vector<Beginning> beginnings, Explorations& others, std::size_t& budget,
                    const std::set<std::string>* only, bool faults) {
  return Explorer(context, machine, std::move(beginnings), others, budget, only, faults).run();
}

}  // namespace agneto::lint
