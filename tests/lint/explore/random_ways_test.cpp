// Where it is proved that something can still become true, a search finds how, from wherever a run
// on a clock comes to.
#include <algorithm>
#include <map>
#include <set>

#include "chart/chart_fixture.h"
#include "chart/path.h"
#include "chart/random_chart.h"
#include "lint/explore/judging.h"
#include "lint/linting.h"
#include "support/property.h"

namespace agneto::lint {
namespace {

using chart::Choices;
using chart::Event;

// A machine of few states, most of which wait for timers, inside of each other and side by side.
class TimedChart {
 public:
  enum class Kind : std::uint8_t {
    delegates,  // states delegate to child.yaml
    for_items,  // so, for each of two items, too; that these end is taken for granted
    inside,     // that machine: it has ends, and need not come to them
    ends,       // so, but that it does, in time
  };
  TimedChart(Choices& choices, Kind kind) : choices_(choices), kind_(kind) {}

  std::string text() {
    const std::string states = this->states(0, 2);
    Json machine = Json::parse(states);
    for (Json* state : flat(machine)) add_to(*state);
    if (is_inside()) {
      machine["GOOD"] = {{"final", true}};
      machine["BAD"] = {{"final", true}, {"status", "failed"}};
    }
    return "agneto: 1\nname: timed\ncontext: {flag: false}\ninitial: S1\n" +
           std::string(kind_ == Kind::ends ? "after: {9s: GOOD}\n" : "") +
           "states: " + machine.dump() + "\n";
  }
  int size() const { return made_; }

 private:
  std::string states(int depth, std::size_t least) {
    Json all = Json::object();
    const std::size_t count = least + choices_.below(2);
    for (std::size_t i = 0; i < count; ++i) {
      const std::string name = "S" + std::to_string(++made_);
      Json state = Json::object();
      if (depth < 2 && choices_.one_in(3)) {
        const std::string first = "S" + std::to_string(made_ + 1);
        state["states"] = Json::parse(states(depth + 1, 2));
        if (choices_.one_in(3)) {
          state["parallel"] = true;
        } else {
          state["initial"] = first;
        }
      }
      all[name] = std::move(state);
    }
    return all.dump();
  }

  bool is_inside() const { return kind_ == Kind::inside || kind_ == Kind::ends; }

  static std::vector<Json*> flat(Json& states) {
    std::vector<Json*> all;
    for (auto& [name, state] : states.items()) {
      all.push_back(&state);
      if (state.contains("states")) {
        for (Json* one : flat(state["states"])) all.push_back(one);
      }
    }
    return all;
  }

  Json transition(bool guarded) {
    static const std::vector<std::string> blocks = {"ctx.flag = true", "ctx.flag = false",
                                                    "send('late', nil, {after = '2s'})",
                                                    "error('wrong')"};
    Json one = {
        {"target", "S" + std::to_string(1 + choices_.below(static_cast<std::size_t>(made_)))}};
    if (is_inside() && choices_.one_in(3)) one["target"] = choices_.one_in(2) ? "BAD" : "GOOD";
    if (guarded) one["guard"] = choices_.one_in(2) ? "ctx.flag" : "not ctx.flag";
    if (choices_.one_in(4)) one["do"] = choices_.one_of(blocks);
    return one;
  }

  void add_activity(Json& state, const Json& activity, const std::vector<std::string>& ends) {
    state.update(activity);
    for (const std::string& end : ends) state["on"][end] = transition(false);
  }

  void add_to(Json& state) {
    static const std::vector<std::string> delays = {"1s", "2s", "3s", "5s", "8s"};
    while (choices_.one_in(2)) {
      state["after"][choices_.one_of(delays)] = transition(choices_.one_in(4));
    }
    static const std::vector<std::string> others = {"push", "late", "limit", "error.lua"};
    if (choices_.one_in(3)) state["on"][choices_.one_of(others)] = transition(false);
    if (state.contains("states") || !choices_.one_in(3)) return;
    switch (choices_.below(is_inside() ? 2 : kind_ == Kind::for_items ? 4 : 3)) {
      case 0:
        return add_activity(
            state, {{"ask", {{"question", "q"}, {"options", {{"YES", "y"}, {"NO", "n"}}}}}},
            {"YES", "NO"});
      case 1:
        return add_activity(state,
                            {{"run", {{"argv", {"x"}}, {"timeout", choices_.one_of(delays)}}}},
                            {"ok", "failed", "error"});
      case 2:
        return add_activity(state, {{"machine", "child.yaml"}}, {"GOOD", "BAD", "error"});
      default:
        static const std::vector<std::string> joins = {"all", "any"};
        return add_activity(
            state,
            {{"for_each",
              {{"items", "{1, 2}"}, {"machine", "child.yaml"}, {"join", choices_.one_of(joins)}}}},
            {"done", "failed", "error"});
    }
  }

  Choices& choices_;
  const Kind kind_;
  int made_ = 0;
};

// A run on a clock, and how to go on with it.
struct Timed {
  Json saved;
  std::map<std::string, Millis> timers;  // by path; timeouts, too
};

class Search {
 public:
  explicit Search(const chart::Texts& texts)
      : workflow_(texts), chart_(workflow_.system(), *workflow_.evaluator) {}

  Timed start() {
    chart::Instance instance(chart_, {"run-1"});
    chart::Effects out;
    chart::start(instance, Json::object(), out);
    return settle(instance, {}, out);
  }

  // What can be next: the timer that comes due first, and all that people and programs can do now.
  std::vector<Timed> next(const Timed& from) {
    std::vector<Event> events;
    const chart::Instance now = chart::Instance::restore(chart_, from.saved);
    if (now.finished()) return {};
    for (const std::string& path : now.outstanding()) {
      if (chart::is_timer(path)) continue;
      static const std::vector<std::string> answers = {"YES", "NO"};
      static const std::vector<std::string> ends = {"ok", "failed", "error.exit"};
      for (const std::string& end : asks(path) ? answers : ends) {
        events.push_back({Event::Kind::outcome, end, {{"message", "x"}}, path});
      }
    }
    for (const char* name : {"push", "late"}) {
      events.push_back({Event::Kind::external, name, {}, {}});
    }
    std::vector<Timed> all;
    for (const Event& event : events) all.push_back(step(from, event));
    if (!from.timers.empty()) all.push_back(wait(from));
    return all;
  }

  bool is_in(const Timed& at, const std::string& state) {
    const chart::Instance instance = chart::Instance::restore(chart_, at.saved);
    return std::ranges::any_of(instance.configuration(), [&](const chart::ActiveState& one) {
      return one.instance.empty() && workflow_.system().main().state(one.state).name == state;
    });
  }
  bool has_ended(const Timed& at) { return chart::Instance::restore(chart_, at.saved).finished(); }

  // Can it come to the state? Nothing where too much would have to be looked at.
  std::optional<bool> can_come(const Timed& from, const std::string& state) {
    std::vector<Timed> pending = {from};
    std::set<std::string> met = {key(from)};
    for (std::size_t i = 0; i < pending.size(); ++i) {
      if (is_in(pending[i], state)) return true;
      if (i > 400) return std::nullopt;
      for (Timed& one : next(Timed(pending[i]))) {
        if (met.insert(key(one)).second) pending.push_back(std::move(one));
      }
    }
    return false;
  }

 private:
  bool asks(const std::string& path) const {
    const auto at = chart::state_at(workflow_.system(), *chart::Path::parse(path));
    return std::holds_alternative<model::Ask>(
        workflow_.system().machine(at->machine).state(at->state).activity);
  }

  std::string key(const Timed& one) {
    const chart::Instance instance = chart::Instance::restore(chart_, one.saved);
    std::string text = instance.finished() ? "ended" : instance.data("").dump();
    for (const auto& active : instance.configuration()) {
      text += " " + chart::without_entries(active.path);
      if (active.atomic && !active.instance.empty()) text += instance.data(active.instance).dump();
    }
    for (const std::string& path : instance.outstanding()) {
      text += " " + chart::without_entries(path);
    }
    for (const auto& [path, left] : one.timers) {
      text += " " + chart::without_entries(path) + "=" + std::to_string(left.count());
    }
    return text;
  }

  Timed step(const Timed& from, const Event& event) {
    chart::Instance instance = chart::Instance::restore(chart_, from.saved);
    chart::Effects out;
    chart::step(instance, event, out);
    Timed at = from;
    at.timers.erase(event.path);
    return settle(instance, std::move(at.timers), out);
  }

  Timed wait(const Timed& from) {
    const auto first =
        std::ranges::min_element(from.timers, {}, [](const auto& timer) { return timer.second; });
    const std::string path = first->first;
    Timed later = from;
    for (auto& [name, left] : later.timers) left -= first->second;
    const bool timer = chart::is_timer(path);
    return step(later, {timer ? Event::Kind::timer : Event::Kind::outcome,
                        timer ? "" : "error.timeout",
                        {{"message", "x"}},
                        path});
  }

  static void note(std::map<std::string, Millis>& timers, const chart::Effects& out) {
    for (const chart::Effect& effect : out.effects) {
      if (const auto* timer = std::get_if<chart::StartTimer>(&effect)) {
        timers[timer->path] = timer->delay;
      } else if (const auto* run = std::get_if<chart::RunCommand>(&effect)) {
        timers[run->path] = run->timeout;
      } else if (const auto* cancel = std::get_if<chart::Cancel>(&effect)) {
        timers.erase(cancel->path);
      }
    }
  }

  Timed settle(chart::Instance& instance, std::map<std::string, Millis> timers,
               chart::Effects& out) {
    note(timers, out);
    for (int i = 0; i < 50 && instance.pending(); ++i) {
      chart::step(instance, {Event::Kind::queued, {}, {}, {}}, out);
      note(timers, out);
    }
    return {instance.save(), std::move(timers)};
  }

  chart::Workflow workflow_;
  chart::Chart chart_;
};

TEST(RandomMachines, ProvesNoWayThatCannotBeGone) {
  int proved = 0;
  int inside = 0;  // of these, where a machine delegates
  int unproved = 0;
  int found = 0;
  check_property(150, [&] {
    Choices choices(*Choices::tapes(400));
    using Kind = TimedChart::Kind;
    const bool ends = choices.one_in(2);
    TimedChart chart(choices, ends ? Kind::for_items : Kind::delegates);
    std::string text = chart.text();
    const std::string child = TimedChart(choices, ends ? Kind::ends : Kind::inside).text();
    std::vector<std::string> goals;
    text += "invariants:\n";
    for (int i = 0; i < 4; ++i) {
      goals.push_back("S" +
                      std::to_string(1 + choices.below(static_cast<std::size_t>(chart.size()))));
      text += "  - always_eventually: 'state_in(\"" + goals.back() + "\")'\n";
    }
    RC_LOG() << text << "\n" << child;
    const Judged judged(text, 300, child);
    if (judged.has_errors()) return;
    const bool fails = (text + child).find("error('wrong')") != std::string::npos;
    Search search({{"main.yaml", text}, {"child.yaml", child}});
    for (std::size_t i = 0; i < goals.size(); ++i) {
      const auto judgement = fails ? judged.with_errors(i) : judged.of(i);
      proved += !judgement;
      inside += !judgement && text.find("child.yaml") != std::string::npos;
      unproved += judgement.has_value();
      RC_LOG() << goals[i] << (judgement ? ": " + judgement->message : ": proved") << "\n";
      if (judgement) continue;
      Timed at = search.start();
      for (int steps = 0; steps < 12 && !search.has_ended(at); ++steps) {
        const auto can_come = search.can_come(at, goals[i]);
        found += can_come == true;
        RC_ASSERT(can_come != false);
        const std::vector<Timed> next = search.next(at);
        at = next[choices.below(next.size())];
      }
    }
  });
  EXPECT_GT(proved, 20);
  EXPECT_GT(inside, 10);
  EXPECT_GT(unproved, 20);
  EXPECT_GT(found, 200);
}

}  // namespace
}  // namespace agneto::lint
