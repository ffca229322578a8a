#include "replay/replayed_machine.h"

#include <algorithm>
#include <functional>

#include "base/text.h"
#include "chart/answer.h"
#include "chart/effect.h"
#include "chart/path.h"
#include "script/verdicts.h"

namespace agneto::replay {
namespace {

std::vector<std::uint32_t> items_of(const std::string& path) {
  return chart::Path::parse(path).value_or(chart::Path()).items();
}

// Do two of the same kind ask for the same, whatever their states are called?
class SameOrder {
 public:
  SameOrder(const ReplayedMachine& then, const ReplayedMachine& now) : then_(then), now_(now) {}

  bool operator()(const chart::CallAgent& was, const chart::CallAgent& is) const {
    return chart::agent_of(was, then_.system()).name == chart::agent_of(is, now_.system()).name;
  }
  bool operator()(const chart::AskHuman& was, const chart::AskHuman& is) const {
    if (was.text != model::Need::none) return is.text != model::Need::none;
    return std::any_of(was.options.begin(), was.options.end(), [&](const auto& option) {
      return chart::find_option(is, option.name) != nullptr;
    });
  }
  bool operator()(const chart::RunCommand& was, const chart::RunCommand& is) const {
    return was.argv == is.argv && was.cwd == is.cwd;
  }
  bool operator()(const chart::GitOperation& was, const chart::GitOperation& is) const {
    return was.kind == is.kind;
  }
  bool operator()(const chart::StartTimer& was, const chart::StartTimer& is) const {
    return was.delay == is.delay;
  }
  template <typename Was, typename Is>
  bool operator()(const Was&, const Is&) const {
    return std::is_same_v<Was, Is>;
  }

 private:
  const ReplayedMachine& then_;
  const ReplayedMachine& now_;
};

}  // namespace

std::vector<std::string> ReplayedMachine::outstanding(bool timers) const {
  std::vector<std::string> paths = instance().outstanding();
  std::erase_if(paths, [&](const std::string& path) { return chart::is_timer(path) != timers; });
  return paths;
}

std::string ReplayedMachine::place_of(const std::string& recorded, const ReplayedMachine& then,
                                      const std::map<std::string, int>& taken) const {
  const chart::Effect* was = then.ordered(recorded);
  std::vector<std::string> paths = outstanding(chart::is_timer(recorded));
  std::erase_if(paths, [&](const std::string& path) {
    const chart::Effect* is = ordered(path);
    return !is || (was && was->index() != is->index()) || items_of(path) != items_of(recorded);
  });
  if (std::find(paths.begin(), paths.end(), recorded) != paths.end()) return recorded;

  std::erase_if(paths, [&](const std::string& path) {
    const auto others = taken.find(path);
    return others != taken.end() && others->second > 0;
  });
  const std::function<bool(const std::string&)> ways[] = {
      [&](const std::string& path) {
        return chart::without_entries(path) == chart::without_entries(recorded);
      },
      [&](const std::string& path) { return chart::last_name(path) == chart::last_name(recorded); },
      [&](const std::string& path) {
        return was && std::visit(SameOrder(then, *this), *was, *ordered(path));
      }};
  for (const auto& fits : ways) {
    const auto found = std::find_if(paths.begin(), paths.end(), fits);
    if (found != paths.end()) return *found;
  }
  return {};
}

std::string misfit(const chart::Event& event, const chart::Effect& activity,
                   const model::System& system) {
  if (starts_with_word(event.name, "error")) return {};
  if (const auto* call = std::get_if<chart::CallAgent>(&activity)) {
    const auto& verdicts = activity_of(*call, system).verdicts;
    if (verdicts.empty()) return event.name == "done" ? "" : "that call has no verdicts now";
    std::optional<script::VerdictReply> read = script::VerdictReply{event.name, event.data};
    const auto problem = script::problem_with(verdicts, read);
    return problem ? "the agent would be asked again: " + *problem : "";
  }
  if (const auto* question = std::get_if<chart::AskHuman>(&activity)) {
    if (question->text != model::Need::none) {
      return event.name == "answered" ? "" : "that question asks for words now";
    }
    if (chart::find_option(*question, event.name)) return {};
    return "that question does not offer it now, but " + join(names_of(question->options), ", ");
  }
  return {};
}

}  // namespace agneto::replay
