#include "ui/export_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "base/text.h"
#include "ui/readable.h"

namespace agneto::ui {
namespace {

constexpr std::size_t cell_columns = 100;

// Text in a table or a sentence: one line, and nothing that Markdown or HTML would act on.
std::string plain(std::string_view text, std::size_t columns = cell_columns) {
  const std::string line = first_line(text, columns);
  const auto letter = [&](std::size_t at) {
    return at < line.size() && std::isalnum(static_cast<unsigned char>(line[at])) != 0;
  };
  std::string escaped;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool inside = line[i] == '_' && i > 0 && letter(i - 1) && letter(i + 1);
    if (!inside && std::string_view("\\`*_[]<>|&~").find(line[i]) != std::string_view::npos) {
      escaped += '\\';
    }
    escaped += line[i];
  }
  return escaped;
}

std::string block(std::string_view text) {
  std::size_t longest = 2, ticks = 0;
  for (const char c : text) {
    ticks = c == '`' ? ticks + 1 : 0;
    longest = std::max(longest, ticks);
  }
  const std::string fence(longest + 1, '`');
  const std::string clean = printable(text);
  return fence + "text\n" + clean + (clean.ends_with('\n') ? "" : "\n") + fence + "\n";
}

std::string code(std::string_view text) {
  std::string clean = first_line(text, any_width);
  std::replace(clean.begin(), clean.end(), '`', '\'');
  std::replace(clean.begin(), clean.end(), '|', '/');
  return clean.empty() ? "" : "`" + clean + "`";
}

std::string text_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

// "2026-11-21 22:00:36" of "2026-11-21T22:00:36.123Z".
std::string readable_time(const std::string& time) {
  return time.size() < 19 ? time : time.substr(0, 10) + " " + time.substr(11, 8);
}

class Table {
 public:
  explicit Table(const std::vector<std::string>& head) {
    row(head);
    row(std::vector<std::string>(head.size(), "---"));
  }
  void row(const std::vector<std::string>& cells) { text_ += "| " + join(cells, " | ") + " |\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

struct Effort {
  int calls = 0, attempts = 0;
  agents::Usage usage;
  Millis time{0};

  // A call counts once it has ended, where it was made.
  void add(const Json& call) {
    const bool made = !call.at("attempts").empty() || call.at("outcome") != "cancelled";
    if (made && !call.at("outcome").is_null()) ++calls;
    for (const auto& attempt : call.at("attempts")) {
      const Json& reply = attempt.at("reply");
      if (!reply.is_object()) continue;
      ++attempts;
      usage += usage_of(reply);
      time += Millis(reply.at("ms").get<std::int64_t>());
    }
  }
  static agents::Usage usage_of(const Json& json) {
    return {json.at("cost"), json.at("input_tokens"), json.at("output_tokens"),
            json.value("unpriced", 0), json.value("uncounted", 0)};
  }
  std::vector<std::string> cells(const std::string& name) const {
    const std::int64_t tokens = usage.input_tokens + usage.output_tokens;
    return {plain(name),
            std::to_string(calls),
            std::to_string(attempts),
            readable_cost(usage),
            tokens > 0 ? (usage.uncounted > 0 ? "at least " : "") + std::to_string(tokens) : "",
            format_duration(time)};
  }
};

std::string head(const Json& exported) {
  const Json& run = exported.at("run");
  std::string text = "# Run " + plain(text_of(run, "id"), any_width) + "\n\n";
  Table table({"", ""});
  const std::string outcome = text_of(run, "outcome");
  table.row({"status", plain(text_of(run, "status") + (outcome.empty() ? "" : ": " + outcome))});
  table.row({"workflow", plain(text_of(run, "workflow"))});
  table.row({"started", readable_time(text_of(run, "created")) + " UTC"});
  table.row({"last entry", readable_time(text_of(run, "updated")) + " UTC"});
  if (const auto branch = text_of(run, "branch"); !branch.empty()) {
    table.row({"branch", code(branch) + " from " + code(readable_base(text_of(run, "base")))});
  }
  table.row({"exported", readable_time(text_of(exported, "exported")) + " UTC by " +
                             plain(text_of(exported, "program"))});
  return text + table.text() + "\n## Task\n\n" + block(text_of(run, "task"));
}

std::string effort(const Json& exported) {
  std::map<std::string, Effort> agents;
  const Json& totals = exported.at("totals");
  Effort all{totals.at("calls"), totals.at("attempts"), Effort::usage_of(totals)};
  for (const auto& call : exported.at("calls")) agents[text_of(call, "agent")].add(call);
  all.time = Millis(totals.at("worked").get<std::int64_t>());  // several at once count once
  if (agents.empty()) return "";
  Table table({"agent", "calls", "attempts", "cost", "tokens", "time"});
  for (const auto& [name, effort] : agents) table.row(effort.cells(name));
  table.row(all.cells("all"));
  return "\n## Effort\n\n" + table.text();
}

std::string questions(const Json& exported) {
  std::string text;
  for (const auto& question : exported.at("questions")) {
    text += "\n### " + plain(readable_path(text_of(question, "path"))) + "\n\n" +
            block(text_of(question, "question"));
    const Json& answer = question.at("answer");
    if (!answer.is_object()) {
      const std::string outcome = text_of(question, "outcome");
      text += "\nAsked at " + readable_time(text_of(question, "ordered")) + ", " +
              (outcome.empty() ? "not answered yet" : "not answered: " + plain(outcome)) + ".\n";
      continue;
    }
    const std::string by = text_of(answer, "by");
    text += "\nAnswered at " + readable_time(text_of(answer, "time")) + " by " +
            (by == "default"     ? "default: nobody was there"
             : by == "elsewhere" ? plain(text_of(answer, "name"))
                                 : "a " + plain(by)) +
            ": " + code(text_of(answer, "option")) + "\n";
    if (const auto words = text_of(answer, "feedback"); !words.empty()) {
      text += "\n" + block(words);
    }
  }
  return text.empty() ? "" : "\n## Questions\n" + text;
}

std::string operations(const Json& exported) {
  Table table({"time", "operation", "outcome", "commit", "message"});
  if (exported.at("operations").empty()) return "";
  for (const auto& operation : exported.at("operations")) {
    const Json data = operation.at("data").is_object() ? operation.at("data") : Json::object();
    const std::string outcome = text_of(operation, "outcome");
    const std::string why = text_of(data, "message");
    table.row({readable_time(text_of(operation, "ended")), text_of(operation, "operation"),
               plain(outcome.empty() ? "not done yet" : outcome),
               code(text_of(data, "commit").substr(0, 12)),
               plain(outcome == "ok" ? text_of(operation, "message") : why)});
  }
  return "\n## Commits and merges\n\n" + table.text();
}

// Everything that was done, in the order in which it was ordered.
std::string course(const Json& exported) {
  std::vector<std::pair<std::int64_t, std::vector<std::string>>> rows;
  const auto add = [&](const Json& record, const std::string& who, const Json& said) {
    const std::string outcome = text_of(record, "outcome");
    rows.push_back({record.at("seq"),
                    {readable_time(text_of(record, "ordered")),
                     plain(readable_path(text_of(record, "path"))), who,
                     plain(outcome.empty() ? "…" : outcome) +
                         (record.value("stands", true) ? "" : " (undone)"),
                     plain(gist(said, cell_columns))}});
  };
  for (const auto& call : exported.at("calls")) {
    add(call, plain(text_of(call, "agent")), call.at("data"));
  }
  for (const auto& question : exported.at("questions")) {
    add(question, "person", question.at("data"));
  }
  for (const auto& command : exported.at("commands")) add(command, "command", command.at("data"));
  for (const auto& operation : exported.at("operations")) {
    const bool done = text_of(operation, "outcome") == "ok";
    add(operation, text_of(operation, "operation"), done ? operation : operation.at("data"));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Table table({"time", "where", "who", "outcome", "what it says"});
  for (const auto& [seq, cells] : rows) table.row(cells);
  return "\n## What happened\n\n" + table.text();
}

std::string problems(const Json& exported) {
  Table table({"time", "where", "event", "message"});
  bool any = false;
  for (const auto& step : exported.at("steps")) {
    for (const auto& problem : step.value("problems", Json::array())) {
      any = true;
      table.row({readable_time(text_of(step, "time")),
                 plain(readable_path(text_of(problem, "path"))), plain(text_of(problem, "event")),
                 plain(text_of(problem, "message"))});
    }
  }
  return any ? "\n## Problems\n\n" + table.text() : "";
}

}  // namespace

std::string markdown_summary(const Json& exported) {
  return head(exported) + effort(exported) + course(exported) + questions(exported) +
         operations(exported) + problems(exported) +
         "\nEvery prompt and reply is in the JSON export. Times are UTC.\n";
}

}  // namespace agneto::ui
