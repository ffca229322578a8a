#include "lsp/publisher.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lint/catalogue.h"
#include "lint/report/format.h"

namespace agneto::lsp {

std::vector<Json> Publisher::publish(const News& news) {
  std::map<fs::path, Json> now;
  for (const auto& [path, list] : published_) now[path] = Json::array();
  for (const auto& [uri, document] : documents_.all()) {
    if (!document.path.empty()) now[document.path] = Json::array();
  }
  LineIndexes indexes(client_.encoding);
  for (const auto& [path, findings] : news.files) {
    Json& list = now[path] = Json::array();
    for (const Diagnostic& found : findings) list.push_back(diagnostic(found, indexes));
  }
  std::vector<Json> result;
  for (auto& [path, list] : now) {
    const auto known = published_.find(path);
    const bool is_known = known != published_.end() && known->second == list;
    const Document* document = documents_.find(path);
    if (!is_known) {
      Json& params =
          result.emplace_back(Json{{"uri", documents_.uri_of(path)}, {"diagnostics", list}});
      if (document && client_.version) params["version"] = document->version;
    }
    if (document || !list.empty()) {
      published_[path] = std::move(list);
    } else {
      published_.erase(path);
    }
  }
  return result;
}

Json Publisher::diagnostic(const Diagnostic& found, LineIndexes& indexes) const {
  constexpr int error = 1;
  constexpr int warning = 2;
  const LineIndex& lines = indexes.of(*found.span.source);
  Json result = {{"range", lines.range(found.span.begin, found.span.end)},
                 {"severity", found.severity == Severity::error ? error : warning},
                 {"code", found.rule->id()},
                 {"source", "agneto"},
                 {"message", lint::whole_message(found)}};
  const fs::path page = pages_ / fmt::format("{}-{}.md", found.rule->code, found.rule->name);
  const bool has_page = lint::find_rule(found.rule->code) != nullptr;
  if (client_.code_description && has_page) result["codeDescription"] = {{"href", to_uri(page)}};
  if (!client_.related_information) return result;
  Json related = Json::array();
  for (const Diagnostic::Related& one : found.related) {
    if (!one.span) continue;
    const Source& source = *one.span.source;
    const LineIndex& other = indexes.of(source);
    related.push_back({{"location",
                        {{"uri", documents_.uri_of(source.path())},
                         {"range", other.range(one.span.begin, one.span.end)}}},
                       {"message", one.message}});
  }
  if (!related.empty()) result["relatedInformation"] = std::move(related);
  return result;
}

std::string Publisher::explanation(const fs::path& path, const Json& position) const {
  const auto known = published_.find(path);
  if (known == published_.end()) return {};
  const auto before = [](const Json& a, const Json& b) {
    return std::pair(a["line"], a["character"]) <= std::pair(b["line"], b["character"]);
  };
  std::vector<std::string> texts;
  for (const Json& one : known->second) {
    const Json& range = one["range"];
    if (!before(range["start"], position) || !before(position, range["end"])) continue;
    const Rule* rule = lint::find_rule(one["code"].get<std::string>());
    if (!rule) continue;  // the team's own, which say all that they say in the message
    const std::string text = fmt::format("**{}**\n\n{}", rule->id(), rule->explanation);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  }
  return join(texts, "\n\n");
}

}  // namespace agneto::lsp
