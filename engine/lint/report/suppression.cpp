#include "lint/report/suppression.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "lint/report/rules.h"
#include "script/scan.h"
#include "yaml/tree.h"

namespace agneto::lint {

namespace {

constexpr std::string_view form = "write '# lint: ignore W405 -- why it is right here'";

struct Comment {
  Span span;
  std::string_view text;  // behind its `#` or `--`
};

std::vector<Comment> yaml_comments(const SourcePtr& source) {
  std::vector<Comment> result;
  for (const Span& span : yaml::comments(source)) {
    const std::string_view text = source->text();
    result.push_back({span, text.substr(span.begin + 1, span.end - span.begin - 1)});
  }
  return result;
}

// A piece of Lua may be unquoted, so that a comment in it is looked for on its line.
std::vector<Comment> lua_comments(const model::Machine& machine, const SourcePtr& file) {
  std::vector<Comment> result;
  for (const model::Code& code : machine.code) {
    if (code.span.source != file.get()) continue;
    if (code.text.find("lint:") == std::string::npos) continue;
    const script::Scan scan = script::scan(code.text);
    for (const std::string_view comment : scan.comments) {
      const auto before = static_cast<std::size_t>(comment.data() - code.text.data());
      const auto k = static_cast<std::size_t>(
          std::count(code.text.begin(), code.text.begin() + static_cast<long>(before), '\n'));
      if (k >= code.lines.size()) continue;
      const Source& source = *file;
      const std::size_t start = source.line_start(code.lines[k]);
      const std::size_t at = source.line(code.lines[k]).find(comment);
      if (at == std::string_view::npos) continue;
      const auto begin = static_cast<std::uint32_t>(start + at);
      result.push_back({{&source, begin, begin + static_cast<std::uint32_t>(comment.size())},
                        std::string_view(source.text()).substr(begin + 2, comment.size() - 2)});
    }
  }
  return result;
}

std::vector<Comment> lua_comments(const SourcePtr& module) {
  std::vector<Comment> result;
  const std::string_view text = module->text();
  for (const std::string_view comment : script::scan(text).comments) {
    const auto begin = static_cast<std::uint32_t>(comment.data() - text.data());
    result.push_back({{module.get(), begin, begin + static_cast<std::uint32_t>(comment.size())},
                      comment.substr(2)});
  }
  return result;
}

// The line that a comment is about: its own, or where it stands alone the next that is none.
int line_of(const Comment& comment) {
  const Source& source = *comment.span.source;
  const Position place = comment.span.position();
  const auto before = source.line(place.line).substr(0, static_cast<std::size_t>(place.column) - 1);
  if (!trim(before).empty()) return place.line;
  const char sign = source.text()[comment.span.begin];
  int line = place.line + 1;
  for (; line <= source.line_count(); ++line) {
    const std::string_view text = trim(source.line(line));
    const bool is_comment = sign == '#' ? text.starts_with('#') : text.starts_with("--");
    if (!text.empty() && !is_comment) break;
  }
  return line;
}

std::optional<Suppression> read(const Comment& comment, const TeamRules* team,
                                Diagnostics& diagnostics) {
  const auto refuse = [&](std::string message, std::string_view help) {
    diagnostics.report(rules::bad_suppression, comment.span, std::move(message), help);
    return std::nullopt;
  };
  std::string_view text = trim(comment.text);
  if (!text.starts_with("lint:")) return std::nullopt;
  text = trim(text.substr(5));
  if (!starts_with_word(text, "ignore")) {
    return refuse("this comment for lint is not understood", form);
  }
  text = trim(text.substr(6));
  const std::size_t dashes = text.find("--");
  std::string_view names = trim(text.substr(0, dashes));
  if (names.empty()) return refuse("a suppression names the rule that it is about", form);
  Suppression result{{}, "", comment.span, line_of(comment)};
  while (!names.empty()) {
    const std::size_t comma = std::min(names.find(','), names.size());
    const std::string_view name = trim(names.substr(0, comma));
    const Rule* rule = find_rule(name, team);
    const bool is_unread = !team && name.starts_with("TEAM-");  // as in programs that embed lint
    if (!rule && !is_unread) {
      return refuse(fmt::format("there is no rule '{}'", name), rule_suggestion(name, team));
    }
    if (rule && rule->severity() == Severity::error) {
      return refuse(fmt::format("{} is an error, and errors cannot be suppressed", rule->id()),
                    "correct what it is about; only a warning is a matter of judgement");
    }
    if (rule) result.rules.push_back(rule);
    names.remove_prefix(std::min(comma + 1, names.size()));
    names = trim(names);
  }
  if (dashes != std::string_view::npos) result.reason = trim(text.substr(dashes + 2));
  if (!result.reason.empty()) return result;
  return refuse("a suppression needs a reason",
                fmt::format("write it behind '--': lint: ignore {} -- why it is right here",
                            result.rules.empty() ? "W405" : result.rules.front()->code));
}

std::vector<Suppression> read(const std::vector<Comment>& comments, const TeamRules* team,
                              Diagnostics& diagnostics) {
  std::vector<Suppression> found;
  for (const Comment& comment : comments) {
    if (auto one = read(comment, team, diagnostics)) found.push_back(std::move(*one));
  }
  return found;
}

}  // namespace

std::vector<Suppression> suppressions(const model::Machine& machine, const SourcePtr& file,
                                      const TeamRules* team, Diagnostics& diagnostics) {
  if (file->text().find("lint:") == std::string::npos) return {};
  std::vector<Comment> comments = yaml_comments(file);
  std::ranges::move(lua_comments(machine, file), std::back_inserter(comments));
  return read(comments, team, diagnostics);
}

std::vector<Suppression> suppressions(const SourcePtr& module, const TeamRules* team,
                                      Diagnostics& diagnostics) {
  if (module->text().find("lint:") == std::string::npos) return {};
  return read(lua_comments(module), team, diagnostics);
}

std::vector<Suppression> suppressions_in_configuration(const SourcePtr& file, const TeamRules* team,
                                                       Diagnostics& diagnostics) {
  std::vector<Comment> comments = yaml_comments(file);
  std::erase_if(comments, [](const Comment& comment) {
    return comment.text.find("ignore") == std::string_view::npos;
  });
  return read(comments, team, diagnostics);
}

}  // namespace agneto::lint
