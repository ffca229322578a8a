// Events resolved to the descriptors that match them.
#include "chart/events.h"

#include "chart/tables.h"
#include "chart_fixture.h"
#include "support/property.h"

namespace agneto::chart {
namespace {

// One to three tokens, so that many are prefixes of others, whole or not.
rc::Gen<std::string> names() {
  const auto token = rc::gen::element<std::string>("a", "b", "ab", "any", "done");
  return rc::gen::map(rc::gen::resize(rc::kNominalSize,
                                      rc::gen::tuple(token, token, token, rc::gen::inRange(0, 3))),
                      [](const std::tuple<std::string, std::string, std::string, int>& parts) {
                        const auto& [first, second, third, more] = parts;
                        return first + (more > 0 ? "." + second : "") +
                               (more > 1 ? "." + third : "");
                      });
}

TEST(EventClasses, AreTheLongestDescriptorThatMatches) {
  check_property(300, [] {
    const auto descriptors = *rc::gen::container<std::vector<std::string>>(names());
    const auto event = *names();
    std::string longest;
    for (const auto& d : descriptors) {
      if (d != "any" && model::matches(d, event) && d.size() > longest.size()) longest = d;
    }
    const EventClasses classes(descriptors);
    RC_ASSERT(classes.of(event) == (longest.empty() ? any_event : classes.of(longest)));
    // Every descriptor that matches is met on the way to `any`, and no other.
    std::set<EventClass> met, expected = {any_event};
    for (EventClass c = classes.of(event); met.insert(c).second && c != any_event;) {
      c = classes.wider(c);
    }
    for (const auto& d : descriptors) {
      if (model::matches(d, event)) expected.insert(classes.of(d));
    }
    RC_ASSERT(met == expected);
  });
}

TEST(EventClasses, OfAStateTakeWhatItsTransitionsMatchInDocumentOrder) {
  check_property(100, [] {
    const auto lists = *rc::gen::resize(
        8, rc::gen::nonEmpty(rc::gen::container<std::vector<std::vector<std::string>>>(
               rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(names())))));
    Json on = Json::array();
    for (const auto& events : lists) on.push_back({{"event", events}, {"do", "ctx.log = ''"}});
    const Workflow workflow("initial: A\nstates: {A: {on: " + on.dump() + "}}");
    const model::Machine& machine = workflow.system().main();
    const MachineTable table(machine);
    for (const auto& event : *rc::gen::container<std::vector<std::string>>(names())) {
      std::vector<model::TransitionId> expected;
      for (model::TransitionId t : machine.state(1).on) {
        const auto& events = machine.transitions[t].events;
        if (std::any_of(events.begin(), events.end(),
                        [&](const auto& d) { return model::matches(d, event); })) {
          expected.push_back(t);
        }
      }
      const auto taking = table.taking(1, table.events.of(event));
      RC_ASSERT(std::vector(taking.begin(), taking.end()) == expected);
    }
  });
}

}  // namespace
}  // namespace agneto::chart
