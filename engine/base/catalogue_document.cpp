#include "base/catalogue.h"

namespace agneto {

namespace {

constexpr Rule rules[] = {
    {"E101", "yaml", "text that is not YAML",
     R"(Nothing can be said about a file that is not YAML, so this is the only finding in it besides those
before that place. The message says what was expected there. Indentation (spaces only), quotes that
are not closed, and texts that hold `: `, ` #`, brackets or quotes are the usual causes: quote them,
or write them behind `|` on lines of their own.)"},
    {"E102", "yaml-encoding", "a byte or a control character that cannot stand in YAML",
     R"(A workflow is UTF-8 text with lines that end in LF or CRLF. Save the file as UTF-8; a control
character that is meant can be written as an escape in double quotes, such as `"\x1b"`.)"},
    {"E103", "yaml-empty", "a file with nothing in it",
     R"(A file without a document is no machine. Perhaps it was created and not written yet, or everything
in it is a comment.)"},
    {"E104", "yaml-documents", "a second document in one file",
     R"(One file is one machine, and everything behind `---` would be ignored. Move the second document to
a file of its own, and name that by `machine: FILE` where the first delegates to it.)"},
    {"E105", "yaml-depth", "nesting deeper than 64 levels",
     R"(So deep a nesting is nearly always a mistake of indentation. Where it is meant, move the inner part
to a machine of its own and delegate to it.)"},
    {"E106", "yaml-tab", "a tab that indents a line",
     R"(YAML is indented with spaces alone. Most editors can be told to write spaces for the tab key in
`.yaml` files.)",
     true},
    {"E107", "yaml-tag", "a YAML tag, such as `!!str`",
     R"(The language says itself what type a value has, so that a tag could only contradict it. Leave it
out; a text that begins with `!` must be quoted.)"},
    {"E108", "yaml-alias", "an anchor (`&`), an alias (`*`) or a merge key (`<<`)",
     R"(What is shared by an alias looks like a copy and is none, and nobody finds the places that change
with it. Write the value out, or move what is shared to a machine of its own. The word for every
event is `any`; a text that begins with `&` or `*` must be quoted.)"},
    {"E109", "yaml-key", "a key that is a map, a list, or missing",
     R"(Keys are words. A `{{` without quotes is where this is met most: for YAML it begins a map inside
of a map, so quote texts that begin with an expression.)"},
    {"E110", "duplicate-key", "a key that stands in the same map twice",
     R"(Only one of the two could count, and which one depends on the reader of the file. Remove one, or
rename it; two transitions on one event are a list under one key.)"},
    {"E111", "flow-key-without-value", "a key without a value inside `{ }`",
     R"(Inside `{ }` a comma ends a value, so that a text with a comma is torn in two and its second half
becomes a key. Quote the whole text, or write the map over several lines.)"},
    {"E112", "comment-cuts-value", "a comment that swallows a part of a value",
     R"(In YAML ` #` begins a comment, also in the middle of Lua: of `ctx.n < #ctx.items` only `ctx.n <` is
left. Quote the value, or write it behind `|`. A real comment needs a space behind its `#`.)"},
    {"E113", "ambiguous-scalar", "a plain value that readers of YAML take for different things",
     R"(`yes`, `on`, `1e3`, `010`, `12:30` and dates are text to one reader of YAML and a boolean, a number
or a date to another. Quote them where text is meant, else write `true`, `false` or a decimal
number.)"},
    {"E114", "number-too-large", "a number that cannot be stored",
     R"(Integers have 64 bits, other numbers are double-precision, and neither knows infinity. Quote what
is no quantity, such as an identifier.)"},
    {"E120", "version", "a version of the language that this program does not know",
     R"(`agneto: 1` says how the rest of the file is to be read. Nothing else is said about a file of a
newer version; install an Agneto that knows it.)"},
    {"E121", "unknown-key", "a key that does not exist there",
     R"(A key that is not known would be ignored in silence, and with it what it was meant to do. The
message shows the nearest one that exists, or all of them; the words of other languages (`cond`,
`to`, `onentry`) are known and translated.)"},
    {"E122", "missing-key", "something without a key that it needs",
     R"(The message says what the key is for. A compound state needs `initial`, a history state a
`default`, and a context entry that is neither optional nor `any` a value to start with.)"},
    {"E123", "no-value", "a key with nothing behind it",
     R"(A key without a value has no meaning: give it one, or remove the key. An empty list of targets or
options, and Lua that is only a comment, are the same mistake.)"},
    {"E124", "wrong-kind", "a value of another kind than its key takes",
     R"(The message says what the key takes: text, a number, a duration such as `10m`, a list, a map of
certain keys, one of a few words. Numbers and `true` where text is expected must be quoted.)"},
    {"E125", "bad-name", "a word that cannot name what it stands for",
     R"(Names begin with a letter or `_` and go on with letters, digits, `_` and `-`; events, agents and
inputs may have dots. States have none, so that `done.state.NAME` can be read. Every event is taken
by `any`, and all that begin with `error.` by `error`; there is no `*`.)",
     true},
    {"E126", "key-out-of-place", "a key that this kind of state does not have",
     R"(A state is atomic, compound, parallel, final or a history, and each kind has its own keys. Only an
atomic state has an activity; a final state goes on nowhere; a history state only leads elsewhere.)"},
    {"E127", "one-of", "none or several of keys of which there must be one",
     R"(These keys are alternatives: `argv`, `shell` and `command` of a program to run; `commit`, `merge`
and `discard` of a workspace operation; `default` and `init` of a context entry. Keep one.)"},
    {"E130", "unknown-rule", "a rule in the configuration that does not exist or cannot be set",
     R"(`lint.rules` in `.agneto/config.yaml` gives warnings another level, by code or name. Errors keep
theirs: a workflow with one cannot be run, whatever the configuration says.)"},
    {"W131", "bad-suppression", "a comment for lint that suppresses nothing",
     R"(A suppression names the warnings that it is about and says why they are right here, for whoever
reads the file next: `# lint: ignore W405 -- the team is always there`. It stands at the end of the
line, or on one of its own before it. Errors cannot be suppressed.)"},
    {"W132", "unused-suppression", "a suppression of what is not found there",
     R"(What it was about is gone, or was never on that line. Left there it would hide the next mistake of
the kind. Remove it, or the name of the rule that is not found. Nothing is said of a rule that rests on
exploring where that ended early.)",
     true},
};

}  // namespace

std::span<const Rule> document_rules() {
  return rules;
}

}  // namespace agneto
