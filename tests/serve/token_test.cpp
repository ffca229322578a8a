#include "serve/token.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "support/errors.h"
#include "support/temporary_folder.h"

namespace agneto::serve {
namespace {

using testing::error_of;

class TokenTest : public ::testing::Test {
 protected:
  testing::TemporaryFolder folder_;
  std::unique_ptr<journal::Journal> journal_ = journal::open_journal(folder_ / "runs.db");
};

TEST_F(TokenTest, IsKnownByItsHashAlone) {
  const std::string token = make_token(*journal_, "Ada's phone", Scope::answer, Time(Millis(5)));
  EXPECT_EQ(token.size(), std::string("agneto_").size() + 48);
  const auto bearer = bearer_of(*journal_, token);
  ASSERT_TRUE(bearer);
  EXPECT_EQ(bearer->name, "Ada's phone");
  EXPECT_EQ(bearer->scope, Scope::answer);
  const auto grants = journal_->grants();
  ASSERT_EQ(grants.size(), 1U);
  EXPECT_EQ(grants[0].hash, sha256(token));
  EXPECT_EQ(grants[0].created, Time(Millis(5)));

  EXPECT_FALSE(bearer_of(*journal_, ""));
  EXPECT_FALSE(bearer_of(*journal_, grants[0].hash)) << "what the journal keeps is no token";
  EXPECT_FALSE(bearer_of(*journal_, token + " "));
}

TEST_F(TokenTest, IsNobodysOnceItIsRevoked) {
  const std::string token = make_token(*journal_, "bot", Scope::submit, Time());
  EXPECT_TRUE(journal_->revoke("bot"));
  EXPECT_FALSE(journal_->revoke("bot"));
  EXPECT_FALSE(bearer_of(*journal_, token));
}

TEST_F(TokenTest, HasANameOfItsOwn) {
  const std::string first = make_token(*journal_, "bot", Scope::read, Time());
  EXPECT_EQ(error_of([&] { make_token(*journal_, "bot", Scope::admin, Time()); }),
            "there is a token 'bot' already\n"
            "take another name, or revoke that one: agneto token revoke bot");
  EXPECT_EQ(bearer_of(*journal_, first)->scope, Scope::read);
  for (const std::string& name :
       {std::string(), std::string(" x"), std::string("a\nb"), std::string(65, 'x')}) {
    EXPECT_NE(error_of([&] { make_token(*journal_, name, Scope::read, Time()); }), "") << name;
  }
}

TEST(ScopeTest, EachIncludesThoseBeforeIt) {
  EXPECT_LT(Scope::read, Scope::answer);
  EXPECT_LT(Scope::answer, Scope::submit);
  EXPECT_LT(Scope::submit, Scope::admin);
  for (const Scope scope : {Scope::read, Scope::answer, Scope::submit, Scope::admin}) {
    EXPECT_EQ(scope_of(name_of(scope)), scope);
  }
  EXPECT_EQ(scope_of("root"), std::nullopt);
}

}  // namespace
}  // namespace agneto::serve
