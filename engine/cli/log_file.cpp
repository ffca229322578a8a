// The only file that knows spdlog, which takes long to compile.
#include "cli/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "base/error.h"
#include "base/text.h"
#include "process/fd.h"

namespace agneto::cli {
namespace {

constexpr std::size_t longest_value = 1000;  // bytes

[[noreturn]] void fail(const std::string& action, const fs::path& file) {
  throw spdlog::spdlog_ex(
      fmt::format("cannot {} '{}': {}", action, file.string(), std::strerror(errno)));
}

// Never through a link, which could lead to a file that is not ours to write.
process::Fd open_file(const fs::path& file, int flags) {
  return process::Fd(::open(file.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600));
}

// Each line is one write at the file's end, so that lines of several processes do not mix.
class SharedFile : public spdlog::sinks::base_sink<std::mutex> {
 public:
  SharedFile(fs::path file, std::int64_t limit, int kept)
      : file_(std::move(file)), limit_(limit), kept_(kept) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    if (!is_current()) open();
    if (::write(descriptor_.get(), text.data(), text.size()) < 0) fail("write", file_);
    struct stat status {};
    if (::fstat(descriptor_.get(), &status) == 0 && status.st_size >= limit_) rotate();
  }
  void flush_() override {}

  // False once another process has moved the file away, or a person has removed it.
  bool is_current() const {
    struct stat ours {
    }, there{};
    return descriptor_ && ::fstat(descriptor_.get(), &ours) == 0 &&
           ::lstat(file_.c_str(), &there) == 0 && ours.st_ino == there.st_ino &&
           ours.st_dev == there.st_dev;
  }

  void open() {
    const fs::path folder = file_.parent_path();
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) fail("make", folder);
    if (!open_file(folder, O_RDONLY | O_DIRECTORY)) fail("open", folder);
    descriptor_ = open_file(file_, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
    if (!descriptor_) fail("open", file_);
    struct stat status {};
    if (::fstat(descriptor_.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      errno = EINVAL;
      fail("use", file_);
    }
    [[maybe_unused]] const int done = ::fchmod(descriptor_.get(), 0600);  // where it is ours
  }

  // One process at a time renames the files; the others then find that it is done.
  void rotate() {
    const process::Fd folder = open_file(file_.parent_path(), O_RDONLY | O_DIRECTORY);
    if (!folder || ::flock(folder.get(), LOCK_EX) != 0 || !is_current()) return;
    const auto numbered = [&](int number) {
      return fs::path(file_).replace_extension(std::to_string(number) + ".log");
    };
    for (int number = kept_; number > 1; --number) {
      std::rename(numbered(number - 1).c_str(), numbered(number).c_str());
    }
    std::rename(file_.c_str(), numbered(1).c_str());
  }

  const fs::path file_;
  const std::int64_t limit_;
  const int kept_;
  process::Fd descriptor_;
};

spdlog::level::level_enum level_of(log::Level level) {
  constexpr spdlog::level::level_enum levels[] = {spdlog::level::debug, spdlog::level::info,
                                                  spdlog::level::warn, spdlog::level::err};
  return levels[static_cast<int>(level)];
}

// Redacts the value, shortens it, and removes what a terminal would obey.
Json harmless(const Json& value, const Redactor& redactor) {
  Json safe = redactor.json(value);
  if (!safe.is_string()) safe = safe.is_structured() ? Json(to_text(safe)) : safe;
  if (safe.is_string()) {
    safe = shortened(printable(valid_utf8(safe.get_ref<std::string&>())), longest_value);
  }
  return safe;
}

// Writes a word as it is, and anything else in quotation marks.
std::string text_of(const Json& value) {
  if (!value.is_string()) return to_text(value);
  const auto& text = value.get_ref<const std::string&>();
  const bool word = !text.empty() && text.find_first_of(" \t\n\"\\=") == text.npos;
  return word ? text : to_text(value);
}

std::string format(const log::Line& line, const Redactor& redactor, bool json) {
  std::string text =
      json ? "\"message\":" + to_text(Json(line.message)) : std::string(line.message);
  const auto add = [&](const std::string& name, const Json& value) {
    const Json safe = harmless(value, redactor);
    text +=
        json ? "," + to_text(Json(name)) + ":" + to_text(safe) : " " + name + "=" + text_of(safe);
  };
  if (!line.run.empty()) add("run", line.run);
  if (!line.path.empty()) add("path", line.path);
  for (const auto& [name, value] : line.fields) add(name, value);
  return text;
}

class LogFile : public log::Sink {
 public:
  explicit LogFile(LogOptions options)
      : options_(std::move(options)),
        logger_("agneto",
                std::make_shared<SharedFile>(options_.file, options_.limit, options_.kept)) {
    logger_.set_formatter(std::make_unique<spdlog::pattern_formatter>(
        options_.settings.json ? R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l","process":%P,%v})"
                               : "%Y-%m-%dT%H:%M:%S.%eZ %l [%P] %v",
        spdlog::pattern_time_type::utc));
    logger_.set_level(options_.settings.level ? level_of(*options_.settings.level)
                                              : spdlog::level::off);
    logger_.set_error_handler([this](const std::string& why) { give_up(why); });
  }

  void write(const log::Line& line) noexcept override {
    if (!logger_.should_log(level_of(line.level))) return;
    try {
      if (begin()) put(line);
    } catch (const std::exception& error) {
      give_up(error.what());
    }
  }

 private:
  // False as long as there is no .agneto folder to keep the log in.
  bool begin() {
    const std::lock_guard lock(mutex_);
    if (begun_) return true;
    std::error_code ignored;
    if (!fs::is_directory(options_.file.parent_path().parent_path(), ignored)) return false;
    redactor_ = options_.secrets();
    begun_ = true;
    put({log::Level::info, "agneto started", {}, {}, options_.process});
    return true;
  }

  void put(const log::Line& line) {
    const std::string text = format(line, redactor_, options_.settings.json);
    logger_.log(level_of(line.level), spdlog::string_view_t(text));
  }

  // The work goes on without a log.
  void give_up(const std::string& why) {
    logger_.set_level(spdlog::level::off);
    if (options_.settings.asked_for) {
      fmt::print(stderr, "agneto: no log is kept: {}\n", printable(why));
    }
  }

  const LogOptions options_;
  std::mutex mutex_;
  bool begun_ = false;
  Redactor redactor_;  // once begun
  spdlog::logger logger_;
};

}  // namespace

LogSettings log_settings(const std::string& option, std::string_view variable) {
  LogSettings settings;
  const auto take = [&](const std::string& word) {
    const std::vector<std::string> names = {"debug", "info", "warning", "error"};
    const auto level = std::find(names.begin(), names.end(), word);
    if (level != names.end()) {
      settings.level = static_cast<log::Level>(level - names.begin());
    } else if (word == "off") {
      settings.level.reset();
    } else if (word == "json" || word == "text") {
      settings.json = word == "json";
    } else {
      throw Error("AGNETO_LOG: '" + printable(word) + "' is no level and no form of a log",
                  "write debug, info, warning, error or off; and text or json after a comma: "
                  "AGNETO_LOG=debug,json");
    }
    settings.asked_for = true;
  };
  while (!variable.empty()) {
    const std::size_t comma = std::min(variable.find(','), variable.size());
    if (comma > 0) take(std::string(trim(variable.substr(0, comma))));
    variable.remove_prefix(std::min(comma + 1, variable.size()));
  }
  if (!option.empty()) take(option);
  return settings;
}

std::shared_ptr<log::Sink> log_file(LogOptions options) {
  return std::make_shared<LogFile>(std::move(options));
}

}  // namespace agneto::cli
