#include <algorithm>

#include "base/text.h"
#include "lint/expressions.h"
#include "lint/rule.h"
#include "lint/sends.h"

namespace agneto::lint {

namespace {

void check_keys(const Piece& piece, const Node& options, const Reporter& report) {
  if (options.kind != Node::Kind::table) return;
  static const std::vector<std::string> known = {"after", "id"};
  for (const Node& field : options.children) {
    const std::string* name =
        field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
    if (!name || std::ranges::find(known, *name) != known.end()) continue;
    report(place(piece, field.children[0]), "`send` has no option '{}'", *name)
        .help(suggestion(*name, known, "options"));
  }
}

void check(const Piece& piece, const Node& call, const std::string& function,
           const Reporter& report) {
  const std::size_t arguments = call.children.size() - 1;
  if (function == "raise") {
    if (arguments < 3) return;
    report(place(piece, call.children[3]), "`raise` takes no options: its event comes at once")
        .help("send(\"event\", data, {after = \"5m\"}) comes later");
    return;
  }
  if (arguments == 2 && value_of(call.children[2], "after") &&
      call.children[2].children.size() <= 2) {
    report(place(piece, call.children[2]),
           "this is the event's data, and not the options of `send`")
        .help("options are the third argument: send(\"event\", {}, {after = \"5m\"})");
  }
  if (arguments == 3) check_keys(piece, call.children[3], report);
  const Node* after = arguments == 3 ? value_of(call.children[3], "after") : nullptr;
  if (!after) return;
  each_result(*after, [&](const Node& result) {
    const std::string* end = unit_that_is_none(result);
    if (!end) return;
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
`raise(event, data)` has none: its event comes at once.)"},
    [](const LintContext& context, const Machine& machine, const Reporter& report) {
      for (const Raised& one : context.raised(machine).all()) {
        if (!one.call || one.function == "cancel") continue;
        check(*one.piece, *one.call, one.function, report);
      }
    }};

}  // namespace agneto::lint
