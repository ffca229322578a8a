#include "journal/postgresql/address.h"

#include <libpq-fe.h>

#include <map>
#include <memory>

#include "base/error.h"

namespace agneto::journal {

namespace {

// So that a network that was cut is noticed; the URI may say otherwise.
const std::map<std::string, std::string>& usual_parameters() {
  static const std::map<std::string, std::string> usual = {
      {"application_name", "agneto"}, {"client_encoding", "UTF8"},  {"connect_timeout", "5"},
      {"keepalives_idle", "5"},       {"keepalives_interval", "2"}, {"keepalives_count", "3"},
      {"tcp_user_timeout", "10000"},
  };
  return usual;
}

std::string name_of(const std::map<std::string, std::string>& said) {
  const auto value = [&](const char* key) {
    const auto found = said.find(key);
    return found == said.end() ? std::string() : found->second;
  };
  std::string name = "postgresql://";
  if (!value("user").empty()) name += value("user") + "@";
  name += value("host").empty() ? value("hostaddr") : value("host");
  if (!value("port").empty()) name += ":" + value("port");
  name += "/" + value("dbname");
  if (!value("service").empty()) name += "?service=" + value("service");
  return name;
}

}  // namespace

bool is_postgresql(std::string_view where) {
  return where.starts_with("postgresql://") || where.starts_with("postgres://");
}

Address::Address(const std::string& uri) {
  char* complaint = nullptr;  // has the URI in it
  const std::unique_ptr<PQconninfoOption, decltype(&PQconninfoFree)> options(
      PQconninfoParse(uri.c_str(), &complaint), &PQconninfoFree);
  PQfreemem(complaint);
  if (!options) {
    throw Error("the address of the journal is no URI of PostgreSQL",
                "write it as postgresql://USER@HOST:PORT/DATABASE");
  }
  std::map<std::string, std::string> said;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr) continue;
    const std::string keyword = option->keyword;
    if (keyword == "password" || keyword == "sslpassword") {
      throw Error(
          "the address of the journal has a password in it, which others could read",
          "leave it out, and give it by ~/.pgpass, by a service in ~/.pg_service.conf or by "
          "PGPASSWORD");
    }
    said[keyword] = option->val;
  }
  name_ = name_of(said);
  for (const auto& [keyword, value] : usual_parameters()) said.emplace(keyword, value);
  parameters_.assign(said.begin(), said.end());
}

}  // namespace agneto::journal
