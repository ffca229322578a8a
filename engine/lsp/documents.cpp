#include "lsp/documents.h"

#include <algorithm>

#include "lsp/position.h"
#include "lsp/protocol.h"

namespace agneto::lsp {

namespace {

std::string required_text(const Json& object, const std::string& path) {
  const Json value = at(object, path.c_str());
  if (value.is_string()) return value.get<std::string>();
  throw InvalidParams("'" + path.substr(path.rfind('/') + 1) + "' must be text");
}

void apply(std::string& text, const Json& change, Encoding encoding) {
  const std::string with = required_text(change, "/text");
  const Json range = at(change, "/range");
  if (range.is_null()) {
    text = with;
    return;
  }
  const LineIndex lines(text, encoding);
  const std::size_t begin = lines.offset(at(range, "/start"));
  const std::size_t end = lines.offset(at(range, "/end"));
  if (end < begin) throw InvalidParams("a range ends before it begins");
  text.replace(begin, end - begin, with);
}

std::string uri_in(const Json& params) {
  return required_text(params, "/textDocument/uri");
}

}  // namespace

fs::path Documents::open(const Json& params) {
  const std::string uri = uri_in(params);
  auto text = std::make_shared<const std::string>(required_text(params, "/textDocument/text"));
  Document document{uri, to_path(uri), at(params, "/textDocument/version"), std::move(text)};
  return by_uri_.insert_or_assign(uri, std::move(document)).first->second.path;
}

fs::path Documents::change(const Json& params, Encoding encoding) {
  Document changed = named(params);
  const Json changes = at(params, "/contentChanges");
  if (!changes.is_array()) throw InvalidParams("'contentChanges' must be a list");
  std::string text = *changed.text;
  for (const Json& change : changes) apply(text, change, encoding);
  changed.text = std::make_shared<const std::string>(std::move(text));
  changed.version = at(params, "/textDocument/version");
  return (by_uri_[changed.uri] = changed).path;
}

fs::path Documents::close(const Json& params) {
  const Document closed = named(params);
  by_uri_.erase(closed.uri);
  return closed.path;
}

const Document& Documents::named(const Json& params) const {
  const auto found = by_uri_.find(uri_in(params));
  if (found == by_uri_.end()) throw InvalidParams("the document is not open");
  return found->second;
}

const Document* Documents::find(const fs::path& path) const {
  const auto found =
      std::ranges::find_if(by_uri_, [&](const auto& entry) { return entry.second.path == path; });
  return found == by_uri_.end() ? nullptr : &found->second;
}

std::shared_ptr<const std::string> Documents::text(const fs::path& path) const {
  if (const Document* document = find(path)) return document->text;
  auto text = disk_.read(path);
  return text ? std::make_shared<const std::string>(std::move(*text)) : nullptr;
}

std::string Documents::uri_of(const fs::path& path) const {
  const Document* document = find(path);
  return document ? document->uri : to_uri(path);
}

std::shared_ptr<const Files> Documents::files() const {
  std::map<std::string, std::string> open;
  for (const auto& [uri, document] : by_uri_) {
    if (!document.path.empty()) open[document.path.string()] = *document.text;
  }
  return std::make_shared<const Overlay>(std::move(open), disk_);
}

}  // namespace agneto::lsp
