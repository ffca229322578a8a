#include "journal/postgresql/address.h"

#include <libpq-fe.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>

#include "base/error.h"
#include "base/text.h"

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

std::vector<std::string> listed(const std::string& list) {
  std::vector<std::string> all;
  std::istringstream texts(list + ",");
  for (std::string text; std::getline(texts, text, ',');) all.push_back(text);
  return all;
}

// One port may be that of all hosts.
std::string at(const std::vector<std::string>& all, std::size_t place) {
  if (all.size() == 1) return all.front();
  return place < all.size() ? all[place] : "";
}

// "HOST:PORT,HOST:PORT"
std::string hosts_of(const std::string& hosts, const std::string& ports) {
  if (ports.find(',') == std::string::npos) return ports.empty() ? hosts : hosts + ":" + ports;
  const auto all = listed(hosts), their_ports = listed(ports);
  std::vector<std::string> named;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string port = at(their_ports, i);
    named.push_back(all[i] + (port.empty() ? "" : ":" + port));
  }
  return join(named, ",");
}

std::string name_of(const std::map<std::string, std::string>& said) {
  const auto value = [&](const char* key) {
    const auto found = said.find(key);
    return found == said.end() ? std::string() : found->second;
  };
  std::string name = "postgresql://";
  if (!value("user").empty()) name += value("user") + "@";
  name += hosts_of(value("host").empty() ? value("hostaddr") : value("host"), value("port"));
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
  // Of several servers one is written, which may be another one by the next time.
  const auto all = [&](const char* keyword) {
    const auto found = said.find(keyword);
    return listed(found == said.end() ? "" : found->second);
  };
  const auto hosts = all("host"), addresses = all("hostaddr"), ports = all("port");
  if (const std::size_t count = std::max(hosts.size(), addresses.size()); count > 1) {
    const std::string& wanted = said.emplace("target_session_attrs", "read-write").first->second;
    is_of_several_ = wanted == "read-write" || wanted == "primary";
    for (std::size_t i = 0; i < count; ++i) {
      const std::string host = at(hosts, i);
      servers_.push_back({host.empty() ? at(addresses, i) : host, at(ports, i)});
    }
  }
  parameters_.assign(said.begin(), said.end());
}

std::vector<std::pair<std::string, std::string>> Address::parameters() const {
  auto parameters = parameters_;
  if (!is_of_several_) return parameters;
  const auto start = static_cast<std::ptrdiff_t>(first());
  for (auto& [keyword, value] : parameters) {
    if (keyword != "host" && keyword != "hostaddr" && keyword != "port") continue;
    auto all = listed(value);
    if (all.size() != servers_.size()) continue;
    std::rotate(all.begin(), all.begin() + start, all.end());
    value = join(all, ",");
  }
  return parameters;
}

std::size_t Address::first() const {
  const std::lock_guard lock(known_->mutex);
  if (!known_->written) return 0;
  // libpq names the port also where the address leaves it out.
  const auto found = std::ranges::find_if(servers_, [this](const Server& server) {
    return server.host == known_->written->host &&
           (server.port.empty() || server.port == known_->written->port);
  });
  if (found == servers_.end()) return 0;
  const auto place = static_cast<std::size_t>(found - servers_.begin());
  return (place + (known_->lost ? 1 : 0)) % servers_.size();
}

void Address::is_written(const Server& server) const {
  const std::lock_guard lock(known_->mutex);
  known_->written = server;
  known_->lost = false;
}

void Address::none_is_written() const {
  const std::lock_guard lock(known_->mutex);
  known_->lost = true;
}

std::optional<Server> Address::written() const {
  const std::lock_guard lock(known_->mutex);
  return known_->written;
}

}  // namespace agneto::journal
