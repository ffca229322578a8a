#include <fmt/format.h>
#include <gmock/gmock.h>

#include "model/loading.h"

namespace agneto::model {
namespace {

TEST(NestingReports, TenThousandLists) {
  std::string text = "agneto: 1\nname: ";
  text.append(10000, '[').append(10000, ']');
  EXPECT_EQ(load_text(text).messages(),
            "flow.yaml:2:262: error: nested more than 256 levels deep [E105/yaml-depth]\n…" +
                std::string(120, '[') + "…\n" + std::string(41, ' ') +
                "^\n  help: move the inner part to a machine of its own\n");
}

TEST(NestingReports, NothingOfAHundredStates) {
  std::string text = "agneto: 1\nname: flow\ninitial: S0\nstates: ";
  for (int i = 0; i < 99; ++i) text += fmt::format("{{S{}: {{initial: S{}, states: ", i, i + 1);
  text += "{S99: {final: true}}" + std::string(198, '}');
  EXPECT_EQ(load_text(text).messages(), "");
}

TEST(NestingReports, TenThousandStates) {
  std::string text = "agneto: 1\nname: flow\ninitial: A\nstates: ";
  for (int i = 0; i < 10000; ++i) text += "{A: {states: ";
  EXPECT_THAT(load_text(text).messages(),
              testing::StartsWith(
                  "flow.yaml:4:1664: error: nested more than 256 levels deep [E105/yaml-depth]\n"));
}

}  // namespace
}  // namespace agneto::model
