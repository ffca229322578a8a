#include "ui/readable.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/text.h"
#include "chart/path.h"
#include "ui/styled.h"

namespace agneto::ui {
namespace {

// The digits that the text begins with.
std::string_view leading_number(std::string_view text) {
  return text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
}

}  // namespace

std::string readable_path(std::string_view path) {
  auto parsed = chart::Path::parse(path);
  if (!parsed) return std::string(path);
  for (chart::Path::Part& part : parsed->parts) {
    if (part.entry == 1) part.entry = 0;
  }
  if (parsed->send && parsed->send->starts_with('#')) parsed->send = "";
  std::string again;
  if (!parsed->is_timer() && !parsed->parts.empty()) {
    chart::Path::Part& last = parsed->parts.back();
    if (last.entry > 0 && last.item == 0) again = fmt::format(" #{}", std::exchange(last.entry, 0));
  }
  return parsed->text() + again;
}

std::string readable_path(std::string_view path, std::size_t columns) {
  const std::string whole = readable_path(path);
  std::string text = whole;
  for (std::size_t part = 0; display_width(text) > columns;) {
    const std::size_t end = whole.find('/', part);
    if (end == std::string::npos) return Styled(text).fitted(columns).render(false);
    text = "…" + whole.substr(std::min(whole.find_first_of("#[", part), end));
    if (display_width(text) > columns) text = "…" + whole.substr(end);
    part = end + 1;
  }
  return text;
}

bool means_path(std::string_view readable, std::string_view path) {
  std::string written(readable);
  if (const auto space = written.find(" #"); space != std::string::npos) written.erase(space, 1);
  return !written.empty() && chart::fit(written, path) != chart::Fit::none;
}

// A path writes no number with zeros before it, so the longer one is greater.
bool PathOrder::operator()(std::string_view one, std::string_view other) const {
  while (!one.empty() && !other.empty()) {
    const std::string_view number = leading_number(one);
    const std::string_view other_number = leading_number(other);
    const bool are_numbers = !number.empty() && !other_number.empty();
    if (are_numbers && number.size() != other_number.size()) {
      return number.size() < other_number.size();
    }
    if (one.front() != other.front()) return one.front() < other.front();
    one.remove_prefix(1);
    other.remove_prefix(1);
  }
  return one.size() < other.size();
}

std::string readable_journey(const std::vector<std::string>& states) {
  std::string text;
  for (std::size_t i = 0; i < states.size();) {
    std::size_t j = i;
    while (j < states.size() && states[j] == states[i]) ++j;
    if (!text.empty()) text += " → ";
    text += states[i];
    if (j - i > 1) text += fmt::format(" ×{}", j - i);
    i = j;
  }
  return text;
}

std::string local_time(Time time) {
  std::time_t seconds =
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  std::tm local{};
  localtime_r(&seconds, &local);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

std::string readable_cost(const agents::Usage& usage) {
  if (usage.unpriced == 0) return usage.cost > 0 ? fmt::format("${:.2f}", usage.cost) : "";
  const std::string without =
      fmt::format("{} attempt{} without a price", usage.unpriced, usage.unpriced == 1 ? "" : "s");
  return usage.cost > 0 ? fmt::format("at least ${:.2f} ({})", usage.cost, without) : without;
}

std::string readable_effort(const record::Spent& spent) {
  std::string text = fmt::format("{} agent call{}", spent.calls, spent.calls == 1 ? "" : "s");
  if (const std::string cost = readable_cost(spent.usage); !cost.empty()) text += " · " + cost;
  const std::int64_t tokens = spent.usage.input_tokens + spent.usage.output_tokens;
  if (tokens > 0) {
    text +=
        fmt::format(" · {}{} tokens", spent.usage.uncounted > 0 ? "at least " : "",
                    tokens < 10'000 ? std::to_string(tokens) : fmt::format("{}k", tokens / 1000));
  }
  return text;
}

std::string readable_base(const std::string& base) {
  bool commit =
      base.size() >= 40 && base.find_first_not_of("0123456789abcdef") == std::string::npos;
  return commit ? base.substr(0, 12) : base;
}

std::string gist(const Json& fields, std::size_t columns) {
  if (!fields.is_object()) return "";
  std::string text;
  const auto take = [&](const Json& value) {
    if (text.empty() && value.is_string()) text = value.get<std::string>();
  };
  for (const char* key : {"message", "title", "summary", "reason", "feedback"}) {
    if (fields.contains(key)) take(fields[key]);
  }
  for (const auto& value : fields) take(value);
  text.erase(0, text.find_first_not_of("#-* \n"));  // Markdown's marks of a heading or a list
  return first_line(text, columns);
}

std::string first_line(std::string_view text, std::size_t columns) {
  std::string clean = printable(text);
  std::string_view rest = trim(clean);
  std::string_view line = trim(rest.substr(0, rest.find('\n')));
  bool more = line.size() < rest.size();
  if (display_width(line) + (more ? 2 : 0) <= columns) {
    return std::string(line) + (more ? " …" : "");
  }
  std::string cut = Styled(line).fitted(columns - 1).render(false);
  cut.resize(cut.size() - std::string_view("…").size());
  if (auto space = cut.rfind(' '); space != std::string::npos && space > cut.size() / 2) {
    cut.resize(space);
  }
  return cut + (cut.ends_with(' ') ? "…" : " …");
}

}  // namespace agneto::ui
