#include "lsp/completion.h"

#include <algorithm>

#include "base/text.h"
#include "lsp/navigate.h"
#include "lsp/outcomes.h"
#include "model/outcomes.h"

namespace agneto::lsp {

namespace {

using model::ConstructId;
using model::Shape;
using Form = Shape::Form;
using Kind = Suggestion::Kind;

// This stands for the word that is being typed.
constexpr std::string_view marker = "agneto_cursor_is_here";

// Is it a part of a name, or of a file's?
bool is_part(char c) {
  return is_word(c) || c == '-' || c == '.' || c == '/';
}

class Completer {
 public:
  Completer(const OutlinePtr& outline, const std::set<fs::path>& files, Outlines& outlines,
            Completions& out)
      : outline_(outline), files_(files), outlines_(outlines), out_(out) {}

  // `has_colon`: one follows already. `is_behind_key`: a value on the line of its key, where no
  // further key can stand.
  void run(const NodeContext& place, bool has_colon, bool is_behind_key) {
    if (place.names) return names(*place.names, place, !has_colon);
    if (place.is_key()) return keys(*place.object, *place.construct, has_colon);
    if (!place.shapes) return;
    for (const Shape& shape : *place.shapes) {
      const bool has_keys = shape.form == Form::object || shape.form == Form::names;
      if (!has_keys || !is_behind_key) value(shape, place);
    }
  }

  void keys(const yaml::Node& object, const model::Construct& construct, bool has_colon) {
    for (const model::Key& key : construct.keys) {
      if (object.kind == yaml::Kind::map && object.find(key.name)) continue;
      const bool only_block = std::ranges::all_of(key.shapes, [](const Shape& one) {
        return one.form == Form::object || one.form == Form::names || one.form == Form::list;
      });
      std::string insert(key.name);
      if (!has_colon) insert += only_block ? ":" : ": ";
      out_.add({Kind::key, std::string(key.name), insert, key.required ? "required" : "",
                std::string(key.description)});
    }
  }

 private:
  void value(const Shape& shape, const NodeContext& place) {
    switch (shape.form) {
      case Form::reference:
        return reference(place);
      case Form::event:
        return events(place);
      case Form::boolean:
        return out_.add_all(Kind::value, {"true", "false"});
      case Form::choice:
        return out_.add_all(Kind::value, {shape.choices.begin(), shape.choices.end()});
      case Form::type:
        return out_.add_all(
            Kind::type, {"string", "integer", "number", "boolean", "list", "map", "any", "enum"});
      case Form::file:
        return files(place.is(ConstructId::agent, "hooks")    ? ".lua"
                     : place.is(ConstructId::agent, "prompt") ? ".md"
                                                              : ".yaml");
      case Form::name:
        if (place.is(ConstructId::agent_call, "task")) tasks(place);
        return;
      case Form::object:
        return keys({}, model::construct(shape.construct), false);
      case Form::names:
        return names(shape, place, true);
      case Form::list:
        for (const Shape& element : shape.elements) {
          if (element.form == Form::reference) return;  // said once, for the value itself
          if (element.form == Form::event) value(element, place);
        }
        return;
      default:
        return;
    }
  }

  void reference(const NodeContext& place) {
    if (place.is(ConstructId::state, "agent") || place.is(ConstructId::agent_call, "name") ||
        place.is(ConstructId::agent, "extends")) {
      return names(Role::agent, Kind::agent);
    }
    if (place.is(ConstructId::agent_call, "verdicts")) return names(Role::verdicts, Kind::event);
    if (place.is(ConstructId::ask, "default")) {
      const yaml::Node* options = place.object->find("options");
      if (!options) return;
      for (const auto& option : options->entries) out_.add({Kind::event, option.key.text});
      return;
    }
    if (place.is(ConstructId::agent, "session")) {
      out_.add_all(Kind::value, {"fresh", "machine", "run"});
    }
    states();
  }

  // The farthest first, which says more of a state than what changes it.
  std::vector<OutlinePtr> files_of_machine() {
    std::vector<OutlinePtr> all = outlines_.with_bases(outline_);
    std::ranges::reverse(all);
    return all;
  }

  void names(Role role, Kind kind) {
    for (const OutlinePtr& file : files_of_machine()) out_.add_all(kind, file->names(role));
  }

  void states() {
    for (const OutlinePtr& file : files_of_machine()) states(*file);
  }
  void states(const Outline& file) {
    for (const auto& state : file.states()) {
      out_.add({Kind::state, state->name, "",
                std::string(state->kind()) + (state->parent ? " in " + state->parent->name : ""),
                text_of(state->entry->value.find("description"))});
    }
  }

  // What this file can change of those that it extends.
  void changeable(const Shape& shape) {
    for (const OutlinePtr& file : files_of_machine()) {
      if (file == outline_) continue;
      if (shape.noun == "state") states(*file);
      if (shape.noun == "agent") out_.add_all(Kind::agent, file->names(Role::agent));
      if (shape.noun == "function") out_.add_all(Kind::function, file->names(Role::function));
      if (shape.noun == "set of verdicts") out_.add_all(Kind::event, file->names(Role::verdicts));
      if (shape.noun == "context entry") out_.add_all(Kind::field, file->names(Role::context));
      if (shape.noun == "input") out_.add_all(Kind::field, file->names(Role::input));
    }
  }

  void names(const Shape& shape, const NodeContext& place, bool with_colon) {
    const std::size_t before = out_.suggestions.size();
    if (shape.key == Form::event) events(place);
    if (place.object && place.object->find("machine")) {
      if (shape.noun == "input") inputs(place);
    } else {
      changeable(shape);
    }
    for (std::size_t i = before; with_colon && i < out_.suggestions.size(); ++i) {
      out_.suggestions[i].insert = out_.suggestions[i].label + ": ";
    }
  }

  void events(const NodeContext& place) {
    const State* state = outline_->state(place.state);
    const std::vector<OutlinePtr> files = outlines_.with_bases(outline_);
    for (const NamedOutcome& outcome : outcomes_around(files, place, outlines_)) {
      out_.add({Kind::event, outcome.event, "",
                state ? "outcome" : "outcome of " + outcome.state->name,
                outcome.fields.empty() ? "" : "with " + join(outcome.fields, ", ")});
    }
    for (const Mention& one : outline_->mentions()) {
      if (one.role == Role::event && one.declares && one.in_lua) {
        out_.add({Kind::event, one.name, "", "raised in Lua"});
      }
    }
    for (const auto& one : outline_->states()) {
      if (one->kind() == "compound" || one->kind() == "parallel") {
        out_.add({Kind::event, "done.state." + one->name, "", "all inside has ended"});
      }
    }
    out_.add({Kind::event, "error", "", "every error of an activity"});
    for (const std::string& error : model::engine_errors()) {
      out_.add({Kind::event, error, "", "error of an activity"});
    }
    out_.add({Kind::event, std::string(model::undelivered), "",
              "nobody was there whom an event was sent to"});
    for (const char* limit : {"calls", "cost", "tokens", "time"}) {
      out_.add({Kind::event, std::string("limit.") + limit, "", "limit of the machine"});
    }
    out_.add({Kind::event, "abort", "", "a person ends the run"});
    out_.add({Kind::event, "any", "", "every event"});
  }

  // Adds the inputs of the machine that `with` is for.
  void inputs(const NodeContext& place) {
    const yaml::Node* file = place.object ? place.object->find("machine") : nullptr;
    const OutlinePtr machine = file ? outlines_.of(outline_->resolve(file->text)) : nullptr;
    if (!machine) return;
    for (const std::string& name : machine->names(Role::input)) {
      out_.add({Kind::field, name, "", "input of " + file->text});
    }
  }

  void tasks(const NodeContext& place) {
    const yaml::Node* hooks = hooks_of(*outline_, place);
    const auto text = hooks ? outlines_.text(outline_->resolve(hooks->text)) : nullptr;
    if (!text) return;
    for (const HookFunction& function : hook_functions(*text)) {
      if (!function.task.empty()) out_.add({Kind::function, function.task, "", hooks->text});
    }
  }

  void files(const char* extension) {
    for (const fs::path& file : files_) {
      if (file.extension() != extension || file == outline_->path) continue;
      if (file.filename() == "config.yaml" || !outlines_.text(file)) continue;
      out_.add({Kind::file, file.lexically_relative(outline_->path.parent_path()).string()});
    }
  }

  const OutlinePtr& outline_;
  const std::set<fs::path>& files_;
  Outlines& outlines_;
  Completions& out_;
};

NodeContext place_of_marker(const Outline& outline) {
  NodeContext found;
  visit(outline.root, [&](const NodeContext& place) {
    if (place.node->text.find(marker) != std::string::npos) found = place;
  });
  return found;
}

}  // namespace

void Completions::add(Suggestion suggestion) {
  if (suggestion.label.empty() || suggestion.label.find(marker) != std::string::npos) return;
  if (known_.insert(suggestion.label).second) suggestions.push_back(std::move(suggestion));
}

void Completions::add_all(Suggestion::Kind kind, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) add({kind, label});
}

Completions complete(const fs::path& path, const std::string& text, std::size_t offset,
                     const std::set<fs::path>& files, Outlines& outlines) {
  std::size_t begin = offset;
  while (begin > 0 && is_part(text[begin - 1])) --begin;
  std::size_t end = offset;
  while (end < text.size() && is_part(text[end])) ++end;
  std::string marked = text;
  marked.replace(begin, end - begin, marker);
  const auto outline = std::make_shared<const Outline>(path, std::move(marked));
  const NodeContext place = place_of_marker(*outline);
  if (!place.node) return {};
  if (place.is_lua()) {
    const std::size_t from = place.node->span.begin;
    const std::string_view before = std::string_view(text).substr(from, offset - from);
    Completions found = complete_lua(outline, place, before, outlines);
    found.begin += from;
    return found;
  }
  const std::size_t colon = text.find_first_not_of(' ', end);
  const bool has_colon = colon != std::string::npos && text[colon] == ':';
  Completions found;
  found.begin = begin;
  Completer completer(outline, files, outlines, found);
  if (place.construct || place.is_key()) {
    const Source source({}, text);
    const std::size_t line = source.line_start(source.position(begin).line);
    const std::string_view before = std::string_view(text).substr(line, begin - line);
    const bool is_behind_key = before.find_first_not_of(" \t-") != std::string_view::npos;
    completer.run(place, has_colon, is_behind_key);
  } else {
    completer.keys({}, model::construct(ConstructId::machine), has_colon);
  }
  return found;
}

}  // namespace agneto::lsp
