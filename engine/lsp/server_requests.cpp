// What the server answers to requests about a document.

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lsp/completion.h"
#include "lsp/members.h"
#include "lsp/navigate.h"
#include "lsp/protocol.h"
#include "lsp/rename.h"
#include "lsp/server.h"
#include "lsp/symbols.h"
#include "lsp/uri.h"

namespace agneto::lsp {

namespace {

constexpr int warning_message = 2;  // the protocol's MessageType

// The protocol's CompletionItemKind.
int item_kind(Suggestion::Kind kind) {
  switch (kind) {
    case Suggestion::Kind::key:
      return 10;  // property
    case Suggestion::Kind::state:
      return 7;  // class
    case Suggestion::Kind::agent:
      return 8;  // interface
    case Suggestion::Kind::event:
      return 23;  // event
    case Suggestion::Kind::function:
      return 3;  // function
    case Suggestion::Kind::field:
      return 5;  // field
    case Suggestion::Kind::variable:
      return 6;  // variable
    case Suggestion::Kind::type:
      return 25;  // type parameter
    case Suggestion::Kind::file:
      return 17;  // file
    case Suggestion::Kind::value:
      break;
  }
  return 12;  // value
}

}  // namespace

Server::Cursor Server::cursor(const Json& params) {
  const Document* document = documents_.find(document_uri(params));
  if (!document) throw InvalidParams("the document is not open");
  const Lines lines(*document->text, encoding_);
  const std::size_t offset = lines.offset(at(params, "/position"));
  const bool is_yaml = !document->path.empty() && document->path.extension() != ".lua";
  if (!is_yaml || !analysis_.is_workflow(document->path)) return {};
  return {outlines_.of(document->path), offset};
}

Json Server::hover(const Json& params) {
  const auto [outline, offset] = cursor(params);
  const fs::path path = to_path(document_uri(params));
  std::string text;
  Json result = Json::object();
  if (const auto found = outline ? lsp::hover(outline, offset, outlines_) : std::nullopt) {
    text = found->text;
    result["range"] = Lines(outline->source.text(), encoding_).range(found->begin, found->end);
  }
  const std::string why = explanation(path, at(params, "/position"));
  if (!why.empty()) text += (text.empty() ? "" : "\n\n---\n\n") + why;
  if (text.empty()) return nullptr;
  result["contents"] = {{"kind", client_.markdown ? "markdown" : "plaintext"}, {"value", text}};
  return result;
}

std::string Server::explanation(const fs::path& path, const Json& position) const {
  const auto known = published_.find(path);
  if (known == published_.end()) return {};
  const auto before = [](const Json& a, const Json& b) {
    return std::pair(a["line"], a["character"]) <= std::pair(b["line"], b["character"]);
  };
  std::vector<std::string> texts;
  for (const Json& one : known->second) {
    const Json& range = one["range"];
    if (!before(range["start"], position) || !before(position, range["end"])) continue;
    const Rule* rule = find_rule(one["code"].get<std::string>());
    const std::string text = fmt::format("**{}**\n\n{}", rule->id(), rule->explanation);
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  return join(texts, "\n\n");
}

Json Server::locations(const std::vector<Target>& targets) const {
  Json list = Json::array();
  LinesOf known_lines;
  for (const Target& target : targets) {
    const Lines& lines = lines_of(*target.source, known_lines);
    list.push_back(
        {{"uri", uri_of(target.source->path())}, {"range", lines.range(target.begin, target.end)}});
  }
  return list;
}

Json Server::definition(const Json& params) {
  const auto [outline, offset] = cursor(params);
  return outline ? locations(definitions(outline, offset, outlines_)) : Json::array();
}

Json Server::references(const Json& params) {
  const Document* document = documents_.find(document_uri(params));
  if (document && document->path.extension() == ".lua") {
    const std::size_t at_cursor = Lines(*document->text, encoding_).offset(at(params, "/position"));
    return locations(callers(document->path, *document->text, at_cursor, machines_of(*document)));
  }
  const auto [outline, offset] = cursor(params);
  if (!outline) return Json::array();
  return locations(lsp::references(outline, offset, is_set(params, "/context/includeDeclaration"),
                                   analysis_.known_files(), outlines_));
}

Json Server::symbols(const Json& params) {
  Json start = params;
  start["position"] = {{"line", 0}, {"character", 0}};
  const OutlinePtr outline = cursor(start).outline;
  if (!outline) return Json::array();
  return lsp::symbols(*outline, Lines(outline->source.text(), encoding_));
}

Json Server::prepare_rename(const Json& params) {
  const auto [outline, offset] = cursor(params);
  if (!outline) return nullptr;
  const Target found = renamable(outline, offset);
  const std::string& text = outline->source.text();
  return {{"range", Lines(text, encoding_).range(found.begin, found.end)},
          {"placeholder", text.substr(found.begin, found.end - found.begin)}};
}

Json Server::rename(const Json& params) {
  const auto [outline, offset] = cursor(params);
  if (!outline) return nullptr;
  const Json name = at(params, "/newName");
  if (!name.is_string()) throw InvalidParams("'newName' must be text");
  if (!analysis_.knows_workflows()) {
    throw RequestError(ErrorCode::request_failed,
                       "the workflows that it may be a part of are still being looked for; try "
                       "again in a moment");
  }
  const std::string text = name.get<std::string>();
  Json changes = Json::object();
  LinesOf known_lines;
  const std::set<fs::path> files = analysis_.known_files();
  for (const Target& one : lsp::rename(outline, offset, text, files, outlines_)) {
    const Lines& lines = lines_of(*one.source, known_lines);
    changes[uri_of(one.source->path())].push_back(
        {{"range", lines.range(one.begin, one.end)}, {"newText", text}});
  }
  const Target old = renamable(outline, offset);
  const std::string name_before = old.source->text().substr(old.begin, old.end - old.begin);
  if (name_before == text) return {{"changes", changes}};
  for (const std::string& note : left_alone(outline, name_before, files, outlines_)) {
    notify("window/showMessage", {{"type", warning_message}, {"message", note}});
  }
  return {{"changes", changes}};
}

Json Server::completion(const Json& params) {
  const Document* document = documents_.find(document_uri(params));
  if (!document) throw InvalidParams("the document is not open");
  const Lines lines(*document->text, encoding_);
  const std::size_t offset = lines.offset(at(params, "/position"));
  if (!analysis_.is_workflow(document->path)) return Json::array();
  const Completions found =
      document->path.extension() == ".lua"
          ? complete_module(*document->text, offset, machines_of(*document))
          : complete(document->path, *document->text, offset, analysis_.known_files(), outlines_);
  const Json range = lines.range(found.begin, offset);
  Json items = Json::array();
  for (const Suggestion& one : found.suggestions) {
    const std::string& text = one.insert.empty() ? one.label : one.insert;
    Json item = {{"label", one.label},
                 {"kind", item_kind(one.kind)},
                 {"sortText", fmt::format("{:04}", items.size())},
                 {"filterText", one.label},
                 {"textEdit", {{"range", range}, {"newText", text}}}};
    if (!one.detail.empty()) item["detail"] = one.detail;
    if (!one.documentation.empty()) item["documentation"] = one.documentation;
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<OutlinePtr> Server::machines_of(const Document& module) {
  std::vector<OutlinePtr> machines;
  for (const fs::path& file : analysis_.known_files()) {
    if (file.extension() == ".lua" || !analysis_.is_workflow(file)) continue;
    const OutlinePtr outline = outlines_.of(file);
    const auto uses = [&](const Mention& one) {
      return one.role == Role::hooks && outline->resolve(one.name) == module.path;
    };
    if (outline && std::any_of(outline->mentions().begin(), outline->mentions().end(), uses)) {
      machines.push_back(outline);
    }
  }
  return machines;
}

}  // namespace agneto::lsp
