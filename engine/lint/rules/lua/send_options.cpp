#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "chart/event.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/sends.h"

namespace agneto::lint {

namespace {

void check_keys(const Piece& piece, const Node& options, const Reporter& report) {
  if (options.kind != Node::Kind::table) return;
  static const std::vector<std::string> known = {"after", "id", "to", "item"};
  for (const Node& field : options.children) {
    const std::string* name =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (!name || std::ranges::find(known, *name) != known.end()) continue;
    report(place(piece, field.children[0]), "`send` has no option '{}'", *name)
        .help(suggestion(*name, known, "options"));
  }
}

bool is_literal(const Node& node) {
  using Kind = Node::Kind;
  return node.kind == Kind::boolean || node.kind == Kind::number || node.kind == Kind::string ||
         node.kind == Kind::table || node.kind == Kind::function ||
         (node.is(Kind::unary, "-") && is_literal(node.children[0]));
}

// Is it a number that is written out, and what `fits` says of it?
bool is_number(const Node& node, bool (*fits)(double)) {
  return node.kind == Node::Kind::number && fits(std::strtod(node.text.c_str(), nullptr));
}

// Options of which a value that is written out is none.
void check_values(const Piece& piece, const Node& options, const Reporter& report) {
  const auto refuse = [&](const Node& value, std::string_view what, std::string_view help) {
    const std::string_view text =
        std::string_view(piece.code->text).substr(value.begin, value.end - value.begin);
    report(place(piece, value), "{} is {}, so that nothing is sent", printable(text), what)
        .help("{}", help);
  };
  const auto each = [&](std::string_view key, const auto& visit) {
    const Node* value = value_of(options, key);
    if (!value) return;
    each_result(*value, [&](const Node& result) {
      if (is_literal(result)) visit(result, lua::literal_text(result));
    });
  };
  each("to", [&](const Node& value, const std::string* text) {
    if (!text) refuse(value, "no state's name", "name one that delegates, or \"parent\"");
  });
  each("item", [&](const Node& value, const std::string*) {
    const auto is_whole = [](double number) { return number >= 1 && number == std::floor(number); };
    if (!is_number(value, is_whole)) {
      refuse(value, "no item's number", "items are numbered from 1: {to = \"STATE\", item = 1}");
    }
  });
  each("id", [&](const Node& value, const std::string* text) {
    if (!text) refuse(value, "no id", "an id is a text, such as \"late\"");
    if (text && text->starts_with('#')) refuse(value, "no id", "one does not begin with '#'");
  });
  each("after", [&](const Node& value, const std::string* text) {
    const bool is_after =
        text ? !trim(*text).starts_with('-') : is_number(value, [](double) { return true; });
    if (!is_after) {
      refuse(value, "no delay",
             "a delay is a duration, such as \"5m\"; without one the event comes at once");
    }
  });
}

bool delegates(const Machine& machine, StateId state) {
  return state != none && model::delegate_of(machine.state(state).activity);
}

// Whom `to` may name.
std::vector<std::string> recipients(const Machine& machine) {
  std::vector<std::string> names = {std::string(chart::to_parent)};
  for (const State& state : machine.states) {
    if (delegates(machine, state.id)) names.push_back(state.name);
  }
  return names;
}

void check_recipient(const Machine& machine, const Piece& piece, const Node& options,
                     const Reporter& report) {
  const Node* to = value_of(options, "to");
  const Node* item = value_of(options, "item");
  if (item && !to) {
    report(place(piece, *item), "`item` says which item of `to` is meant, and there is no `to`")
        .help("name the state: {to = \"STATE\", item = 1}");
    return;
  }
  const std::string* name = to ? lua::literal_text(*to) : nullptr;
  if (!name) return;
  const bool is_parent = *name == chart::to_parent;
  const StateId id = machine.find(*name);
  if (!is_parent && id == none) {
    const auto known = recipients(machine);
    offer(report(place(piece, *to), "there is no state '{}' in this machine", *name)
              .help(suggestion(*name, known, "recipients")),
          *name, known);
  } else if (!is_parent && !delegates(machine, id)) {
    report(place(piece, *to), "'{}' does not delegate to a machine, so that nobody is there", *name)
        .help("a machine sends to itself without `to`");
  } else if (item && item->kind != Node::Kind::nil) {
    const bool is_loop =
        !is_parent && std::holds_alternative<model::ForEach>(machine.state(id).activity);
    if (!is_loop) {
      report(place(piece, *item), "'{}' is no for_each, whose items have numbers", *name)
          .help("leave `item` out");
    }
  }
}

// Are these meant for options?
bool are_options(const Machine& machine, const Node& data) {
  if (value_of(data, "after")) return true;
  const Node* to = value_of(data, "to");
  const std::string* name = to ? lua::literal_text(*to) : nullptr;
  return name && (*name == chart::to_parent || delegates(machine, machine.find(*name)));
}

void check(const Machine& machine, const Piece& piece, const Node& call,
           const std::string& function, const Reporter& report) {
  const std::size_t arguments = call.children.size() - 1;
  if (function == "raise") {
    if (arguments < 3) return;
    report(place(piece, call.children[3]), "`raise` takes no options: its event comes at once")
        .help("send(\"event\", data, {after = \"5m\"}) comes later");
    return;
  }
  if (arguments == 2 && are_options(machine, call.children[2]) &&
      call.children[2].children.size() <= 2) {
    report(place(piece, call.children[2]),
           "this is the event's data, and not the options of `send`")
        .help("options are the third argument: send(\"event\", {}, {after = \"5m\"})");
  }
  if (arguments == 3) {
    check_keys(piece, call.children[3], report);
    check_values(piece, call.children[3], report);
    check_recipient(machine, piece, call.children[3], report);
  }
  const Node* after = arguments == 3 ? value_of(call.children[3], "after") : nullptr;
  if (!after) return;
  each_result(*after, [&](const Node& result) {
    const std::string* end = unit_that_is_none(result);
    if (!end || trim(*end).starts_with('-')) return;
    report(place(piece, result), "no duration ends in '{}', so that nothing is sent",
           printable(*end))
        .help("the units are ms, s, m, h and d, without a space before them, as in \"5m\"");
  });
  if (after->kind != Node::Kind::number) return;
  report(place(piece, *after), "{} is a number of milliseconds here", after->text)
      .help("write a duration with its unit: after = \"{}s\"", after->text);
}

}  // namespace

extern const LintRule send_options = {
    {"W516", "send-options", "options of `send` that do not do what they seem to",
     R"(`send(event, data, options)` has its options third, and `after` in them is a duration such as "5m".
`to` is a state of this machine that delegates, or "parent" for the machine around, and `item` the number
of one item of that state's `for_each`, from 1; `id` is a text. What is none of these is an error when it is
sent, and `after = 5` are five milliseconds. `raise(event, data)` has no options: its event comes at once.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (!one.call || one.function == "cancel") continue;
        check(machine, *one.piece, *one.call, one.function, report);
      }
    }};

}  // namespace agneto::lint
