#include "ui/replay_text.h"

#include <fmt/format.h>

#include "base/text.h"

namespace agneto::ui {
namespace {

// The most recorded events without a use that are listed.
constexpr std::size_t most_shown = 5;

void add(std::string& text, const std::vector<std::string>& lines) {
  for (const auto& line : lines) text += "  " + printable(line) + "\n";
}

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

}  // namespace

std::string replay_text(const replay::Replay& replay, const std::string& run, bool prompts) {
  std::string text;
  if (replay.same()) {
    text += fmt::format("{} takes the same path: {}, {}\n", run,
                        counted(static_cast<std::size_t>(replay.steps), "step"), replay.end);
  } else if (replay.first) {
    text += fmt::format("{} takes another path at entry {}, {}  (- recorded, + now)\n", run,
                        replay.first->seq, printable(replay.first->event));
    add(text, replay.first->lines);
    text += fmt::format("\nsteps     {} of {} differ\n", replay.differing, replay.steps);
    text += fmt::format("recorded  {}\nnow       {}\n", replay.recorded_end, replay.end);
  } else {
    text += fmt::format("{} takes the same path, but replies are read otherwise\n", run);
  }
  for (const auto& path : replay.waiting) {
    text += fmt::format("waits     {}: nothing was recorded for it\n", path);
  }
  for (std::size_t i = 0; i < replay.unused.size(); ++i) {
    if (i == most_shown) {
      text += fmt::format("unused    … and {} more: see --json\n", replay.unused.size() - i);
      break;
    }
    text += fmt::format("unused    {}\n", printable(replay.unused[i]));
  }
  for (const auto& verdict : replay.verdicts) {
    text +=
        fmt::format("\nthe reply of {} at {}, entry {}, is read otherwise  (- recorded, + now)\n",
                    verdict.agent, verdict.path, verdict.seq);
    add(text, verdict.lines);
  }
  for (const auto& prompt : replay.prompt_differences) {
    if (!prompt.unknown.empty()) {
      text += fmt::format("\nthe prompt at {}, entry {}, cannot be written again: {}\n",
                          prompt.path, prompt.seq, prompt.unknown);
      continue;
    }
    text += fmt::format(
        "\nthe prompt at {}, entry {}{}, is another  (- recorded, + now)\n", prompt.path,
        prompt.seq,
        prompt.attempt > 1 ? fmt::format(" (attempt {})", prompt.attempt) : std::string());
    add(text, prompt.lines);
  }
  if (prompts && replay.prompt_differences.empty()) {
    text += fmt::format("{}, all as recorded\n",
                        counted(static_cast<std::size_t>(replay.prompts), "prompt"));
  }
  for (const auto& note : replay.notes) text += fmt::format("note      {}\n", printable(note));
  if (!replay.faithful) {
    text += fmt::format(
        "note      the recorded sources do not do what was recorded (another version of "
        "agneto, or 'resume --update'): data is not compared\n");
  }
  return text;
}

Json replay_json(const replay::Replay& replay, const std::string& run) {
  Json json = {{"run", run},
               {"same", replay.same()},
               {"faithful", replay.faithful},
               {"steps", replay.steps},
               {"differing", replay.differing},
               {"recorded", replay.recorded_end},
               {"now", replay.end},
               {"first", nullptr},
               {"waiting", replay.waiting},
               {"unused", replay.unused},
               {"notes", replay.notes},
               {"verdicts", Json::array()},
               {"prompts", Json::array()}};
  if (replay.first) {
    json["first"] = {
        {"seq", replay.first->seq}, {"event", replay.first->event}, {"diff", replay.first->lines}};
  }
  for (const auto& each : replay.verdicts) {
    json["verdicts"].push_back(
        {{"seq", each.seq}, {"path", each.path}, {"agent", each.agent}, {"diff", each.lines}});
  }
  for (const auto& each : replay.prompt_differences) {
    json["prompts"].push_back({{"seq", each.seq},
                               {"path", each.path},
                               {"attempt", each.attempt},
                               {"unknown", each.unknown},
                               {"diff", each.lines}});
  }
  return json;
}

}  // namespace agneto::ui
