// Connections to one database, which several threads use at the same time.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "journal/postgresql/connection.h"

namespace agneto::journal {

// 32 hexadecimal digits that nobody else has.
std::string new_token();

// Begins a transaction. The server ends it where nothing comes for ten seconds, so that who is
// stopped in the middle of it does not keep others waiting.
void begin_transaction(Connection& connection);
void commit_transaction(Connection& connection);
void roll_back(Connection& connection);

// What comes behind it in a transaction may be forgotten where the server fails at once.
Command without_waiting_for_the_disk();

// Removes what was left by transactions whose process was killed behind their commit.
Command remove_old_marks();

// Thread-safe.
class Pool {
 public:
  // At most so many connections; a thread that finds none waits for one. A server that does not
  // answer any more is waited for so long.
  Pool(Address address, std::size_t most, Millis patience);

  const std::string& name() const { return address_.name(); }
  const Address& address() const { return address_; }

  // Runs `use(connection)`, and once more with another connection where that is lost, or where
  // others were in the way: so doing it twice is as good as doing it once. Throws ConnectionLost
  // where the server does not come back in time.
  template <typename Use>
  auto run(Use use) {
    return run(patience_, use);
  }
  template <typename Use>
  auto run(Millis patience, Use use) {
    for (Attempts attempts(*this, patience);;) {
      try {
        Borrowed connection(*this);
        return use(*connection);
      } catch (const ConnectionLost& lost) {
        attempts.after(lost);
      } catch (const Refused& refused) {
        attempts.after(refused);
      }
    }
  }

  // Runs `write(connection)` in a transaction, which is durable on return; all of it once more
  // where the connection is lost before it is committed. Where the answer to the commit is lost,
  // the server is asked what came of it. Throws what `write` throws, with nothing written.
  void transact(const std::function<void(Connection&)>& write);

 private:
  // How often something was tried, and for how long it may still be.
  class Attempts {
   public:
    Attempts(Pool& pool, Millis patience) : pool_(pool), patience_(patience) {}
    // Waits a while. Throws it where that is enough.
    void after(const ConnectionLost& lost);
    void after(const Refused& refused);

   private:
    Pool& pool_;
    Millis patience_;
    int times_ = 0;
    Millis begun_{0};
  };

  // A connection, as long as this lives.
  class Borrowed {
   public:
    explicit Borrowed(Pool& pool);
    ~Borrowed();
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    Connection& operator*() { return *connection_; }

   private:
    Pool& pool_;
    std::unique_ptr<Connection> connection_;
  };

  const Address address_;
  const std::size_t most_;
  const Millis patience_;
  std::mutex mutex_;  // of all that follows
  std::condition_variable freed_;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::size_t out_ = 0;
  bool prepares_ = true;
};

}  // namespace agneto::journal
