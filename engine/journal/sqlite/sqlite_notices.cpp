#include "journal/notices.h"
#include "journal/sqlite/schema.h"
#include "journal/sqlite/sqlite.h"
#include "journal/stores.h"

namespace agneto::journal {

namespace {

class SqliteNotices : public Notices {
 public:
  explicit SqliteNotices(const std::string& path) : database_(path) { prepare(database_); }

  std::optional<std::int64_t> noticed() override {
    std::optional<std::int64_t> change;
    select_noticed_.start();
    while (select_noticed_.step()) change = select_noticed_.number(0);
    return change;
  }

  void notice(std::int64_t change, const std::vector<Notice>& found, Time now) override {
    Transaction transaction(database_);
    set_noticed_.start().bind(change).run();
    for (const Notice& each : found) {
      insert_.start().bind(each.key).bind(each.way).bind(each.run).bind(each.body).bind(now).run();
    }
    transaction.commit();
  }

  void forget() override {
    Transaction transaction(database_);
    delete_noticed_.start().run();
    drop_.start().run();
    transaction.commit();
  }

  std::vector<std::string> ways_due(Time now) override {
    std::vector<std::string> all;
    select_ways_.start().bind(now);
    while (select_ways_.step()) all.push_back(select_ways_.text(0));
    return all;
  }

  std::vector<Notice> due(const std::string& way, Time now) override {
    std::vector<Notice> all;
    select_.start().bind(way).bind(now);
    while (select_.step()) {
      all.push_back({select_.text(0), select_.text(1), select_.text(2), select_.text(3),
                     static_cast<int>(select_.number(4))});
    }
    return all;
  }

  void settle(const Notice& notice) override {
    settle_.start().bind(notice.key).bind(notice.way).run();
  }

  void put_off(const Notice& notice, Time until, int tries) override {
    put_off_.start().bind(until).bind(tries).bind(notice.key).bind(notice.way).run();
  }

 private:
  static constexpr std::int64_t most_at_once = 100;

  Database database_;
  Statement select_noticed_{database_, "SELECT change FROM noticed"};
  Statement set_noticed_{database_, "INSERT OR REPLACE INTO noticed (only, change) VALUES (1, ?)"};
  Statement delete_noticed_{database_, "DELETE FROM noticed"};
  Statement insert_{database_,
                    "INSERT OR IGNORE INTO notices (key, way, run, body, due) "
                    "VALUES (?, ?, ?, ?, ?)"};
  Statement drop_{database_, "UPDATE notices SET due = NULL, body = '' WHERE due IS NOT NULL"};
  Statement select_ways_{database_, "SELECT DISTINCT way FROM notices WHERE due <= ?"};
  Statement select_{database_,
                    "SELECT key, way, run, body, tries FROM notices WHERE way = ? AND due <= ? "
                    "ORDER BY due, rowid LIMIT " +
                        std::to_string(most_at_once)};
  Statement settle_{database_,
                    "UPDATE notices SET due = NULL, body = '' WHERE key = ? AND way = ?"};
  Statement put_off_{database_, "UPDATE notices SET due = ?, tries = ? WHERE key = ? AND way = ?"};
};

}  // namespace

std::unique_ptr<Notices> open_sqlite_notices(const std::string& path) {
  return std::make_unique<SqliteNotices>(path);
}

}  // namespace agneto::journal
