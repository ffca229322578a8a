#include "journal/postgresql/tables.h"
#include "journal/stores.h"

namespace agneto::journal {

namespace {

constexpr std::int64_t most_notices_at_once = 100;

const Sql select_noticed("SELECT change FROM agneto.noticed");
const Sql set_noticed(
    "INSERT INTO agneto.noticed (change) VALUES ($1) "
    "ON CONFLICT (single, tenant) DO UPDATE SET change = excluded.change");
const Sql delete_noticed("DELETE FROM agneto.noticed");
const Sql insert_notice(
    "INSERT INTO agneto.notices (key, way, run, body, due) VALUES ($1, $2, $3, $4, $5) "
    "ON CONFLICT (key, way, tenant) DO NOTHING");
const Sql drop_notices("UPDATE agneto.notices SET due = NULL, body = '' WHERE due IS NOT NULL");
const Sql select_ways("SELECT DISTINCT way FROM agneto.notices WHERE due <= $1");
const Sql select_due(
    "SELECT key, way, run, body, tries FROM agneto.notices WHERE way = $1 AND due <= $2 "
    "ORDER BY due, number LIMIT $3");
const Sql settle_notice(
    "UPDATE agneto.notices SET due = NULL, body = '' WHERE key = $1 AND way = $2");
const Sql put_off_notice(
    "UPDATE agneto.notices SET due = $3, tries = $4 WHERE key = $1 AND way = $2");

// What it writes is as good done twice as once.
class PostgresqlNotices : public Notices {
 public:
  PostgresqlNotices(const std::string& uri, const PostgresqlOptions& options)
      : pool_(Address(uri), 1, options.patience) {
    prepare(pool_);
  }

  std::optional<std::int64_t> noticed() override {
    const auto results = run({{select_noticed}});
    const Result& noticed = results.front();
    return noticed.rows() == 0 ? std::nullopt : std::optional(noticed.number(0, 0));
  }

  void notice(std::int64_t change, const std::vector<Notice>& found, Time now) override {
    std::vector<Command> commands = {{set_noticed, Values().number(change)}};
    for (const Notice& each : found) {
      commands.push_back(
          {insert_notice,
           Values().text(each.key).text(each.way).text(each.run).text(each.body).time(now)});
    }
    run(commands);
  }

  void forget() override { run({{delete_noticed}, {drop_notices}}); }

  std::vector<std::string> ways_due(Time now) override {
    const auto results = run({{select_ways, Values().time(now)}});
    std::vector<std::string> all;
    for (int row = 0; row < results.front().rows(); ++row) {
      all.push_back(results.front().text(row, 0));
    }
    return all;
  }

  std::vector<Notice> due(const std::string& way, Time now) override {
    const auto results =
        run({{select_due, Values().text(way).time(now).number(most_notices_at_once)}});
    const Result& due = results.front();
    std::vector<Notice> all;
    for (int row = 0; row < due.rows(); ++row) {
      all.push_back({due.text(row, 0), due.text(row, 1), due.text(row, 2), due.text(row, 3),
                     static_cast<int>(due.number(row, 4))});
    }
    return all;
  }

  void settle(const Notice& notice) override {
    run({{settle_notice, Values().text(notice.key).text(notice.way)}});
  }

  void put_off(const Notice& notice, Time until, int tries) override {
    run({{put_off_notice, Values().text(notice.key).text(notice.way).time(until).number(tries)}});
  }

 private:
  std::vector<Result> run(const std::vector<Command>& commands) {
    return pool_.run([&](Connection& connection) { return connection.run(commands); });
  }

  Pool pool_;
};

}  // namespace

std::unique_ptr<Notices> open_postgresql_notices(const std::string& uri,
                                                 const PostgresqlOptions& options) {
  return std::make_unique<PostgresqlNotices>(uri, options);
}

}  // namespace agneto::journal
