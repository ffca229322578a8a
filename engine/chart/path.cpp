#include "chart/path.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace agneto::chart {

namespace {

constexpr std::string_view after = "after:";
constexpr std::string_view sent = "send:";

// A number from 1, written as such.
std::optional<std::uint32_t> number(std::string_view text) {
  return text.starts_with('0') ? std::nullopt : parse_number<std::uint32_t>(text);
}

// NAME, NAME#2, NAME[3], NAME#2[3]
std::optional<Path::Part> parse_part(std::string_view text) {
  Path::Part part;
  part.name = text.substr(0, text.find_first_of("#[]:"));
  if (part.name.empty()) return std::nullopt;
  text.remove_prefix(part.name.size());
  if (text.ends_with(']')) {
    const std::size_t bracket = text.find('[');
    if (bracket == text.npos) return std::nullopt;
    const auto item = number(text.substr(bracket + 1, text.size() - bracket - 2));
    if (!item) return std::nullopt;
    part.item = *item;
    text = text.substr(0, bracket);
  }
  if (text.empty()) return part;
  const auto entry = text.front() == '#' ? number(text.substr(1)) : std::nullopt;
  if (!entry) return std::nullopt;
  part.entry = *entry;
  return part;
}

}  // namespace

std::string Path::Part::text() const {
  std::string text = entry > 0 ? state_path("", name, entry) : name;
  return item > 0 ? item_path(text, item) : text;
}

std::optional<Path> Path::parse(std::string_view text) {
  Path path;
  while (!text.empty()) {
    if (text.starts_with(sent)) {
      path.send = text.substr(sent.size());
      return path;
    }
    const std::string_view part = text.substr(0, text.find('/'));
    const bool last = part.size() == text.size();
    text.remove_prefix(last ? text.size() : part.size() + 1);
    if (!last && text.empty()) return std::nullopt;
    if (part == ".") {
      path.of_machine = true;
      if (!text.starts_with(after)) return std::nullopt;
    } else if (part.starts_with(after)) {
      const auto nth = number(part.substr(after.size()));
      if (!last || !nth || (path.parts.empty() && !path.of_machine)) return std::nullopt;
      path.timer = *nth;
    } else {
      auto parsed = parse_part(part);
      if (!parsed) return std::nullopt;
      path.parts.push_back(*std::move(parsed));
    }
  }
  return path;
}

std::string Path::text() const {
  std::string text;
  for (const Part& part : parts) text = within(text, part.text());
  if (send) return send_path(text, *send);
  if (timer > 0) return of_machine ? machine_timer_path(text, timer) : timer_path(text, timer);
  return text;
}

std::string Path::without_entries() const {
  Path names = *this;
  for (Part& part : names.parts) part.entry = 0;
  if (send && send->starts_with('#')) names.send = "";
  return names.text();
}

std::vector<std::uint32_t> Path::items() const {
  std::vector<std::uint32_t> items;
  for (const Part& part : parts) {
    if (part.item > 0) items.push_back(part.item);
  }
  return items;
}

std::string without_entries(std::string_view path) {
  const auto parsed = Path::parse(path);
  return parsed ? parsed->without_entries() : std::string(path);
}

std::string last_name(std::string_view path) {
  const auto parsed = Path::parse(path);
  return parsed ? parsed->name() : "";
}

// No state's name has a colon.
bool is_timer(std::string_view path) {
  return path.find(':') != path.npos;
}

std::string_view first_name(std::string_view path) {
  const std::string_view name = path.substr(0, path.find_first_of("#[/:"));
  return name == "." || path.starts_with(sent) ? std::string_view() : name;
}

std::string within(std::string_view instance, std::string_view name) {
  std::string text;
  text.reserve(instance.size() + name.size() + 1);
  text += instance;
  if (!instance.empty()) text += '/';
  return text += name;
}

std::string state_path(std::string_view instance, std::string_view state, std::uint32_t entry) {
  std::string text = within(instance, state);
  return text.append(1, '#') += std::to_string(entry);
}

std::string item_path(std::string_view state, std::uint32_t item) {
  return items_prefix(state) + std::to_string(item) + "]";
}

std::string sender_of(std::string_view origin, std::uint32_t item) {
  return item > 0 ? item_path(origin, item) : std::string(origin);
}

std::string items_prefix(std::string_view state) {
  return std::string(state) + "[";
}

std::string_view for_each_of(std::string_view item) {
  return item.substr(0, item.rfind('['));
}

std::string timer_path(std::string_view state, std::uint32_t nth) {
  return within(state, std::string(after) + std::to_string(nth));
}

std::string machine_timer_path(std::string_view instance, std::uint32_t nth) {
  return timer_path(within(instance, "."), nth);
}

std::string send_path(std::string_view instance, std::string_view id) {
  return within(instance, std::string(sent).append(id));
}

bool is_inside(std::string_view path, std::string_view instance) {
  return instance.empty() || (path.starts_with(instance) && path.size() > instance.size() &&
                              path[instance.size()] == '/');
}

Fit fit(std::string_view wanted, std::string_view path) {
  const auto want = Path::parse(wanted), is = Path::parse(path);
  if (!want || !is || want->parts.size() > is->parts.size()) return Fit::none;
  if (std::tie(want->timer, want->of_machine, want->send) !=
      std::tie(is->timer, is->of_machine, is->send)) {
    return Fit::none;
  }
  const auto outer = is->parts.end() - static_cast<std::ptrdiff_t>(want->parts.size());
  const bool same = std::equal(outer, is->parts.end(), want->parts.begin(),
                               [](const Path::Part& part, const Path::Part& named) {
                                 return part.name == named.name && part.item == named.item &&
                                        (named.entry == 0 || part.entry == named.entry);
                               });
  if (!same) return Fit::none;
  return outer == is->parts.begin() ? Fit::whole : Fit::inner;
}

std::vector<Located> states_of(const model::System& system, const Path& path) {
  std::vector<Located> states;
  model::MachineId machine = 0;
  for (const Path::Part& part : path.parts) {
    const model::StateId state = system.machine(machine).find(part.name);
    if (state == model::none) break;
    states.push_back({machine, state});
    const auto* to = model::delegate_of(system.machine(machine).state(state).activity);
    if (!to) break;
    machine = to->machine;
  }
  return states;
}

std::optional<Located> state_at(const model::System& system, const Path& path) {
  if (path.parts.empty()) return Located{0, 0};
  const auto states = states_of(system, path);
  if (states.size() < path.parts.size()) return std::nullopt;
  if (!path.of_machine && !path.send) return states.back();
  const auto [machine, state] = states.back();
  const auto* to = model::delegate_of(system.machine(machine).state(state).activity);
  return to ? std::optional(Located{to->machine, 0}) : std::nullopt;
}

}  // namespace agneto::chart
