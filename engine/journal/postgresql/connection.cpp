#include "journal/postgresql/connection.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace agneto::journal {

namespace {

// So many commands are sent before their answers are read, so that neither side waits for the
// other one to read.
constexpr std::size_t most_under_way = 500;

// An answer may take long. After such a time it is asked whether it can come at all.
constexpr Millis before_looking_elsewhere{5000};
// Others may have found out meanwhile.
constexpr Millis between_questions{250};

std::string one_line(const char* message) {
  std::string line;
  for (const char c : trim(message)) {
    if (c == '\n' || c == '\t') {
      if (!line.ends_with(' ')) line += ' ';
    } else {
      line += c;
    }
  }
  return line;
}

std::string field(const PGresult* result, int which) {
  const char* text = PQresultErrorField(result, which);
  return text == nullptr ? "" : text;
}

constexpr const char* who_is_let_in =
    "see that PostgreSQL runs there and lets this user in; a password comes from ~/.pgpass, from a "
    "service in ~/.pg_service.conf or from PGPASSWORD";

}  // namespace

std::string storable(std::string_view text) {
  std::string valid = valid_utf8(text);
  for (std::size_t at = valid.find('\0'); at != std::string::npos; at = valid.find('\0', at)) {
    valid.replace(at, 1, "\xEF\xBF\xBD");
  }
  return valid;
}

Values& Values::text(std::string_view text) {
  values_.push_back({storable(text)});
  return *this;
}

Values& Values::number(std::int64_t number) {
  values_.push_back({std::to_string(number)});
  return *this;
}

Values& Values::bytes(std::string_view bytes) {
  values_.push_back({std::string(bytes), true});
  return *this;
}

Values& Values::null() {
  values_.emplace_back();
  return *this;
}

std::string Result::text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column),
          static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::int64_t Result::number(int row, int column) const {
  return is_null(row, column) ? 0 : parse_number<std::int64_t>(text(row, column)).value();
}

std::string Result::bytes(int row, int column) const {
  std::size_t size = 0;
  unsigned char* plain = PQunescapeBytea(
      reinterpret_cast<const unsigned char*>(PQgetvalue(result_.get(), row, column)), &size);
  std::string bytes(reinterpret_cast<const char*>(plain), size);
  PQfreemem(plain);
  return bytes;
}

std::int64_t Result::written() const {
  return parse_number<std::int64_t>(PQcmdTuples(result_.get())).value_or(0);
}

Connection::Connection(const Address& address)
    : address_(address), name_(address_.name()), handle_(nullptr, &PQfinish) {
  std::vector<const char*> keywords, values;
  const auto parameters = address_.parameters();
  for (const auto& [keyword, value] : parameters) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  handle_.reset(PQconnectdbParams(keywords.data(), values.data(), 0));
  if (PQstatus(handle_.get()) != CONNECTION_OK) {
    address_.none_is_written();
    throw ConnectionLost(fmt::format("cannot reach the journal '{}': {}", name_,
                                     one_line(PQerrorMessage(handle_.get()))),
                         who_is_let_in, ExitStatus::failed);
  }
  server_ = {PQhost(handle_.get()), PQport(handle_.get())};
  if (address_.is_of_several()) address_.is_written(server_);
  PQsetNoticeProcessor(
      handle_.get(), [](void*, const char*) {}, nullptr);
  PQenterPipelineMode(handle_.get());
}

std::vector<Result> Connection::run(const std::vector<Command>& commands) {
  std::vector<Result> results;
  results.reserve(commands.size());
  expected_.clear();
  error_.reset();
  for (const Command& command : commands) {
    send(command);
    if (expected_.size() < most_under_way) continue;
    if (PQsendFlushRequest(handle_.get()) == 0) lose();
    take(results);
  }
  if (PQpipelineSync(handle_.get()) == 0) lose();
  take(results);
  for (Handle ended = next(); PQresultStatus(ended.get()) != PGRES_PIPELINE_SYNC; ended = next()) {
    note(std::move(ended));  // the commit itself failed
  }
  if (error_) fail();
  return results;
}

Result Connection::run(const Sql& sql, Values values) {
  std::vector<Result> results = run({{sql, std::move(values)}});
  return std::move(results.front());
}

void Connection::script(const std::string& text) {
  error_.reset();
  PQexitPipelineMode(handle_.get());
  Handle result(PQexec(handle_.get(), text.c_str()), &PQclear);
  if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) note(std::move(result));
  PQenterPipelineMode(handle_.get());
  if (error_) fail();
}

bool Connection::seems_alive() {
  // Nothing is expected now: what comes says that the server goes.
  struct pollfd readable {
    PQsocket(handle_.get()), POLLIN, 0
  };
  return !lost_ && !is_known_to_be_replaced() && PQstatus(handle_.get()) == CONNECTION_OK &&
         PQtransactionStatus(handle_.get()) == PQTRANS_IDLE && ::poll(&readable, 1, 0) == 0;
}

std::vector<std::string> Connection::heard(Millis longest, int stop) {
  std::array<pollfd, 2> readable = {{{PQsocket(handle_.get()), POLLIN, 0}, {stop, POLLIN, 0}}};
  std::vector<std::string> all;
  // What came with an earlier answer is there already.
  const auto take_all = [&] {
    while (PGnotify* notify = PQnotifies(handle_.get())) {
      all.emplace_back(notify->extra);
      PQfreemem(notify);
    }
  };
  take_all();
  if (!all.empty()) return all;
  const int came = ::poll(readable.data(), readable.size(), static_cast<int>(longest.count()));
  if (came > 0 && readable[0].revents != 0) {
    if (PQconsumeInput(handle_.get()) == 0) lose();
    take_all();
    if (PQstatus(handle_.get()) != CONNECTION_OK) lose();
  }
  return all;
}

// Two programs that prepare the same name on one connection have prepared the same text.
const std::string& Connection::name_of(const Sql& sql) {
  std::string& name = names_[sql.text];
  if (name.empty()) name = ("agneto_" + sha256(sql.text)).substr(0, 40);
  return name;
}

void Connection::send(const Command& command) {
  const auto& values = command.values.all();
  std::vector<const char*> texts;
  std::vector<int> lengths, formats;
  for (const auto& value : values) {
    texts.push_back(value.text ? value.text->c_str() : nullptr);
    lengths.push_back(value.text ? static_cast<int>(value.text->size()) : 0);
    formats.push_back(value.binary ? 1 : 0);
  }
  const int count = static_cast<int>(values.size());
  const Sql& sql = command.sql;
  if (!prepares_) {
    if (PQsendQueryParams(handle_.get(), sql.text.c_str(), count, nullptr, texts.data(),
                          lengths.data(), formats.data(), 0) == 0) {
      lose();
    }
    expected_.emplace_back();
    return;
  }
  const std::string& name = name_of(sql);
  const bool under_way = std::ranges::find(expected_, name) != expected_.end();
  if (!under_way && !prepared_.contains(name)) {
    if (PQsendPrepare(handle_.get(), name.c_str(), sql.text.c_str(), 0, nullptr) == 0) lose();
    expected_.push_back(name);
  }
  if (PQsendQueryPrepared(handle_.get(), name.c_str(), count, texts.data(), lengths.data(),
                          formats.data(), 0) == 0) {
    lose();
  }
  expected_.emplace_back();
}

void Connection::take(std::vector<Result>& results) {
  for (const std::string& prepares : expected_) {
    Handle result = next();
    const ExecStatusType status = PQresultStatus(result.get());
    if (status == PGRES_FATAL_ERROR) {
      note(std::move(result));
    } else if (status == PGRES_PIPELINE_ABORTED) {
      continue;
    } else if (prepares.empty()) {
      results.emplace_back(result.release());
    } else {
      prepared_.insert(prepares);
    }
  }
  expected_.clear();
}

// Between the answers to two commands libpq has nothing once.
Connection::Handle Connection::next() {
  for (int nothing = 0; nothing < 2; ++nothing) {
    if (PQflush(handle_.get()) != 0) lose();
    while (PQisBusy(handle_.get()) != 0) {
      if (!wait_for_more() || PQconsumeInput(handle_.get()) == 0) lose();
    }
    Handle result(PQgetResult(handle_.get()), &PQclear);
    if (result) return result;
  }
  lose();
}

// False: nothing can come any more.
bool Connection::wait_for_more() const {
  struct pollfd readable {
    PQsocket(handle_.get()), POLLIN, 0
  };
  for (;;) {
    const Millis longest = longest_.value_or(before_looking_elsewhere);
    for (Millis left = longest; left > Millis(0);) {
      const Millis wait = std::min(left, between_questions);
      if (::poll(&readable, 1, static_cast<int>(wait.count())) == 1) return true;
      if (is_known_to_be_replaced()) return false;
      left -= wait;
    }
    if (longest_ || is_replaced()) return false;
  }
}

// A server that hangs keeps its connections. Whoever connects anew finds which one is written now.
bool Connection::is_replaced() const {
  if (!address_.is_of_several()) return false;
  try {
    const Connection now(address_);
    return is_known_to_be_replaced();
  } catch (const ConnectionLost&) {
    return false;  // nobody has, yet
  }
}

bool Connection::is_known_to_be_replaced() const {
  return address_.is_of_several() && address_.written() != server_;
}

void Connection::note(Handle error) {
  if (!error_) error_ = std::move(error);
}

void Connection::fail() {
  const std::string state = field(error_.get(), PG_DIAG_SQLSTATE);
  const std::string message = field(error_.get(), PG_DIAG_MESSAGE_PRIMARY);
  // Another one has taken its place, or is about to: behind what stands between, the next
  // connection may be to that one.
  if (state == "25006") {
    lost_ = true;
    throw ConnectionLost(fmt::format("cannot use the journal '{}': {}", name_, message),
                         "name the server that is written, not one that follows it",
                         ExitStatus::failed);
  }
  // The server is going down, or somebody has ended the connection.
  if (PQstatus(handle_.get()) != CONNECTION_OK || state.starts_with("57P0") ||
      state.starts_with("08") || state.empty()) {
    lose();
  }
  if (state == "53100") throw DiskFull(fmt::format("cannot write the journal '{}'", name_));
  std::string help;
  if (state == "42501") help = "let somebody who may grant that to this user; see docs/fleet.md";
  throw Refused(fmt::format("cannot use the journal '{}': {}", name_, message), help, state,
                field(error_.get(), PG_DIAG_CONSTRAINT_NAME));
}

void Connection::lose() {
  lost_ = true;
  std::string why = error_ ? field(error_.get(), PG_DIAG_MESSAGE_PRIMARY) : "";
  if (why.empty()) why = one_line(PQerrorMessage(handle_.get()));
  if (why.empty()) why = "it does not answer any more";
  throw ConnectionLost(fmt::format("the connection to the journal '{}' was lost: {}", name_, why),
                       "", ExitStatus::failed);
}

}  // namespace agneto::journal
