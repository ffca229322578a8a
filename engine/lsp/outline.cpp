#include "lsp/outline.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "model/load.h"
#include "model/packages.h"
#include "model/values.h"
#include "script/library.h"
#include "yaml/tolerant.h"

namespace agneto::lsp {

namespace {

using model::ConstructId;
using Form = model::Shape::Form;

// A word and what it is a part of: `ctx.NAME`, `raise("NAME"`, `to = "NAME"`, also where YAML
// escapes the quotes.
struct Word {
  std::string_view owner;
  std::size_t begin = 0;
  std::size_t end = 0;
};

constexpr std::string_view called = "(";  // the owner of a function's name

std::vector<Word> words_of(std::string_view text) {
  std::vector<Word> result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_word(text[i])) continue;
    const std::size_t begin = i;
    while (i < text.size() && is_word(text[i])) ++i;
    const std::string_view owner = text.substr(begin, i - begin);
    const bool is_field = begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == ':') &&
                          !(begin > 1 && text[begin - 2] == '.');
    if (is_field) continue;
    std::size_t at = i;
    const auto skip = [&](char c) {
      while (at < text.size() && text[at] == ' ') ++at;
      const bool there = at < text.size() && text[at] == c;
      if (there) ++at;
      return there;
    };
    Word word{owner, 0, 0};
    if ((owner == "ctx" || owner == "inputs") && skip('.')) {
      word.begin = at;
      while (at < text.size() && is_word(text[at])) ++at;
    } else if (skip(owner == "to" ? '=' : '(')) {
      if (owner != "to") result.push_back({called, begin, i});
      skip('\\');
      if (!skip('"') && !skip('\'')) continue;
      word.begin = at;
      while (at < text.size() && (is_word(text[at]) || text[at] == '.' || text[at] == '-')) ++at;
    } else {
      continue;
    }
    word.end = at;
    result.push_back(word);
  }
  return result;
}

bool is_of_lua(const std::string& name) {
  static const std::vector<std::string> own =
      script::library_names(script::Library::expressions);  // sorted
  constexpr std::string_view others[] = {"raise", "send", "cancel", "state_in", "function"};
  return std::ranges::binary_search(own, name) ||
         std::ranges::find(others, name) != std::end(others);
}

// Where in a scalar's source Lua stands: all of it, or in a template what is in braces.
std::vector<std::pair<std::size_t, std::size_t>> lua_in(std::string_view text, bool is_template) {
  if (!is_template) return {{0, text.size()}};
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
    const std::size_t end = std::min(text.find("}}", at), text.size());
    result.emplace_back(at + 2, end);
    at = end;
  }
  return result;
}

// What the word is the name of, or leads to; nothing where it is neither.
std::optional<Role> role_of(const NodeContext& place) {
  if (place.names) {
    const std::string_view noun = place.names->noun;
    if (noun == "state") return Role::state;
    if (noun == "agent") return Role::agent;
    if (noun == "context entry") return Role::context;
    if (noun == "input" && place.is(ConstructId::machine, "inputs")) return Role::input;
    if (noun == "set of verdicts") return Role::verdicts;
    if (noun == "function") return Role::function;
    if (noun == "verdict" || noun == "option" || noun == "event") return Role::event;
    return {};
  }
  if (place.is_key()) return {};
  if (place.may_be(Form::event)) return Role::event;
  if (place.is(ConstructId::agent, "hooks")) return Role::hooks;
  if (place.may_be(Form::file)) return Role::machine;
  if (place.is(ConstructId::agent_call, "task")) return Role::task;
  if (place.is(ConstructId::state, "agent")) return Role::agent;
  if (place.is(ConstructId::agent_call, "name")) return Role::agent;
  if (place.is(ConstructId::agent, "extends")) return Role::agent;
  if (place.is(ConstructId::agent_call, "verdicts")) return Role::verdicts;
  if (place.is(ConstructId::ask, "default")) return Role::event;
  if (place.may_be(Form::reference)) return Role::state;
  return {};
}

}  // namespace

std::string_view State::kind() const {
  const yaml::Node& node = entry->value;
  const auto is_set = [&](std::string_view key) {
    const yaml::Node* flag = node.find(key);
    return flag && flag->text == "true";
  };
  if (is_set("final")) return "final";
  if (node.find("history")) return "history";
  if (is_set("parallel")) return "parallel";
  return node.find("states") ? "compound" : "atomic";
}

Outline::Outline(const fs::path& file, std::string text)
    : path(file), source(file.string(), std::move(text)), root(yaml::read_tolerantly(source)) {
  visit(root, [this](const NodeContext& place) { add(place); });
}

void Outline::add(const NodeContext& place) {
  if (place.is_lua()) return add_lua(place);
  const yaml::Node& node = *place.node;
  const std::optional<Role> role = role_of(place);
  if (!role || node.text.empty()) return;
  const bool declares = place.names && place.names->noun != "event";
  Span span = node.span;
  if (declares && role == Role::state) {
    const State* parent = state(place.state);
    states_.push_back(std::make_unique<State>(State{node.text, span, place.entry, parent}));
    by_name_.emplace(states_.back()->name, states_.back().get());
    by_entry_.emplace(place.entry, states_.back().get());
  }
  const bool is_quoted =
      node.style == yaml::Style::single_quoted || node.style == yaml::Style::double_quoted;
  if (is_quoted && span.end - span.begin == node.text.size() + 2) {
    ++span.begin;
    --span.end;
  }
  mentions_.push_back({*role, declares, node.text, span, place});
}

void Outline::add_lua(const NodeContext& place) {
  const Span& span = place.node->span;
  const std::string_view text = source.span(span.begin, span.end).text();
  for (const auto& [from, to] : lua_in(text, place.is_template())) {
    for (const Word& word : words_of(text.substr(from, to - from))) {
      Mention found;
      found.place = place;
      found.in_lua = true;
      found.span = source.span(span.begin + from + word.begin, span.begin + from + word.end);
      found.name = found.span.text();
      if (word.owner == "ctx") {
        found.role = Role::context;
      } else if (word.owner == "inputs") {
        found.role = Role::input;
      } else if (word.owner == "raise" || word.owner == "send") {
        found.role = Role::event;
        found.declares = true;
      } else if (word.owner == called && !is_of_lua(found.name)) {
        found.role = Role::function;
      } else if (word.owner != "state_in" && word.owner != "to") {
        continue;
      }
      mentions_.push_back(std::move(found));
    }
  }
}

const State* Outline::state(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

const State* Outline::state(const yaml::Entry* entry) const {
  const auto found = by_entry_.find(entry);
  return found == by_entry_.end() ? nullptr : found->second;
}

const Mention* Outline::declaration(Role role, std::string_view name) const {
  const auto found = std::ranges::find_if(mentions_, [&](const Mention& one) {
    return one.declares && one.role == role && one.name == name;
  });
  return found == mentions_.end() ? nullptr : &*found;
}

const Mention* Outline::mention_at(std::size_t offset) const {
  const auto found = std::ranges::find_if(mentions_, [&](const Mention& one) {
    return one.span.begin <= offset && offset <= one.span.end;
  });
  return found == mentions_.end() ? nullptr : &*found;
}

NodeContext Outline::place_at(std::size_t offset) const {
  NodeContext found;
  visit(root, [&](const NodeContext& place) {
    const Span& span = place.node->span;
    if (span && span.begin <= offset && offset <= span.end && span.begin < span.end) found = place;
  });
  return found;
}

fs::path Outline::resolve(const std::string& file) const {
  const fs::path beside = (path.parent_path() / file).lexically_normal();
  const std::size_t name = file.find('/');
  std::error_code gone;
  if (name == std::string::npos || fs::exists(beside, gone)) return beside;
  for (fs::path root = path.parent_path(); root.has_relative_path(); root = root.parent_path()) {
    const fs::path folder = model::package_folder(root, file.substr(0, name));
    const fs::path packaged = (folder / file.substr(name + 1)).lexically_normal();
    if (fs::exists(packaged, gone)) return packaged;
    if (root.parent_path().filename() == "packages") break;  // this is a package's own folder
  }
  return beside;
}

std::vector<std::string> Outline::names(Role role) const {
  std::vector<std::string> result;
  for (const Mention& one : mentions_) {
    const bool is_known = std::ranges::find(result, one.name) != result.end();
    if (one.declares && one.role == role && !is_known) result.push_back(one.name);
  }
  return result;
}

OutlinePtr Outlines::of(const fs::path& path) {
  auto text = path.extension() == ".lua" ? nullptr : documents_.text(path);
  if (!text) return nullptr;
  Made& made = made_[path];
  if (!made.text || (made.text != text && *made.text != *text)) {
    made.outline = std::make_shared<const Outline>(path, *text);
  }
  made.text = std::move(text);
  return made.outline;
}

std::vector<OutlinePtr> Outlines::with_bases(const OutlinePtr& outline) {
  std::vector<OutlinePtr> all = {outline};
  while (all.size() <= model::most_levels) {
    const yaml::Node* extends = all.back()->root.find("extends");
    if (!extends || extends->text.empty()) break;
    const bool is_bundled = model::is_name(extends->text, false);
    const OutlinePtr base =
        of(is_bundled ? bundled_ / (extends->text + ".yaml") : all.back()->resolve(extends->text));
    if (!base || std::ranges::find(all, base->path,
                                   [](const OutlinePtr& one) { return one->path; }) != all.end()) {
      break;
    }
    all.push_back(base);
  }
  return all;
}

std::vector<OutlinePtr> Outlines::extending(const Outline& base, const std::set<fs::path>& files) {
  std::vector<OutlinePtr> result;
  for (const fs::path& file : files) {
    const OutlinePtr outline = file == base.path ? nullptr : of(file);
    if (!outline) continue;
    const std::vector<OutlinePtr> all = with_bases(outline);
    const auto is_base = [&](const OutlinePtr& one) { return one->path == base.path; };
    if (std::ranges::any_of(all, is_base)) result.push_back(outline);
  }
  return result;
}

Target target(const OutlinePtr& outline, const Span& span) {
  return {std::shared_ptr<const Source>(outline, &outline->source), span.begin, span.end};
}

}  // namespace agneto::lsp
