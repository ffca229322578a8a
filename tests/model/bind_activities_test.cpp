#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(ActivitiesReported, AnAgentThatIsNotThere) {
  EXPECT_EQ(load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
  editor: {hooks: hooks.lua, access: edit, session: CHUNK}
initial: A
states:
  A:
    agent: codre
    on: {any: CHUNK}
  CHUNK: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:9:12: error: there is no agent 'codre' [E402/undefined-agent]
    agent: codre
           ^~~~~
  help: did you mean 'coder'?
)text");
}

TEST(ActivitiesReported, AnAgentWhereThereAreNone) {
  EXPECT_EQ(load_states(R"yaml(  A:
    agent: coder
    on: {any: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:6:12: error: there is no agent 'coder' [E402/undefined-agent]
    agent: coder
           ^~~~~
  help: define it under `agents` at the top of the file
)text");
}

TEST(ActivitiesReported, AccessThatWidens) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
  editor: {hooks: hooks.lua, access: edit, session: CHUNK}
initial: A
states:
  A:
    agent: {name: coder, access: edit}
    on: {any: CHUNK}
  CHUNK: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:9:34: error: 'edit' is more than the agent 'coder' may do [E403/wider-access]
    agent: {name: coder, access: edit}
                                 ^~~~
  help: a state may only narrow what an agent may do (read-only)
flow.yaml:4:3: note: the agent is defined here
  coder: {hooks: hooks.lua}
  ^~~~~
)text");
}

TEST(ActivitiesReported, ACallOutsideOfItsSession) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
  editor: {hooks: hooks.lua, access: edit, session: CHUNK}
initial: A
states:
  A:
    agent: editor
    on: {any: CHUNK}
  CHUNK: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:9:12: error: 'editor' is called outside of 'CHUNK', where its conversation lives [E410/outside-session]
    agent: editor
           ^~~~~~
  help: move this state into it, or choose another `session` for the agent
flow.yaml:5:3: note: the agent is defined here
  editor: {hooks: hooks.lua, access: edit, session: CHUNK}
  ^~~~~~
)text");
}

TEST(ActivitiesReported, Verdicts) {
  EXPECT_EQ(
      load_text(R"yaml(agneto: 1
name: flow
agents:
  coder: {hooks: hooks.lua}
  editor: {hooks: hooks.lua, access: edit, session: CHUNK}
initial: A
states:
  A:
    agent:
      name: coder
      verdicts: {error: {}, OK: {label: strin}, UNSURE, limit.calls: {}}
    on: {any: CHUNK}
  CHUNK: {final: true}
)yaml")
          .messages(),
      R"text(flow.yaml:11:18: error: 'error' is an event of the engine, and cannot name a verdict [E407/reserved-name]
      verdicts: {error: {}, OK: {label: strin}, UNSURE, limit.calls: {}}
                 ^~~~~
  help: choose another name
flow.yaml:11:41: error: there is no type 'strin' [E301/bad-type]
      verdicts: {error: {}, OK: {label: strin}, UNSURE, limit.calls: {}}
                                        ^~~~~
  help: did you mean 'string'?
flow.yaml:11:49: error: 'UNSURE' is a key without a value [E111/flow-key-without-value]
      verdicts: {error: {}, OK: {label: strin}, UNSURE, limit.calls: {}}
                                                ^~~~~~
  help: write 'UNSURE: VALUE'
flow.yaml:11:57: error: 'limit.calls' is an event of the engine, and cannot name a verdict [E407/reserved-name]
      verdicts: {error: {}, OK: {label: strin}, UNSURE, limit.calls: {}}
                                                        ^~~~~~~~~~~
  help: choose another name
)text");
}

TEST(ActivitiesReported, Questions) {
  EXPECT_EQ(load_states(R"yaml(  A:
    ask: {question: Well}
  B:
    ask: {question: Well, options: {OK: Fine}, text: required, default: KO}
  C:
    ask: {question: Well, options: {OK: {label: Fine, feedback: required}, abort: Stop}, default: OK}
  D:
    ask: {options: {OK: {}}}
  E:
    ask: {question: Well, text: none}
  F:
    ask: {question: Well, text: optional, default: X}
)yaml")
                .messages(),
            R"text(flow.yaml:6:5: error: a question needs 'options' or 'text' [E404/bad-question]
    ask: {question: Well}
    ^~~
  help: options: the answers to choose from; or text: required, to ask for words
flow.yaml:8:54: error: a question has options or text, not both [E404/bad-question]
    ask: {question: Well, options: {OK: Fine}, text: required, default: KO}
                                                     ^~~~~~~~
  help: for words with an option, give that option `feedback: optional` or `required`
flow.yaml:8:73: error: there is no option 'KO' [E406/undefined-option]
    ask: {question: Well, options: {OK: Fine}, text: required, default: KO}
                                                                        ^~
  help: did you mean 'OK'?
flow.yaml:10:76: error: 'abort' is an event of the engine, and cannot name an option [E407/reserved-name]
    ask: {question: Well, options: {OK: {label: Fine, feedback: required}, abort: Stop}, default: OK}
                                                                           ^~~~~
  help: choose another name
flow.yaml:10:99: error: the default 'OK' needs feedback, which nobody is there to give [E404/bad-question]
    ask: {question: Well, options: {OK: {label: Fine, feedback: required}, abort: Stop}, default: OK}
                                                                                                  ^~
  help: choose another default, or make its feedback optional
flow.yaml:12:5: error: a question needs the key 'question' [E122/missing-key]
    ask: {options: {OK: {}}}
    ^~~
  help: question: What is asked
flow.yaml:12:21: error: an option needs the key 'label' [E122/missing-key]
    ask: {options: {OK: {}}}
                    ^~
  help: label: What the person reads
flow.yaml:14:5: error: a question needs 'options' or 'text' [E404/bad-question]
    ask: {question: Well, text: none}
    ^~~
  help: options: the answers to choose from; or text: required, to ask for words
flow.yaml:16:52: error: there is no option 'X' [E406/undefined-option]
    ask: {question: Well, text: optional, default: X}
                                                   ^
)text");
}

TEST(ActivitiesReported, ProgramsToRun) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    run: {timeout: 0s}
  B:
    run: {argv: [a], shell: b}
  C:
    run: {shell: 'echo {{ctx.x}}'}
  D:
    run: {argv: []}
  E:
    run: {argv: [sleep, 1]}
)yaml")
          .messages(),
      R"text(flow.yaml:6:5: error: a program to run needs one of argv, shell, command [E127/one-of]
    run: {timeout: 0s}
    ^~~
flow.yaml:6:20: error: a limit of no time lets nothing happen [E408/bad-limit]
    run: {timeout: 0s}
                   ^~
  help: give it a duration, or remove the key for the default
flow.yaml:8:22: error: a program to run has 'argv' already, and takes one of them [E127/one-of]
    run: {argv: [a], shell: b}
                     ^~~~~
flow.yaml:10:18: error: values are never put into shell text, so that '{{' stays as it is [E411/spliced-shell]
    run: {shell: 'echo {{ctx.x}}'}
                 ^~~~~~~~~~~~~~~~
  help: pass them by `env` and write "$NAME" in the shell text, or use `argv`
flow.yaml:12:11: error: 'argv' must not be empty [E123/no-value]
    run: {argv: []}
          ^~~~
flow.yaml:14:25: error: 'argv' must be text, found '1' [E124/wrong-kind]
    run: {argv: [sleep, 1]}
                        ^
  help: quote it: "1"
)text");
}

TEST(ActivitiesReported, WorkspaceOperations) {
  EXPECT_EQ(
      load_states(R"yaml(  A:
    workspace: {}
  B:
    workspace: {commit: {message: x}, merge: {}}
  C:
    workspace: {commit: {}}
  D:
    workspace: {discard: {to: last_comit}}
  E:
    workspace: {merge: {squash: 1}}
)yaml")
          .messages(),
      R"text(flow.yaml:6:5: error: a workspace operation needs one of commit, merge, discard [E127/one-of]
    workspace: {}
    ^~~~~~~~~
flow.yaml:8:39: error: a workspace operation has 'commit' already, and takes one of them [E127/one-of]
    workspace: {commit: {message: x}, merge: {}}
                                      ^~~~~
flow.yaml:10:17: error: a commit needs the key 'message' [E122/missing-key]
    workspace: {commit: {}}
                ^~~~~~
  help: message: The commit's message
flow.yaml:12:31: error: 'to' must be last_commit, found 'last_comit' [E124/wrong-kind]
    workspace: {discard: {to: last_comit}}
                              ^~~~~~~~~~
  help: did you mean 'last_commit'?
flow.yaml:14:33: error: 'squash' must be true or false, found '1' [E124/wrong-kind]
    workspace: {merge: {squash: 1}}
                                ^
)text");
}

TEST(ActivitiesReported, Templates) {
  EXPECT_EQ(load_states(R"yaml(  A:
    ask:
      question: "Label {{ctx.label}} or {{ }} or {{ctx.x"
      options: {OK: Fine}
    on: {OK: B}
  B: {final: true}
)yaml")
                .messages(),
            R"text(flow.yaml:7:41: error: an empty expression in '{{}}' [E305/bad-template]
      question: "Label {{ctx.label}} or {{ }} or {{ctx.x"
                                        ^~~~~
  help: write a Lua expression between the braces
flow.yaml:7:50: error: '{{' without '}}' [E305/bad-template]
      question: "Label {{ctx.label}} or {{ }} or {{ctx.x"
                                                 ^~~~~~~
  help: close the expression with '}}'; for the braces themselves write {{"{{"}}
)text");
}

}  // namespace
}  // namespace agneto::model
