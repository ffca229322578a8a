// A PostgreSQL of the tests' own, which Debian's package `postgresql` brings: nobody else reaches
// it, and it is gone with its program. Programs that use it are linked to libpq.
#pragma once

#include <fcntl.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "support/temporary_folder.h"

namespace agneto::testing {

// A plain connection.
class Psql {
 public:
  explicit Psql(const std::string& uri) : handle_(PQconnectdb(uri.c_str()), &PQfinish) {
    if (PQstatus(handle_.get()) != CONNECTION_OK) {
      throw std::runtime_error(PQerrorMessage(handle_.get()));
    }
    PQsetNoticeProcessor(
        handle_.get(), [](void*, const char*) {}, nullptr);
  }

  // All values, row by row.
  std::vector<std::string> query(const std::string& sql) {
    const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(handle_.get(), sql.c_str()),
                                                               &PQclear);
    if (PQresultStatus(result.get()) == PGRES_FATAL_ERROR) {
      throw std::runtime_error(PQerrorMessage(handle_.get()));
    }
    std::vector<std::string> values;
    for (int row = 0; row < PQntuples(result.get()); ++row) {
      for (int column = 0; column < PQnfields(result.get()); ++column) {
        const bool is_null = PQgetisnull(result.get(), row, column) != 0;
        values.emplace_back(is_null ? "NULL" : PQgetvalue(result.get(), row, column));
      }
    }
    return values;
  }

 private:
  std::unique_ptr<PGconn, decltype(&PQfinish)> handle_;
};

class PostgresqlServer {
 public:
  // Does not wait for the disk, but where these settings say so.
  explicit PostgresqlServer(std::vector<std::string> settings = {})
      : settings_(std::move(settings)) {
    if (::geteuid() == 0) {  // who may not run it
      const passwd* user = ::getpwnam("postgres");
      if (user == nullptr || ::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
        throw std::runtime_error("there is no user 'postgres'; is PostgreSQL installed?");
      }
    }
    const std::string data = folder_ / "data";
    int status = 0;
    ::waitpid(run({bin() / "initdb", "--pgdata=" + data, "--username=agneto", "--auth=trust",
                   "--encoding=UTF8", "--locale=C", "--no-sync", "--no-instructions"}),
              &status, 0);
    if (status != 0) throw std::runtime_error("initdb failed");
    start();
  }
  ~PostgresqlServer() { stop(); }
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  void start() {
    const std::string folder = folder_.path();
    std::vector<std::string> words = {bin() / "postgres", "-D", folder + "/data", "-k", folder};
    std::vector<std::string> settings = {"listen_addresses=",    "fsync=off",
                                         "full_page_writes=off", "autovacuum=off",
                                         "max_connections=200",  "log_min_messages=panic"};
    settings.insert(settings.end(), settings_.begin(), settings_.end());
    for (const std::string& setting : settings) words.insert(words.end(), {"-c", setting});
    server_ = run(words);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (PQping(uri("postgres").c_str()) != PQPING_OK) {
      if (std::chrono::steady_clock::now() > end) throw std::runtime_error("it does not start");
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  // At once, as where its machine fails.
  void stop() {
    if (server_ <= 0) return;
    ::kill(server_, SIGQUIT);
    ::waitpid(server_, nullptr, 0);
    server_ = 0;
  }

  // Everybody may connect as any role; the first one is its superuser.
  std::string uri(const std::string& database, const std::string& role = "agneto") const {
    return "postgresql://" + role + "@/" + database + "?host=" + folder_.path().string();
  }
  // As messages name such an address.
  std::string name(const std::string& database, const std::string& role = "agneto") const {
    return "postgresql://" + role + "@" + folder_.path().string() + "/" + database;
  }
  std::string folder() const { return folder_.path(); }

 private:
  static std::filesystem::path bin() {
    std::vector<std::filesystem::path> versions;
    for (const auto& entry : std::filesystem::directory_iterator("/usr/lib/postgresql")) {
      versions.push_back(entry.path());
    }
    return std::ranges::max(versions, {},
                            [](const auto& path) { return std::stoi(path.filename().string()); }) /
           "bin";
  }

  static pid_t run(std::vector<std::string> words) {
    std::vector<std::string> all = {"setpriv", "--pdeathsig=QUIT"};
    if (::geteuid() == 0) {
      all = {"setpriv", "--pdeathsig=QUIT", "--reuid=postgres", "--regid=postgres",
             "--clear-groups"};
    }
    all.insert(all.end(), words.begin(), words.end());
    std::vector<char*> arguments;
    for (std::string& word : all) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    // Other threads may be at work here, so that a fork could do next to nothing before it is
    // another program.
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addchdir_np(&actions, "/");
    ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    const int error =
        ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw std::runtime_error("setpriv cannot be started");
    return child;
  }

  const std::vector<std::string> settings_;
  TemporaryFolder folder_;
  pid_t server_ = 0;
};

}  // namespace agneto::testing
