#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

std::string said_of_command(const std::string& shell) {
  return load_states("  A:\n    run:\n      shell: " + shell +
                     "\n    on: {ok: B, failed: B}\n  B: {final: true}\n")
      .messages();
}

TEST(JoinedCommands, AreSaidOfTheFirst) {
  EXPECT_EQ(
      said_of_command(">\n        set -e\n        npm ci\n        npm test"),
      R"text(flow.yaml:7:14: warning: YAML joins these lines into one, so that 'npm ci' is an argument of 'set -e' [W448/joined-commands]
      shell: >
             ^
        set -e
        ~~~~~~
        npm ci
        ~~~~~~
        npm test
        ~~~~~~~~
  help: write the script behind '|', or end each command but the last with '&&'
)text");
}

TEST(JoinedCommands, AreKnownByTheirProgram) {
  for (const char* wrong :
       {">\n        cd site\n        zola build", ">\n        npm ci\n        npm test",
        ">-\n        cargo build\n        cargo test --all",
        ">\n        set -euo pipefail\n        ./check all", "npm ci\n        npm test",
        "\"git add .\n        git commit -m done\"",
        ">\n        make clean &&\n        make all\n        make check"}) {
    EXPECT_THAT(said_of_command(wrong), testing::HasSubstr("[W448/joined-commands]")) << wrong;
  }
}

TEST(JoinedCommands, AreNotOneOverSeveralLines) {
  for (const char* right :
       {"|\n        set -e\n        npm ci\n        npm test",
        ">\n        npm ci &&\n        npm test", ">\n        npm ci\n        && npm test",
        ">\n        npm ci\n\n        npm test", ">\n        npm ci;\n        npm test",
        ">\n        docker run --rm node\n        npm test",
        ">\n        npm ci\n          --offline", ">\n        git bisect run\n        make test",
        ">\n        sudo\n        make install",
        ">\n        apt-get install -y\n        git\n        make\n        cmake",
        ">\n        pip install\n        pytest\n        mypy",
        ">\n        cd site\n        && make", ">\n        git submodule foreach\n        git pull",
        ">\n        set -e;\n        npm test",
        ">\n        git commit -m 'use\n        npm ci\n        npm test'",
        ">\n        make\n        test", ">\n        cd site\n        > /dev/null"}) {
    EXPECT_EQ(said_of_command(right), "") << right;
  }
}

}  // namespace
}  // namespace agneto::model
