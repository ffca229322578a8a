#include <algorithm>

#include "base/text.h"
#include "lsp/completion.h"
#include "lsp/navigate.h"
#include "lsp/outcomes.h"
#include "model/machine.h"
#include "script/library.h"

namespace agneto::lsp {

namespace {

using Kind = Suggestion::Kind;

// What the cursor is behind: `ctx.ro`, `raise("TO`, or a word alone.
struct Spot {
  std::size_t begin = 0;  // of the word
  std::string owner;      // "ctx", "m.inputs"; empty: none
  std::string call;       // "raise": in the text that is its first argument; "to": `to = "ST`
};

std::size_t word_before(std::string_view text, std::size_t end) {
  while (end > 0 && is_word(text[end - 1])) --end;
  return end;
}

Spot spot_of(std::string_view before) {
  Spot spot;
  spot.begin = word_before(before, before.size());
  // The cursor may be in a text: NAME("… with a name's characters since the quote.
  std::size_t quote = before.size();
  while (quote > 0 &&
         (is_word(before[quote - 1]) || before[quote - 1] == '.' || before[quote - 1] == '-')) {
    --quote;
  }
  if (quote > 0 && (before[quote - 1] == '"' || before[quote - 1] == '\'')) {
    std::size_t at = quote - 1;
    if (at > 0 && before[at - 1] == '\\') --at;
    if (at > 0 && before[at - 1] == '(') {
      spot.begin = quote;
      spot.call = before.substr(word_before(before, at - 1), at - 1 - word_before(before, at - 1));
      return spot;
    }
    const auto back = [&] {
      while (at > 0 && before[at - 1] == ' ') --at;
    };
    back();
    if (at > 0 && before[at - 1] == '=') {
      --at;
      back();
      const std::size_t begin = word_before(before, at);
      if (before.substr(begin, at - begin) == "to") {
        spot.begin = quote;
        spot.call = "to";
        return spot;
      }
    }
  }
  std::size_t end = spot.begin;
  while (end > 0 && (before[end - 1] == '.' || before[end - 1] == ':')) {
    const std::size_t begin = word_before(before, end - 1);
    if (begin == end - 1) break;
    const std::string word(before.substr(begin, end - 1 - begin));
    spot.owner = spot.owner.empty() ? word : word + "." + spot.owner;
    end = begin;
  }
  return spot;
}

void add_data(const Outline& outline, Role role, const char* detail, Completions& out) {
  for (const Mention& one : outline.mentions()) {
    if (one.role != role || !one.declares || !one.place.entry) continue;
    const yaml::Node& value = one.place.entry->value;
    const yaml::Node* type = value.find("type");
    out.add({Kind::field, one.name, "", type ? type->text : detail,
             text_of(value.find("description"))});
  }
}

void add_library(const std::string& owner, script::Library library, Completions& out) {
  for (const std::string& name : script::library_names(library)) {
    const std::size_t dot = name.find('.');
    if (owner.empty() && dot == std::string::npos) out.add({Kind::function, name, "", "Lua"});
    if (!owner.empty() && dot == owner.size() && name.starts_with(owner)) {
      out.add({Kind::function, name.substr(dot + 1), "", name});
    }
  }
}

// `files`: the one that the place is in, and those that it extends.
void add_event_fields(const std::vector<OutlinePtr>& files, const NodeContext& place,
                      Outlines& outlines, Completions& out) {
  for (const std::string& event : events_around(place)) {
    for (const NamedOutcome& outcome : outcomes_around(files, place, outlines)) {
      if (!model::matches(event, outcome.event)) continue;
      for (const std::string& field : outcome.fields) {
        out.add({Kind::field, field, "", "of " + outcome.event});
      }
    }
    if (model::matches("error", event) || model::matches("limit", event) || event == "any") {
      out.add({Kind::field, "message", "", "of " + event});
    }
  }
  out.add_all(Kind::field, {"name", "data", "source", "origin", "item"});
}

}  // namespace

Completions complete_lua(const OutlinePtr& outline, const NodeContext& place,
                         std::string_view before, Outlines& outlines) {
  Completions out;
  out.begin = before.size();
  if (place.is_template()) {
    const std::size_t open = before.rfind("{{");
    const std::size_t close = before.rfind("}}");
    const bool inside =
        open != std::string_view::npos && (close == std::string_view::npos || close < open);
    if (!inside) return out;
  }
  const std::vector<OutlinePtr> files = outlines.with_bases(outline);
  const Spot spot = spot_of(before);
  out.begin = spot.begin;
  if (spot.call == "state_in") {
    for (const OutlinePtr& file : files) {
      for (const auto& state : file->states()) out.add({Kind::state, state->name});
    }
  } else if (spot.call == "to") {
    out.add({Kind::value, "parent", "", "the machine around"});
    for (const OutlinePtr& file : files) {
      for (const auto& state : file->states()) {
        const yaml::Node& node = state->entry->value;
        if (node.find("machine") || node.find("for_each")) out.add({Kind::state, state->name});
      }
    }
  } else if (spot.call == "raise" || spot.call == "send") {
    for (const Mention& one : outline->mentions()) {
      const bool is_handled = one.role == Role::event && !one.declares;
      if (is_handled && one.name != "any") out.add({Kind::event, one.name, "", "is taken"});
    }
  } else if (spot.owner == "ctx") {
    for (const OutlinePtr& file : files) add_data(*file, Role::context, "context", out);
  } else if (spot.owner == "inputs") {
    for (const OutlinePtr& file : files) add_data(*file, Role::input, "input", out);
  } else if (spot.owner == "event") {
    add_event_fields(files, place, outlines, out);
  } else if (spot.owner == "run") {
    out.add_all(Kind::field, {"id", "interactive", "auto_merge"});
  } else if (!spot.owner.empty()) {
    add_library(spot.owner, script::Library::expressions, out);
  } else if (spot.call.empty()) {
    out.add_all(Kind::variable, {"ctx", "inputs", "event", "run"});
    out.add({Kind::function, "state_in", "", "is the state active?"});
    if (place.may_be(model::Shape::Form::statements)) {
      out.add({Kind::function, "raise", "", "queues an event of the machine's own"});
      out.add({Kind::function, "send", "", "sends an event, maybe later or to another machine"});
      out.add({Kind::function, "cancel", "", "takes back what was sent"});
    }
    if (place.object && place.object->find("items")) {
      const yaml::Node* as = place.object->find("as");
      out.add({Kind::variable, as ? as->text : "item"});
      out.add({Kind::variable, "index"});
    }
    for (const OutlinePtr& file : files) {
      for (const std::string& name : file->names(Role::function)) {
        out.add({Kind::function, name, "", "of the file"});
      }
    }
    add_library("", script::Library::expressions, out);
  }
  return out;
}

Completions complete_module(const std::string& text, std::size_t offset,
                            const std::vector<OutlinePtr>& machines) {
  const Spot spot = spot_of(std::string_view(text).substr(0, offset));
  Completions out;
  out.begin = spot.begin;
  if (spot.owner == "m") {
    out.add_all(Kind::field, {"inputs", "ctx", "run", "state", "task", "attempt", "last_error",
                              "verdicts", "workspace"});
  } else if (spot.owner == "m.ctx" || spot.owner == "m.inputs") {
    const bool is_context = spot.owner == "m.ctx";
    for (const OutlinePtr& machine : machines) {
      add_data(*machine, is_context ? Role::context : Role::input, is_context ? "context" : "input",
               out);
    }
  } else if (spot.owner == "m.run") {
    out.add_all(Kind::field, {"id", "interactive", "auto_merge"});
  } else if (spot.owner == "m.workspace") {
    out.add_all(Kind::field, {"diff", "files", "base", "head"});
  } else if (!spot.owner.empty()) {
    add_library(spot.owner, script::Library::modules, out);
  }
  return out;
}

}  // namespace agneto::lsp
