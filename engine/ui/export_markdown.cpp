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

// The text under that key of what an outcome carries; empty where there is none.
std::string text_of(const Json& data, const char* key) {
  if (!data.is_object()) return "";
  const auto found = data.find(key);
  return found != data.end() && found->is_string() ? found->get<std::string>() : "";
}

// "2026-11-21 22:00:36"
std::string readable_time(Time time) {
  const std::string text = format_time(time);  // "2026-11-21T22:00:36.123Z"
  return text.substr(0, 10) + " " + text.substr(11, 8);
}

std::string name_of(const chart::GitOperation& operation) {
  using Kind = model::WorkspaceOperation::Kind;
  if (operation.kind == Kind::commit) return "commit";
  return operation.kind == Kind::merge ? "merge" : "discard";
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
  void add(const record::CallSummary& call) {
    if (call.outcome && (!call.attempts.empty() || call.outcome != "cancelled")) ++calls;
    for (const auto& attempt : call.attempts) {
      if (!attempt.reply) continue;
      ++attempts;
      usage += attempt.reply->reply.usage;
      time += attempt.reply->reply.duration;
    }
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

std::string head(const run::RunExport& exported) {
  const journal::RunRecord& run = exported.run;
  std::string text = "# Run " + plain(run.id, any_width) + "\n\n";
  Table table({"", ""});
  table.row({"status", plain(run.status + (run.outcome.empty() ? "" : ": " + run.outcome))});
  table.row({"workflow", plain(run.workflow)});
  table.row({"started", readable_time(run.created) + " UTC"});
  table.row({"last entry", readable_time(run.updated) + " UTC"});
  if (!run.branch.empty()) {
    table.row({"branch", code(run.branch) + " from " + code(readable_base(run.base))});
  }
  table.row({"exported", readable_time(exported.exported) + " UTC by " + plain(exported.program)});
  return text + table.text() + "\n## Task\n\n" + block(run.task);
}

std::string effort(const run::RunExport& exported) {
  std::map<std::string, Effort> agents;
  const record::Totals& totals = exported.totals;
  Effort all{totals.calls, totals.attempts, totals.usage};
  for (const auto& call : exported.summary.calls) agents[call.agent].add(call);
  all.time = totals.time.worked;  // several at once count once
  if (agents.empty()) return "";
  Table table({"agent", "calls", "attempts", "cost", "tokens", "time"});
  for (const auto& [name, effort] : agents) table.row(effort.cells(name));
  table.row(all.cells("all"));
  return "\n## Effort\n\n" + table.text();
}

std::string questions(const record::RunSummary& summary) {
  std::string text;
  for (const auto& question : summary.questions) {
    text += "\n### " + plain(readable_path(question.question.path)) + "\n\n" +
            block(question.question.question);
    if (!question.answer) {
      text +=
          "\nAsked at " + readable_time(question.ordered) + ", " +
          (question.outcome ? "not answered: " + plain(*question.outcome) : "not answered yet") +
          ".\n";
      continue;
    }
    const record::Answered& answer = question.answer->answer;
    text += "\nAnswered at " + readable_time(question.answer->time) + " by " +
            (answer.by == "default"     ? "default: nobody was there"
             : answer.by == "elsewhere" ? plain(answer.name)
                                        : "a " + plain(answer.by)) +
            ": " + code(answer.option) + "\n";
    if (!answer.feedback.empty()) text += "\n" + block(answer.feedback);
  }
  return text.empty() ? "" : "\n## Questions\n" + text;
}

std::string operations(const record::RunSummary& summary) {
  Table table({"time", "operation", "outcome", "commit", "message"});
  if (summary.operations.empty()) return "";
  for (const auto& done : summary.operations) {
    table.row(
        {done.ended ? readable_time(*done.ended) : "", name_of(done.operation),
         plain(done.outcome.value_or("not done yet")),
         code(text_of(done.data, "commit").substr(0, 12)),
         plain(done.outcome == "ok" ? done.operation.message : text_of(done.data, "message"))});
  }
  return "\n## Commits and merges\n\n" + table.text();
}

// Everything that was done, in the order in which it was ordered.
std::string course(const record::RunSummary& summary) {
  std::vector<std::pair<journal::Seq, std::vector<std::string>>> rows;
  const auto add = [&](const record::Ordered& activity, const std::string& path,
                       const std::string& who, const Json& said) {
    rows.push_back({activity.seq,
                    {readable_time(activity.ordered), plain(readable_path(path)), who,
                     plain(activity.outcome.value_or("…")) + (activity.stands ? "" : " (undone)"),
                     plain(gist(said, cell_columns))}});
  };
  for (const auto& call : summary.calls) add(call, call.call.path, plain(call.agent), call.data);
  for (const auto& asked : summary.questions) {
    add(asked, asked.question.path, "person", asked.data);
  }
  for (const auto& run : summary.commands) add(run, run.command.path, "command", run.data);
  for (const auto& done : summary.operations) {
    const Json message = {{"message", done.operation.message}};
    add(done, done.operation.path, name_of(done.operation),
        done.outcome == "ok" ? message : done.data);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Table table({"time", "where", "who", "outcome", "what it says"});
  for (const auto& [seq, cells] : rows) table.row(cells);
  return "\n## What happened\n\n" + table.text();
}

std::string problems(const record::RunSummary& summary) {
  Table table({"time", "where", "event", "message"});
  bool any = false;
  const auto rows = [&](const record::StepSummary& step, const auto& problems) {
    for (const record::Problem& problem : problems) {
      any = true;
      table.row({readable_time(step.time), plain(readable_path(problem.path)), plain(problem.event),
                 plain(problem.message)});
    }
  };
  for (const auto& step : summary.steps) {
    rows(step, step.step.caught);
    rows(step, step.step.refused);
    rows(step, step.step.problems);
  }
  return any ? "\n## Problems\n\n" + table.text() : "";
}

}  // namespace

std::string markdown_summary(const run::RunExport& exported) {
  const record::RunSummary& summary = exported.summary;
  return head(exported) + effort(exported) + course(summary) + questions(summary) +
         operations(summary) + problems(summary) +
         "\nEvery prompt and reply is in the JSON export. Times are UTC.\n";
}

}  // namespace agneto::ui
