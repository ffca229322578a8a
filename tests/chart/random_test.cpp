// Properties over random charts and random events.
#include <unistd.h>

#include <cstdio>
#include <random>
#include <set>

#include "appendix_d.h"
#include "base/json.h"
#include "base/text.h"
#include "chart_fixture.h"
#include "random_chart.h"
#include "support/property.h"

namespace agneto::chart {
namespace {

std::string without_number(const std::string& path) {
  return path.substr(0, path.find('#'));
}

bool is_timer(const std::string& path) {
  return path.find("after:") != std::string::npos || path.find("send:") != std::string::npos;
}

Event random_event(Choices& choices, const Instance& instance) {
  const std::string name = choices.one_of(RandomChart::events());
  const std::vector<std::string> outstanding = instance.outstanding();
  const std::size_t die = choices.below(6);
  if (instance.pending() && die > 2) return {Event::Kind::queued, {}, {}, {}};
  if (outstanding.empty() || die < 4) return {Event::Kind::external, name, {}, {}};
  const std::string& path = choices.one_of(outstanding);
  const bool opened = path.ends_with(']') && choices.below(4) != 0;
  return {
      is_timer(path) ? Event::Kind::timer : Event::Kind::outcome, opened ? "ok" : name, {}, path};
}

void give(AppendixD& reference, const model::Machine& machine, const Event& event) {
  const std::string state = event.path.substr(0, event.path.find_first_of("#/"));
  const model::StateId owner = state == "." ? 0 : machine.find(state);
  switch (event.kind) {
    case Event::Kind::external:
      return reference.event(event.name);
    case Event::Kind::outcome:
      return reference.outcome(owner, event.name);
    case Event::Kind::queued:
      return reference.queued();
    case Event::Kind::timer:
      if (event.path.starts_with("send:")) return reference.send_due(event.path.substr(5));
      const std::size_t number = std::stoul(event.path.substr(event.path.rfind(':') + 1));
      return reference.timer_due(owner, number - 1);
  }
}

void expect_same(Play& play, const AppendixD& reference) {
  const Effects& out = play.out();
  std::vector<std::string> moved, transitions, active;
  for (const auto& m : out.moved)
    moved.push_back((m.entered ? "+" : "-") + without_number(path_of(m, play.system())));
  for (const auto& t : out.transitions) transitions.push_back("t" + std::to_string(t.transition));
  for (const std::string& path : play.instance().active()) active.push_back(without_number(path));
  RC_ASSERT(transitions == reference.transitions);
  RC_ASSERT(moved == reference.moved);
  RC_ASSERT(play.ctx().at("sum") == reference.sum());
  RC_ASSERT(active == reference.active());
  RC_ASSERT(play.instance().finished() == !reference.running);
  RC_ASSERT(play.instance().pending() == reference.pending());

  const auto outstanding = play.instance().outstanding();
  RC_ASSERT(std::set(outstanding.begin(), outstanding.end()) == reference.outstanding());
  const auto problems = [&](const std::string& event) {
    return std::count_if(out.problems.begin(), out.problems.end(),
                         [&](const auto& problem) { return problem.event == event; });
  };
  RC_ASSERT(problems("error.lua") == reference.untaken_errors);
  RC_ASSERT(problems("error.livelock") == reference.livelock);
  RC_ASSERT(problems("error.unhandled") == reference.unhandled);
}

// What a random test has met: that its charts are worth playing.
struct Met {
  int events = 0, taken = 0, moves = 0, finished = 0, livelocks = 0;
};

Met play_against_reference(int cases, const ChartOptions& options) {
  Met met;
  check_property(cases, [&] {
    const ChartText chart = *charts(options);
    Choices choices(*Choices::tapes(200));
    Play play(chart.text);
    const model::Machine& machine = play.system().main();
    AppendixD reference(machine);
    reference.start();
    for (int i = 0; i < 40; ++i, ++met.events) {
      expect_same(play, reference);
      met.moves += static_cast<int>(play.out().moved.size());
      met.taken += play.out().handled;
      met.livelocks += reference.livelock;
      met.finished += !reference.running;
      if (!reference.running) break;
      const Event event = random_event(choices, play.instance());
      play.step(event);
      give(reference, machine, event);
      RC_ASSERT(play.out().handled == reference.taken);
    }
  });
  return met;
}

TEST(RandomCharts, DoWhatAppendixDSays) {
  const Met met = play_against_reference(500, {});
  EXPECT_GT(met.events, 4000);
  EXPECT_GT(met.taken, 2000);
  EXPECT_GT(met.moves, 10000);
  EXPECT_GT(met.finished, 50);
  EXPECT_GT(met.livelocks, 5);
}

// So that states lie in different words and stretches of a StateSet.
TEST(RandomCharts, DoSoHoweverFarApartTheirStatesAre) {
  const Met met = play_against_reference(15, {.filler = 5000});
  EXPECT_GT(met.moves, 200);
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
    const bool inside =
        state.id == 0 || state.parent == 0 || active.contains(machine.state(state.parent).name);
    RC_ASSERT(inside);
    RC_ASSERT(state.kind != model::StateKind::shallow_history);
    RC_ASSERT(state.kind != model::StateKind::deep_history);
    const std::size_t wanted = state.kind == model::StateKind::parallel   ? regions
                               : state.kind == model::StateKind::compound ? 1
                                                                          : 0;
    RC_ASSERT(children == wanted);
  }
  for (const auto& [name, child] : member(saved, "children").items()) {
    const std::string state = name.substr(0, name.find('['));
    RC_ASSERT(active.contains(state));
    const auto* to = model::delegate_of(machine.state(machine.find(state)).activity);
    expect_legal(system, system.machine(to->machine), child);
  }
}

// What the effects and moves of all steps say, against what the instance says.
struct Ledger {
  std::set<std::string> ordered, entered;

  // Nobody waits for the join of workspaces whose state was left.
  void book(const Effects& out, const std::set<std::string>& outstanding,
            const model::System& system) {
    for (const Effect& effect : out.effects) {
      if (std::holds_alternative<Finish>(effect) || std::holds_alternative<Suspend>(effect))
        continue;
      const auto* join = std::get_if<JoinWorkspaces>(&effect);
      if (join && join->completed.empty() && !outstanding.contains(join->path)) continue;
      if (std::holds_alternative<Cancel>(effect)) {
        RC_ASSERT(ordered.erase(path_of(effect)) == 1u);
      } else {
        RC_ASSERT(ordered.insert(path_of(effect)).second);
      }
    }
    for (const auto& m : out.moved) {
      if (m.entered) {
        RC_ASSERT(entered.insert(path_of(m, system)).second);
      } else {
        RC_ASSERT(entered.erase(path_of(m, system)) == 1u);
      }
    }
  }
};

const ChartOptions family = {.child = "child.yaml"};
const ChartOptions child = {.states = 8, .child = "leaf.yaml"};
const ChartOptions leaf = {.states = 5};

// How many events wait that are for another machine than the one that has them, or from one.
int count_told(const Json& saved) {
  int count = 0;
  for (const char* list : {"queue", "sends"}) {
    for (const Json& one : member(saved, list))
      count += one.contains("to") || one.contains("origin");
  }
  for (const Json& child : member(saved, "children")) count += count_told(child);
  return count;
}

struct Books {
  int steps = 0, machines = 0, items = 0, effects = 0, told = 0, undelivered = 0;
};

ChartOptions talking(ChartOptions options) {
  options.talks = true;
  return options;
}

Books keep_books(const ChartOptions& main, const ChartOptions& inner, const ChartOptions& last) {
  Books books;
  check_property(200, [&] {
    const auto workflow = std::make_shared<Workflow>(Texts{{"main.yaml", (*charts(main)).text},
                                                           {"child.yaml", (*charts(inner)).text},
                                                           {"leaf.yaml", (*charts(last)).text}});
    Choices choices(*Choices::tapes(200));
    Play play(workflow);
    Play restarted(workflow);
    Ledger ledger;
    for (int i = 0; i < 30; ++i, ++books.steps) {
      const std::vector<std::string> list = play.instance().outstanding();
      const std::set<std::string> outstanding(list.begin(), list.end());
      RC_ASSERT(outstanding.size() == list.size());
      ledger.book(play.out(), outstanding, play.system());
      books.effects += static_cast<int>(play.out().effects.size());
      books.told += count_told(play.instance().save().at("root"));
      books.undelivered += play.out().event == model::undelivered;
      RC_ASSERT(ledger.ordered == outstanding);
      const Json saved = play.instance().save();
      if (play.instance().finished()) {
        RC_ASSERT(ledger.entered.empty());
        break;
      }
      for (const std::string& path : play.instance().active()) {
        books.machines += path.find('/') != std::string::npos;
        books.items += path.find("]/") != std::string::npos;
        RC_ASSERT(ledger.entered.contains(path));
      }
      expect_legal(play.system(), play.system().main(), saved.at("root"));

      restarted.reload();
      RC_ASSERT(restarted.instance().save() == saved);
      const Event event = random_event(choices, play.instance());
      if (event.kind == Event::Kind::outcome || event.kind == Event::Kind::timer) {
        ledger.ordered.erase(event.path);
      }
      play.step(event);
      restarted.step(event);
      RC_ASSERT(play.moved() == restarted.moved());
      RC_ASSERT(play.effects() == restarted.effects());
      RC_ASSERT(play.problems() == restarted.problems());
      RC_ASSERT(play.out().handled == restarted.out().handled);
    }
  });
  return books;
}

TEST(RandomCharts, KeepTheirBooksAndSurviveARestartAtEveryStep) {
  const Books books = keep_books(family, child, leaf);
  EXPECT_GT(books.steps, 1500);
  EXPECT_GT(books.machines, 800);
  EXPECT_GT(books.items, 400);
  EXPECT_GT(books.effects, 2000);
}

TEST(RandomCharts, DoSoWhileTheyTalk) {
  const Books books = keep_books(talking(family), talking(child), talking(leaf));
  EXPECT_GT(books.items, 400);
  EXPECT_GT(books.told, 500);
  EXPECT_GT(books.undelivered, 50);
}

// Steps that do no more than leave and enter states take a shorter way.
TEST(RandomCharts, DoSoWhereTheyAreSimple) {
  ChartOptions simple;
  simple.simple = true;
  EXPECT_GT(play_against_reference(300, simple).taken, 1000);
}

// All that a few families of charts do, as text.
std::string story() {
  std::mt19937 random(1);
  const auto tape = [&](std::size_t size) {
    Choices::Tape numbers(size);
    for (auto& number : numbers) number = static_cast<std::uint16_t>(random());
    return Choices(numbers);
  };
  std::string text;
  for (int i = 0; i < 20; ++i) {
    Play play(Texts{{"main.yaml", RandomChart(tape(600), family).text()},
                    {"child.yaml", RandomChart(tape(600), child).text()},
                    {"leaf.yaml", RandomChart(tape(600), leaf).text()}});
    Choices choices = tape(200);
    for (int k = 0; k < 20 && !play.instance().finished(); ++k) {
      play.step(random_event(choices, play.instance()));
      text += play.moved() + "\n" + play.effects() + "\n" + play.problems() + "\n" +
              play.instance().save().dump() + "\n";
    }
  }
  return text;
}

// Where memory lies elsewhere, and hashes have other seeds.
TEST(RandomCharts, DoTheSameInAnotherProcess) {
  if (std::getenv("AGNETO_TELL_STORY")) {
    std::fputs(("\nSTORY\n" + story()).c_str(), stdout);
    return;
  }
  std::string self(4096, '\0');
  self.resize(static_cast<std::size_t>(readlink("/proc/self/exe", self.data(), self.size())));
  const std::string command =
      "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX AGNETO_TELL_STORY=1 '" + self +
      "' --gtest_filter=RandomCharts.DoTheSameInAnotherProcess";
  std::FILE* other = popen(command.c_str(), "r");
  ASSERT_NE(other, nullptr);
  std::string told;
  char buffer[4096];
  while (const std::size_t size = std::fread(buffer, 1, sizeof buffer, other)) {
    told.append(buffer, size);
  }
  ASSERT_EQ(pclose(other), 0);
  const std::string expected = story();
  EXPECT_GT(expected.size(), 100000u);
  const std::size_t from = told.find("\nSTORY\n");
  ASSERT_NE(from, std::string::npos);
  EXPECT_TRUE(told.compare(from + 7, expected.size(), expected) == 0);
}

}  // namespace
}  // namespace agneto::chart
