// What is answered to requests about a document: the parameters of a request in, its result out.
#include <fmt/format.h>

#include <algorithm>

#include "lsp/completion.h"
#include "lsp/navigate.h"
#include "lsp/protocol.h"
#include "lsp/rename.h"
#include "lsp/server.h"

namespace agneto::lsp {

OutlinePtr Server::outline_of(const Document& document) {
  const bool is_workflow = !document.path.empty() && analysis_.is_workflow(document.path);
  return is_workflow ? outlines_.of(document.path) : nullptr;
}

Server::Cursor Server::cursor(const Json& params) {
  const Document& on = documents_.named(params);
  const LineIndex lines(*on.text, client_.encoding);
  return {on, lines.offset(at(params, "/position")), outline_of(on)};
}

Json Server::hover(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
  std::string text;
  Json result = Json::object();
  if (const auto found = outline ? lsp::hover(outline, offset, outlines_) : std::nullopt) {
    text = found->text;
    result["range"] = range(outline->source.text(), found->begin, found->end);
  }
  const std::string why = publisher_.explanation(document.path, at(params, "/position"));
  if (!why.empty()) text += (text.empty() ? "" : "\n\n---\n\n") + why;
  if (text.empty()) return nullptr;
  result["contents"] = {{"kind", client_.markdown ? "markdown" : "plaintext"}, {"value", text}};
  return result;
}

Json Server::locations(const std::vector<Target>& targets) const {
  Json list = Json::array();
  LineIndexes indexes(client_.encoding);
  for (const Target& target : targets) {
    const LineIndex& lines = indexes.of(*target.source);
    list.push_back({{"uri", documents_.uri_of(target.source->path())},
                    {"range", lines.range(target.begin, target.end)}});
  }
  return list;
}

Json Server::definition(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
  return outline ? locations(definitions(outline, offset, outlines_)) : Json::array();
}

Json Server::references(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
  if (document.path.extension() == ".lua") {
    return locations(callers(document.path, *document.text, offset, machines_of(document)));
  }
  if (!outline) return Json::array();
  return locations(lsp::references(outline, offset, is_set(params, "/context/includeDeclaration"),
                                   analysis_.known_files(), outlines_));
}

Json Server::symbols(const Json& params) {
  const OutlinePtr outline = outline_of(documents_.named(params));
  if (!outline) return Json::array();
  return lsp::symbols(*outline, LineIndex(outline->source.text(), client_.encoding));
}

Json Server::prepare_rename(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
  if (!outline) return nullptr;
  const Target found = renamable(outline, offset, outlines_);
  return {{"range", range(outline->source.text(), found.begin, found.end)},
          {"placeholder", found.text()}};
}

Json Server::rename(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
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
  LineIndexes indexes(client_.encoding);
  const std::set<fs::path> files = analysis_.known_files();
  for (const Target& one : lsp::rename(outline, offset, text, files, outlines_)) {
    const LineIndex& lines = indexes.of(*one.source);
    changes[documents_.uri_of(one.source->path())].push_back(
        {{"range", lines.range(one.begin, one.end)}, {"newText", text}});
  }
  const std::string before = renamable(outline, offset, outlines_).text();
  if (before != text) {
    constexpr int warning = 2;  // the protocol's MessageType
    for (const std::string& note : left_alone(outline, before, files, outlines_)) {
      notify("window/showMessage", {{"type", warning}, {"message", note}});
    }
  }
  return {{"changes", changes}};
}

Json Server::completion(const Json& params) {
  const auto [document, offset, outline] = cursor(params);
  if (!analysis_.is_workflow(document.path)) return Json::array();
  const Completions found =
      document.path.extension() == ".lua"
          ? complete_module(*document.text, offset, machines_of(document))
          : complete(document.path, *document.text, offset, analysis_.known_files(), outlines_);
  const Json replaced = range(*document.text, found.begin, offset);
  Json items = Json::array();
  for (const Suggestion& one : found.suggestions) {
    const std::string& text = one.insert.empty() ? one.label : one.insert;
    Json item = {{"label", one.label},
                 {"kind", static_cast<int>(one.kind)},
                 {"sortText", fmt::format("{:04}", items.size())},
                 {"filterText", one.label},
                 {"textEdit", {{"range", replaced}, {"newText", text}}}};
    if (!one.detail.empty()) item["detail"] = one.detail;
    if (!one.documentation.empty()) item["documentation"] = one.documentation;
    items.push_back(std::move(item));
  }
  return items;
}

std::vector<OutlinePtr> Server::machines_of(const Document& module) {
  std::vector<OutlinePtr> machines;
  for (const fs::path& file : analysis_.known_files()) {
    const OutlinePtr outline = analysis_.is_workflow(file) ? outlines_.of(file) : nullptr;
    const auto uses = [&](const Mention& one) {
      return one.role == Role::hooks && outline->resolve(one.name) == module.path;
    };
    if (outline && std::ranges::any_of(outline->mentions(), uses)) {
      machines.push_back(outline);
    }
  }
  return machines;
}

}  // namespace agneto::lsp
