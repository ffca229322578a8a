// Properties over random charts and random events.
#include <set>

#include "appendix_d.h"
#include "chart_fixture.h"
#include "random_chart.h"

namespace agneto::chart {
namespace {

std::string without_number(const std::string& path) {
  return path.substr(0, path.find('#'));
}

// "-A +B t3", as AppendixD::trace has it but for the place of the transitions.
struct Trace {
  std::vector<std::string> moved, transitions;

  explicit Trace(const Effects& out) {
    for (const auto& m : out.moved) {
      moved.push_back((m.entered ? "+" : "-") + without_number(m.path));
    }
    for (const auto& t : out.transitions) transitions.push_back("t" + std::to_string(t.transition));
  }
  explicit Trace(const std::string& text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at + 1), text.size());
      const std::string word = text.substr(at + 1, end - at - 1);
      (word[0] == 't' ? transitions : moved).push_back(word);
      at = end;
    }
  }
  friend bool operator==(const Trace&, const Trace&) = default;
};

std::vector<std::string> active_names(const Instance& instance) {
  std::vector<std::string> names;
  for (const std::string& path : instance.active()) names.push_back(without_number(path));
  return names;
}

TEST(RandomCharts, DoWhatAppendixDSays) {
  int events = 0, livelocks = 0, finished = 0, moves = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const std::string text = RandomChart(seed, {}).text();
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    Play play(text);
    AppendixD reference(play.system().main());
    reference.start();
    std::mt19937 random(seed);
    for (int i = 0; i < 40; ++i, ++events) {
      if (reference.livelock) {
        ++livelocks;
        EXPECT_THAT(play.problems(), testing::StartsWith("error.livelock at /: "));
        break;
      }
      ASSERT_EQ(Trace(play.out()).moved, Trace(reference.trace).moved);
      ASSERT_EQ(Trace(play.out()).transitions, Trace(reference.trace).transitions);
      ASSERT_EQ(active_names(play.instance()), reference.active());
      ASSERT_EQ(play.instance().finished(), !reference.running);
      moves += static_cast<int>(play.out().moved.size());
      if (!reference.running) {
        ++finished;
        break;
      }
      const std::string event = "e" + std::to_string(random() % 5);
      play.send(event);
      reference.event(event);
    }
  }
  // That the charts are worth playing.
  EXPECT_GT(events, 6000);
  EXPECT_GT(moves, 10000);
  EXPECT_GT(finished, 50);
  EXPECT_GT(livelocks, 10);
}

// Is what is active a configuration of the machine?
void expect_legal(const model::System& system, const model::Machine& machine, const Json& saved) {
  std::set<std::string> active;
  for (const Json& name : saved.at("active")) active.insert(name.get<std::string>());
  for (const model::State& state : machine.states) {
    if (state.id != 0 && !active.contains(state.name)) continue;
    std::size_t children = 0, regions = 0;
    for (model::StateId child : state.children) {
      const model::State& c = machine.state(child);
      children += active.contains(c.name);
      regions +=
          c.kind != model::StateKind::shallow_history && c.kind != model::StateKind::deep_history;
    }
    EXPECT_TRUE(state.id == 0 || state.parent == 0 ||
                active.contains(machine.state(state.parent).name));
    EXPECT_NE(state.kind, model::StateKind::shallow_history);
    EXPECT_NE(state.kind, model::StateKind::deep_history);
    const std::size_t wanted = state.kind == model::StateKind::parallel   ? regions
                               : state.kind == model::StateKind::compound ? 1
                                                                          : 0;
    EXPECT_EQ(children, wanted) << state.name;
    if (saved.at("children").contains(state.name)) {
      const auto& activity = std::get<model::Delegate>(state.activity);
      expect_legal(system, system.machine(activity.machine), saved.at("children").at(state.name));
    }
  }
}

// What the effects and moves of all steps say, against what the instance says.
struct Ledger {
  std::set<std::string> ordered, entered;

  void book(const Effects& out) {
    for (const Effect& effect : out.effects) {
      if (std::holds_alternative<Finish>(effect) || std::holds_alternative<Suspend>(effect))
        continue;
      if (std::holds_alternative<Cancel>(effect)) {
        EXPECT_EQ(ordered.erase(path_of(effect)), 1u)
            << "cancelled but not ordered: " << path_of(effect);
      } else {
        EXPECT_TRUE(ordered.insert(path_of(effect)).second) << "ordered twice: " << path_of(effect);
      }
    }
    for (const auto& m : out.moved) {
      if (m.entered) {
        EXPECT_TRUE(entered.insert(m.path).second) << "entered twice: " << m.path;
      } else {
        EXPECT_EQ(entered.erase(m.path), 1u) << "left but not entered: " << m.path;
      }
    }
  }
};

Event random_event(std::mt19937& random, const Instance& instance) {
  const std::string name = "e" + std::to_string(random() % 5);
  const std::vector<std::string> outstanding = instance.outstanding();
  if (instance.pending() && random() % 2 == 0) return {Event::Kind::queued, {}, {}, {}};
  if (outstanding.empty() || random() % 3 == 0) return {Event::Kind::external, name, {}, {}};
  const std::string& path = outstanding[random() % outstanding.size()];
  const bool timer =
      path.find("after:") != std::string::npos || path.find("send:") != std::string::npos;
  return {timer ? Event::Kind::timer : Event::Kind::outcome, name, {}, path};
}

TEST(RandomCharts, KeepTheirBooksAndSurviveARestartAtEveryStep) {
  int steps = 0, machines = 0, effects = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    const Texts texts = {
        {"main.yaml", RandomChart(seed, {.activities = true, .child = "child.yaml"}).text()},
        {"child.yaml", RandomChart(seed + 1000, {.states = 8, .activities = true}).text()}};
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto workflow = std::make_shared<Workflow>(texts);
    Play play(workflow);
    Play restarted(workflow);
    Ledger ledger;
    std::mt19937 random(seed);
    for (int i = 0; i < 30; ++i, ++steps) {
      ledger.book(play.out());
      effects += static_cast<int>(play.out().effects.size());
      const std::vector<std::string> outstanding = play.instance().outstanding();
      ASSERT_EQ(ledger.ordered, std::set<std::string>(outstanding.begin(), outstanding.end()));
      const Json saved = play.instance().save();
      if (play.instance().finished()) {
        EXPECT_THAT(ledger.entered, testing::IsEmpty());
        break;
      }
      for (const std::string& path : play.instance().active()) {
        machines += path.find('/') != std::string::npos;
        ASSERT_TRUE(ledger.entered.contains(path)) << path;
      }
      expect_legal(play.system(), play.system().main(), saved.at("root"));

      restarted.reload();
      ASSERT_EQ(restarted.instance().save(), saved);
      const Event event = random_event(random, play.instance());
      if (event.kind == Event::Kind::outcome || event.kind == Event::Kind::timer) {
        ledger.ordered.erase(event.path);
      }
      play.step(event);
      restarted.step(event);
      ASSERT_EQ(play.moved(), restarted.moved());
      ASSERT_EQ(play.effects(), restarted.effects());
      ASSERT_EQ(play.problems(), restarted.problems());
      ASSERT_EQ(play.out().handled, restarted.out().handled);
    }
    if (HasFailure()) break;
  }
  EXPECT_GT(steps, 1500);
  EXPECT_GT(machines, 800);
  EXPECT_GT(effects, 2000);
}

}  // namespace
}  // namespace agneto::chart
