// What can be wrong in the Lua of a machine, and with the drivers that its agents are to have.
// lint/catalogue.h lists the rules of all folders.
#pragma once

#include "base/rule.h"

namespace agneto::rules {

inline constexpr Rule lua_syntax = {
    "E501", "lua-syntax", "Lua that does not compile",
    R"(The place is the line of the YAML file. A guard is one expression, and compares with `==` and `~=`;
`do`, `entry` and `exit` are statements. What came from other languages is translated in the help:
`!=`, `&&`, `||`, `!` and `+=`.)"};
inline constexpr Rule function = {
    "E503", "function", "a function of the file that is none, or sees more than it is given",
    R"(`functions` are Lua functions that guards, actions and all other Lua of the file call by their names.
They see what they are given and one another, and no `ctx`, `inputs`, `event` or `run`; they raise and send
nothing. So the same arguments give the same result, and lint can look into them.)"};
inline constexpr Rule unknown_provider = {
    "E133", "unknown-provider", "a provider for which there is no driver",
    R"(In a workflow and in `.agneto/config.yaml` a provider is named by the file of its driver without
`.lua`: one of those that come with Agneto, one of your own, or one of the team's in
`.agneto/scripts/providers`. An agent may also have `auto`. What a wrong name was to set would go to another model, at another price, so
that no run begins with one.)",
    true};

inline constexpr Rule unusable_setting = {
    "E458", "unusable-setting", "a setting that the provider of an agent cannot be given",
    R"(What a workflow and `.agneto/config.yaml` say of an agent is never dropped in silence: a provider's
driver says what it can pass on, and refuses the rest, so that no run begins without it. The page on
providers has a table of who takes what. An agent of which nobody says which provider it has is looked
at when a run begins.)"};
inline constexpr Rule open_provider = {
    "W450", "open-provider", "a model or the like for a provider that nobody has chosen",
    R"(What a model, an effort, a tool or an argument is called is a provider's own. Where an agent has no
`provider`, it has the first CLI on the `PATH`, which is another one on another machine, and does not
know the word. Say in the workflow for which provider it is; a configuration can still choose another
one, and what is meant for the first is then left out.)"};

}  // namespace agneto::rules
