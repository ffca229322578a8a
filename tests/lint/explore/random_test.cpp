// What a run comes to is among what was explored, and what is proved of a machine holds in it.
#include <algorithm>
#include <set>

#include "chart/chart_fixture.h"
#include "chart/path.h"
#include "chart/random_chart.h"
#include "lint/explore/explorations.h"
#include "lint/explore/judging.h"
#include "lint/explore/random_talk.h"
#include "lint/explore/showing.h"
#include "lint/linting.h"
#include "support/property.h"

namespace agneto::lint {
namespace {

using chart::Choices;
using chart::Event;
using Names = std::set<std::string>;

std::string name_of(const std::string& path) {
  return path.substr(0, path.find('#'));
}

// `never: state_in("S3") and ctx.flag` and the like.
struct Claim {
  std::string state;
  std::string data;

  static Claim of(Choices& choices, std::size_t states) {
    static const std::vector<std::string> all = {"ctx.flag", "not ctx.flag", "ctx.n == 2"};
    return {"S" + std::to_string(1 + choices.below(states)), choices.one_of(all)};
  }
  std::string text() const { return "{never: 'state_in(\"" + state + "\") and " + data + "'}"; }
  bool is_broken(chart::Play& play) const {
    const auto& active = play.instance().configuration();
    const bool there = std::ranges::any_of(active, [&](const chart::ActiveState& one) {
      return one.instance.empty() && play.system().main().state(one.state).name == state;
    });
    return there && is_broken_by(play.ctx());
  }
  // Where its state is active.
  bool is_broken_by(const Json& ctx) const {
    if (data == "ctx.n == 2") return ctx.at("n") == 2;
    return ctx.at("flag") == (data == "ctx.flag");
  }
};

// How an activity can end. A worktree for an item, and bringing these together, end in their own
// ways.
Event end_of(Choices& choices, const model::System& system, const std::string& path) {
  static const std::vector<std::string> ends = {"ok", "failed", "error.exit", "error.timeout"};
  static const std::vector<std::string> own = {"ok", "ok", "failed"};
  const auto at = chart::state_at(system, *chart::Path::parse(path));
  const auto& activity = system.machine(at->machine).state(at->state).activity;
  if (!std::holds_alternative<model::ForEach>(activity)) {
    return {Event::Kind::outcome, choices.one_of(ends), {{"message", "x"}}, path};
  }
  const bool opens = path.ends_with(']');
  const Json data = opens ? Json{{"message", "x"}} : Json{{"conflicts", Json::array()}};
  return {Event::Kind::outcome, opens ? choices.one_of(own) : "ok", data, path};
}

// What can happen next to a run, as people and programs make it.
Event next_event(Choices& choices, chart::Play& run) {
  const chart::Instance& instance = run.instance();
  if (instance.pending()) return {Event::Kind::queued, {}, {}, {}};
  const std::vector<std::string> outstanding = instance.outstanding();
  if (outstanding.empty() || choices.below(3) == 0) {
    return {Event::Kind::external, choices.one_of(chart::RandomChart::events()), {}, {}};
  }
  const std::string& path = choices.one_of(outstanding);
  if (chart::is_timer(path)) return {Event::Kind::timer, {}, {}, path};
  return end_of(choices, run.system(), path);
}

// So, or the machine, or one inside that has something outstanding, comes to a limit.
Event next_event_or_limit(Choices& choices, chart::Play& run) {
  static const std::vector<std::string> limits = {"limit.calls", "limit.cost"};
  const chart::Instance& instance = run.instance();
  if (instance.pending() || choices.below(6) > 0) return next_event(choices, run);
  std::vector<std::string> machines = {"."};
  for (const std::string& path : instance.outstanding()) {
    if (const auto end = path.rfind('/'); end != path.npos && !chart::is_timer(path)) {
      machines.push_back(path.substr(0, end));
    }
  }
  return {
      Event::Kind::external, choices.one_of(limits), {{"message", "x"}}, choices.one_of(machines)};
}

bool is_active(chart::Play& play, const Names& states) {
  return std::ranges::any_of(play.instance().configuration(), [&](const chart::ActiveState& one) {
    return states.contains(play.system().main().state(one.state).name);
  });
}

// `{after: state_in("S3"), eventually: state_in("S1") or state_in("S5")}` and the like.
struct Consequence {
  std::string after;
  Names eventually;

  static Consequence of(Choices& choices, std::size_t states) {
    const auto state = [&] { return "S" + std::to_string(1 + choices.below(states)); };
    return {state(), {state(), state(), state()}};
  }
  std::string text() const {
    std::string any;
    for (const std::string& state : eventually) {
      any += (any.empty() ? "" : " or ") + ("state_in(\"" + state + "\")");
    }
    return "{after: 'state_in(\"" + after + "\")', eventually: '" + any + "'}";
  }
  // Was `after` true in what is shown, and nothing of `eventually` since?
  bool is_open_after(const Shown& shown, const model::Machine& machine) const {
    bool open = false;
    for (const play::Macrostep& step : shown.steps) {
      open = (open || Shown::is_active(step, machine, {after})) &&
             !Shown::is_active(step, machine, eventually);
    }
    return open;
  }
};

// A run in which anything happens at first, and then what must happen some time: it is open in the
// end where `after` was true, and nothing of `eventually` since.
bool is_open_in_the_end(const std::string& text, const Consequence& consequence, Choices& choices) {
  chart::Play play(text);
  bool open = false;
  std::uint64_t random = choices.below(1 << 20);
  const auto below = [&](std::size_t bound) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    return (random >> 33) % bound;
  };
  int since = 0;  // `after` was true, and since then
  for (int i = 0;; ++i) {
    if (is_active(play, {consequence.after})) open = true;
    if (is_active(play, consequence.eventually)) open = false, since = 0;
    since += open;
    const chart::Instance& instance = play.instance();
    if (instance.finished() || i > 4000 || since > 3000) return open;
    if (i < 30) {
      play.step(next_event(choices, play));
      continue;
    }
    if (!open && below(50) == 0) return false;
    const std::vector<std::string> outstanding = instance.outstanding();
    if (instance.pending()) {
      play.step({Event::Kind::queued, {}, {}, {}});
    } else if (outstanding.empty()) {
      return open;
    } else {
      const std::string& path = outstanding[below(outstanding.size())];
      const bool timer = chart::is_timer(path);
      play.step(timer ? Event{Event::Kind::timer, {}, {}, path}
                      : Event{Event::Kind::outcome, "ok", {}, path});
    }
  }
}

Names leaves_of(chart::Play& play) {
  Names names;
  for (const std::string& path : play.instance().active()) names.insert(name_of(path));
  return names;
}

struct Met {
  int complete = 0, events = 0, proved = 0, broken = 0, shown = 0, inside = 0;
};

Names names_of(const model::Machine& machine, const std::vector<StateId>& states) {
  Names names;
  for (const StateId state : states) names.insert(machine.state(state).name);
  return names;
}

// What refutes a claim does so when it is played.
void show_broken(const LintContext& context, const std::vector<Claim>& claims, Met& met) {
  const model::Machine& machine = context.system.main();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const auto judgement = judge(context, machine, i);
    if (!judgement || !judgement->refuted) continue;
    const Shown shown = show(context.system, judgement->trace);
    RC_ASSERT(shown.refused.empty());
    // What the machine has sent itself may lead on at once.
    RC_ASSERT(std::ranges::any_of(shown.steps, [&](const play::Macrostep& step) {
      return step.input == shown.steps.back().input &&
             Shown::is_active(step, machine, {claims[i].state}) &&
             claims[i].is_broken_by(step.context);
    }));
    ++met.shown;
  }
}

// Plays the main one of these machines, and compares it with what was explored of it.
void compare(const chart::Texts& texts, const std::vector<Claim>& claims, Choices& choices,
             Met& met, bool faults = false) {
  MemoryFiles files;
  for (const auto& [name, text] : texts) files.add("/team/" + name, text);
  const Findings findings = lint("/team/main.yaml", files, "/lib", {.explore = false});
  if (findings.diagnostics.has_errors()) return;
  const LintContext context(*findings.system, files, "/lib", std::stop_token(), 300);
  const model::Machine& machine = findings.system->main();
  Explorations explorations(context, Numbers::defaults, 300, faults);
  const Exploration& found = explorations.of(machine);
  if (!found.complete()) return;
  ++met.complete;
  std::set<Names> explored;
  for (const Configuration& one : found.configurations) {
    explored.insert(names_of(machine, one.states));
  }
  std::vector<bool> proved;
  for (const std::vector<Truth>& truth : found.invariants) {
    proved.push_back(std::ranges::all_of(truth, [](const Truth one) { return one == Truth::no; }));
    met.proved += proved.back();
  }
  if (!faults) show_broken(context, claims, met);
  chart::Play play(texts);
  for (int i = 0; i < 40 && !play.instance().finished(); ++i, ++met.events) {
    RC_ASSERT(explored.contains(leaves_of(play)));
    for (const auto& taken : play.out().transitions) {
      met.inside += !taken.instance.empty();
      if (!taken.instance.empty()) continue;  // RC_ASSERT would look at both sides of an ||
      RC_ASSERT(found.taken[taken.transition]);
    }
    for (std::size_t c = 0; c < claims.size(); ++c) {
      const bool broken = claims[c].is_broken(play);
      met.broken += broken;
      RC_ASSERT(!(broken && proved[c]));
    }
    play.step(next_event_or_limit(choices, play));
  }
}

// Four claims about a machine, which has them as its invariants.
std::vector<Claim> add_claims(Choices& choices, std::size_t states, std::string& text) {
  std::vector<Claim> claims;
  text += "invariants:\n";
  for (int i = 0; i < 4; ++i) {
    claims.push_back(Claim::of(choices, states));
    text += "  - " + claims.back().text() + "\n";
  }
  return claims;
}

// What is proved of a machine on fair paths is so on random ones, and what is disproved is shown.
TEST(RandomMachines, ProvesWhatFollowsOnFairPaths) {
  int proved = 0;
  int refuted = 0;
  int open = 0;
  check_property(150, [&] {
    const chart::ChartText chart = *chart::charts({.states = 8, .simple = true, .data = true});
    Choices choices(*Choices::tapes(400));
    std::vector<Consequence> consequences;
    std::string text = chart.text + "invariants:\n";
    for (int i = 0; i < 4; ++i) {
      consequences.push_back(Consequence::of(choices, 8));
      text += "  - " + consequences.back().text() + "\n";
    }
    RC_LOG() << text;
    const Judged judged(text, 300);
    if (judged.has_errors()) return;
    for (std::size_t i = 0; i < consequences.size(); ++i) {
      const auto judgement = judged.of(i);
      const bool is_open = is_open_in_the_end(text, consequences[i], choices);
      RC_LOG() << consequences[i].text() << (judgement ? judgement->message : ": proved") << "\n";
      proved += !judgement;
      refuted += judgement && judgement->refuted;
      open += is_open;
      RC_ASSERT(judgement || !is_open);
      if (judgement && judgement->refuted) {
        const Shown shown = show(judged.system(), judgement->trace);
        RC_ASSERT(shown.refused.empty());
        RC_ASSERT(consequences[i].is_open_after(shown, judged.system().main()));
      }
    }
  });
  EXPECT_GT(proved, 20);
  EXPECT_GT(refuted, 20);
  EXPECT_GT(open, 20);
}

TEST(RandomMachines, HasEverythingThatARunComesTo) {
  Met met;
  check_property(100, [&] {
    chart::ChartText chart = *chart::charts({.states = 8, .simple = true, .data = true});
    Choices choices(*Choices::tapes(200));
    const std::vector<Claim> claims = add_claims(choices, 8, chart.text);
    RC_LOG() << chart.text;
    compare({{"main.yaml", chart.text}}, claims, choices, met);
  });
  EXPECT_GT(met.complete, 20);
  EXPECT_GT(met.events, 200);
  EXPECT_GT(met.proved, 20);
  EXPECT_GT(met.broken, 20);
  EXPECT_GT(met.shown, 20);
}

// Errors in guards, and in the middle of a block.
TEST(RandomMachines, HasEverythingThatErrorsComeTo) {
  Met met;
  check_property(200, [&] {
    chart::ChartText chart =
        *chart::charts({.states = 6, .simple = true, .data = true, .fails = true});
    Choices choices(*Choices::tapes(200));
    const std::vector<Claim> claims = add_claims(choices, 6, chart.text);
    RC_LOG() << chart.text;
    compare({{"main.yaml", chart.text}}, claims, choices, met, true);
  });
  EXPECT_GT(met.complete, 20);
  EXPECT_GT(met.events, 200);
  EXPECT_GT(met.proved, 20);
  EXPECT_GT(met.broken, 20);
}

// Machines that others delegate to, for each item or alone, with errors in them and limits on all.
TEST(RandomMachines, HasEverythingThatMachinesInsideComeTo) {
  const std::vector<std::string> ends = {"ok",    "failed",      "done",
                                         "limit", "limit.calls", "error.unhandled"};
  std::vector<std::string> outcomes = ends;
  for (int i = 1; i < 8; ++i) outcomes.push_back("S" + std::to_string(i));
  Met met;
  check_property(200, [&] {
    chart::ChartText chart = *chart::charts({.states = 8,
                                             .child = "child.yaml",
                                             .simple = true,
                                             .data = true,
                                             .fails = true,
                                             .outcomes = outcomes});
    const chart::ChartText child = *chart::charts(
        {.states = 5, .simple = true, .data = true, .fails = true, .outcomes = ends});
    Choices choices(*Choices::tapes(200));
    const std::vector<Claim> claims = add_claims(choices, 8, chart.text);
    RC_LOG() << chart.text << "\n" << child.text;
    compare({{"main.yaml", chart.text}, {"child.yaml", child.text}}, claims, choices, met, true);
  });
  EXPECT_GT(met.complete, 20);
  EXPECT_GT(met.events, 200);
  EXPECT_GT(met.proved, 20);
  EXPECT_GT(met.broken, 20);
  EXPECT_GT(met.inside, 200);
}

// Machines that send each other events while they run.
TEST(RandomMachines, HasEverythingThatMachinesSayToEachOther) {
  std::vector<std::string> outcomes = {"ok", "done", "failed", "error.unhandled"};
  for (int i = 1; i < 8; ++i) outcomes.push_back("S" + std::to_string(i));
  Met met;
  check_property(150, [&] {
    const chart::ChartText chart = *chart::charts({.states = 8,
                                                   .child = "child.yaml",
                                                   .simple = true,
                                                   .data = true,
                                                   .talks = true,
                                                   .outcomes = outcomes});
    const chart::ChartText child =
        *chart::charts({.states = 5, .simple = true, .data = true, .talks = true});
    Choices choices(*Choices::tapes(200));
    RC_LOG() << chart.text << "\n" << child.text;
    compare({{"main.yaml", chart.text}, {"child.yaml", child.text}}, {}, choices, met, true);
  });
  EXPECT_GT(met.complete, 20);
  EXPECT_GT(met.events, 200);
  EXPECT_GT(met.inside, 200);
}

// They say much, so that some of it comes before what a machine has sent itself and not heard yet.
TEST(RandomMachines, HasEverythingThatIsSaidInBetween) {
  Met met;
  check_property(300, [&] {
    RandomTalk talk(Choices(*Choices::tapes(200)));
    const std::string main = talk.main();
    const std::string child = talk.child();
    Choices choices(*Choices::tapes(200));
    RC_LOG() << main << "\n" << child;
    compare({{"main.yaml", main}, {"child.yaml", child}}, {}, choices, met);
  });
  EXPECT_GT(met.complete, 100);
  EXPECT_GT(met.events, 2000);
  EXPECT_GT(met.inside, 1000);
}

}  // namespace
}  // namespace agneto::lint
