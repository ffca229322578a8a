#include "script/driver.h"

#include <algorithm>

#include "base/error.h"
#include "model/packages.h"
#include "model/values.h"
#include "script/fields.h"
#include "script/rules.h"
#include "script/values.h"

namespace agneto::script {

namespace {

constexpr const char* known_settings[] = {"effort", "args", "env", "mcp"};

bool is_provider_name(const std::string& name) {
  return !name.empty() &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_word(c) || c == '-'; });
}

struct FoundDriver {
  fs::path file = {};        // empty: there is none
  bool is_package = false;   // is there the package that it would be in?
  std::string problem = {};  // of that package
  std::string help = {};
};

// "kit/mine": the driver `mine` of the package `kit` of the team, whose own drivers are in the
// first of the folders.
FoundDriver find_in_package(const std::string& package, const std::string& driver,
                            const Files& files, const std::vector<fs::path>& folders) {
  if (folders.empty() || !model::is_name(package, false) || !is_provider_name(driver)) return {};
  model::Packages packages(files);
  const auto& found = packages.find(folders.front().parent_path().parent_path(), package);
  const bool is_there = !found.folder.empty() || !found.problem.empty();
  if (found.folder.empty()) return {{}, is_there, found.problem, found.help};
  for (const char* own : {"scripts/providers", "providers"}) {
    fs::path file = (found.folder / own / (driver + ".lua")).lexically_normal();
    if (files.read(file)) return {std::move(file), is_there};
  }
  return {{}, is_there};
}

FoundDriver find_driver(const std::string& name, const Files& files,
                        const std::vector<fs::path>& folders) {
  if (const auto slash = name.find('/'); slash != std::string::npos) {
    return find_in_package(name.substr(0, slash), name.substr(slash + 1), files, folders);
  }
  if (!is_provider_name(name)) return {};
  for (const auto& folder : folders) {
    fs::path file = (folder / (name + ".lua")).lexically_normal();
    if (files.read(file)) return {std::move(file)};
  }
  return {};
}

std::string no_provider(const std::string& name) {
  return "there is no provider '" + name + "'";
}

fs::path driver_file(const std::string& name, const Files& files,
                     const std::vector<fs::path>& folders) {
  FoundDriver found = find_driver(name, files, folders);
  if (!found.file.empty()) return std::move(found.file);
  if (!found.problem.empty()) throw Error(found.problem, found.help);
  throw Error(no_provider(name), suggestion(name, providers_in(folders), "providers"));
}

Millis read_duration(const Fields& fields, const char* name) {
  const Json& value = fields.find(name);
  if (value.is_null()) return Millis(0);
  const auto duration = value.is_string() ? parse_duration(value.get<std::string>()) : std::nullopt;
  if (!duration) fields.refuse(name, "a duration like \"2s\"", value);
  return *duration;
}

const Json& read_list(const Fields& fields, const char* name, const char* wanted) {
  const Json& value = fields.find(name);
  if (!value.is_null() && !value.is_array()) fields.refuse(name, wanted, value);
  return value;
}

DriverCommand::Answer read_answer(const Json& value, const std::string& what) {
  const Fields fields(value, what,
                      {"text", "error", "event", "edits", "patch", "delay", "output", "took",
                       "speed", "prompt", "stuck", "note", "fault"});
  DriverCommand::Answer answer;
  answer.text = fields.text("text").value_or("");
  answer.error = fields.text("error").value_or("");
  answer.patch = fields.text("patch").value_or("");
  answer.event = fields.text("event").value_or("");
  if (!answer.event.empty() && !answer.event.starts_with("error.")) {
    fields.refuse("event", "an error such as \"error.timeout\"", fields.find("event"));
  }
  answer.delay = read_duration(fields, "delay");
  for (const auto& edit : read_list(fields, "edits", "a list of {path, text}")) {
    const Fields parts(edit, what + " in 'edits'", {"path", "text"});
    const auto path = parts.text("path");
    if (!path || path->empty()) parts.refuse("path", "a file's path", parts.find("path"));
    answer.edits.emplace_back(*path, parts.text("text"));
  }
  for (const auto& said : read_list(fields, "output", "a list of {at, text}")) {
    const Fields parts(said, what + " in 'output'",
                       {"at", "text", "tool", "tool_denied", "tool_failed", "tool_end"});
    answer.output.push_back({read_duration(parts, "at"), parts.text("text").value_or(""),
                             parts.text("tool").value_or(""),
                             parts.text("tool_denied").value_or(""),
                             parts.text("tool_failed").value_or(""), parts.flag("tool_end")});
  }
  answer.took = read_duration(fields, "took");
  answer.speed = fields.number("speed").value_or(0);
  if (!(answer.speed >= 0)) fields.refuse("speed", "0 or more", fields.find("speed"));
  answer.prompt = fields.text("prompt");
  answer.stuck = fields.flag("stuck");
  answer.note = fields.text("note").value_or("");
  answer.fault = fields.text("fault").value_or("");
  return answer;
}

DriverEvent read_event(const Json& value, const std::string& what) {
  const Fields fields(
      value, what,
      {"text", "note", "trying", "tool_start", "tool_end", "tool_denied", "tool_failed", "session",
       "cost", "input_tokens", "cached_tokens", "output_tokens", "result", "error", "session_lost",
       "away", "refused", "wait"});
  DriverEvent event;
  event.text = fields.text("text");
  event.note = fields.text("note");
  event.trying = fields.flag("trying");
  event.tool_start = fields.text("tool_start");
  event.tool_end = fields.flag("tool_end");
  event.tool_denied = fields.text("tool_denied");
  event.tool_failed = fields.text("tool_failed");
  event.session = fields.text("session");
  event.cost = fields.number("cost");
  if (event.cost && !(*event.cost >= 0 && *event.cost <= 1e6)) {
    fields.refuse("cost", "0 to 1000000 US dollars", fields.find("cost"));
  }
  event.input_tokens = fields.count("input_tokens");
  event.cached_tokens = fields.count("cached_tokens");
  event.output_tokens = fields.count("output_tokens");
  event.result = fields.text("result");
  event.error = fields.text("error");
  event.session_lost = fields.flag("session_lost");
  event.away = fields.text("away");
  event.refused = fields.text("refused");
  constexpr const char* seconds = "a number of seconds";
  if (const auto wait = fields.number("wait", seconds)) {
    constexpr double most = 3e9;  // a hundred years
    if (!(*wait >= 0)) fields.refuse("wait", seconds, fields.find("wait"));
    event.wait = Millis(static_cast<std::int64_t>(std::min(*wait, most) * 1000));
  }
  return event;
}

std::vector<DriverEvent> read_events(const Json& value, const std::string& what) {
  std::vector<DriverEvent> events;
  if (value.is_null()) return events;
  if (!value.is_array()) return {read_event(value, what)};
  for (const auto& item : value) events.push_back(read_event(item, what));
  return events;
}

Json call_to_json(const DriverCall& call) {
  return {{"agent", call.agent},
          {"access", call.access},
          {"model", call.model},
          {"prompt", call.prompt},
          {"session", call.session},
          {"new_session", call.new_session},
          {"cwd", call.cwd},
          {"schema", call.schema},
          {"options", call.options.is_object() ? call.options : Json::object()},
          {"tools", call.tools},
          {"effort", call.effort},
          {"args", call.args},
          {"env", call.env},
          {"mcp", call.mcp},
          {"attempt", call.attempt},
          {"state", call.state},
          {"task", call.task},
          {"nth", call.nth},
          {"path", call.path},
          {"sandboxed", call.sandboxed}};
}

}  // namespace

std::vector<std::string> providers_in(const std::vector<fs::path>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      const std::string name = entry.path().stem().string();
      const bool is_driver = entry.path().extension() == ".lua" && is_provider_name(name);
      if (is_driver) names.push_back(name);  // and no test of one
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string provider_in(const std::string& name, const Files& files,
                        const std::vector<fs::path>& folders) {
  const auto slash = name.find('/');
  const std::string first = name.substr(0, slash);
  if (slash == std::string::npos) return first;
  const std::string both = name.substr(0, name.find('/', slash + 1));
  const FoundDriver found = find_driver(both, files, folders);
  const bool is_of_package =
      found.is_package && (!found.file.empty() || find_driver(first, files, folders).file.empty());
  return is_of_package ? both : first;
}

void check_provider(const std::string& name, Span place, const Files& files,
                    const std::vector<fs::path>& folders, Diagnostics& diagnostics) {
  const FoundDriver found = find_driver(name, files, folders);
  if (!found.file.empty()) return;
  if (!found.problem.empty()) {
    diagnostics.report(rules::unknown_provider, place, found.problem, found.help);
    return;
  }
  suggest(diagnostics.report(rules::unknown_provider, place, no_provider(name)), name,
          providers_in(folders), "providers");
}

Driver::Driver(const std::string& name, const Files& files, const std::vector<fs::path>& folders)
    : script_(driver_file(name, files, folders), files, folders) {
  const auto error = script_.inspect([this](lua_State* lua) { return check(lua); });
  if (error) throw Error("the provider '" + name + "' cannot be used: " + *error);
}

bool Driver::check(lua_State* lua) {
  if (!lua_istable(lua, -1)) {
    return script_.refuse("a driver must return a table, {command = function(call) ... end, ...}");
  }
  if (field_type(lua, "command") != LUA_TFUNCTION) {
    return script_.refuse("has no function 'command'");
  }
  for (const char* name : {"event", "error_line", "finish", "check", "tools"}) {
    const int type = field_type(lua, name);
    if (name == std::string_view("event")) reads_lines_ = type == LUA_TFUNCTION;
    if (name == std::string_view("error_line")) reads_errors_ = type == LUA_TFUNCTION;
    if (name == std::string_view("tools")) gives_tools_ = type == LUA_TFUNCTION;
    if (type != LUA_TNIL && type != LUA_TFUNCTION) {
      return script_.refuse("'" + std::string(name) + "' must be a function");
    }
  }
  if (!DriverScript::read_text(lua, "program", program_)) {
    return script_.refuse("'program' must be a program's name");
  }
  if (!DriverScript::read_text(lua, "verdict", verdict_)) {
    return script_.refuse("'verdict' must be a sentence, or be left out");
  }
  sessions_ = push_field(lua, "sessions") == LUA_TBOOLEAN && lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  if (push_field(lua, "usage") != LUA_TNIL) {
    usage_ = lua_type(lua, -1) == LUA_TSTRING ? text_at(lua, -1) : "";
    if (usage_ != "cost" && usage_ != "tokens") {
      return script_.refuse("'usage' must be \"cost\" or \"tokens\", or be left out");
    }
  }
  lua_pop(lua, 1);
  for (auto [name, names] :
       {std::pair("options", &options_), {"home", &home_}, {"passes", &passes_}}) {
    if (!DriverScript::read_texts(lua, name, *names)) {
      return script_.refuse("'" + std::string(name) + "' must be a list of names, or be left out");
    }
  }
  const auto is_below = [](const fs::path& path) {
    return path.is_relative() && path.has_filename() && *path.lexically_normal().begin() != "..";
  };
  if (!std::ranges::all_of(home(), is_below)) {
    return script_.refuse("'home' must be a list of paths below HOME");
  }
  return check_settings(lua);
}

bool Driver::check_settings(lua_State* lua) {
  const int type = push_field(lua, "settings");
  if (type == LUA_TNIL) return true;
  if (type != LUA_TTABLE) return script_.refuse("'settings' must be a table, or be left out");
  const int table = lua_gettop(lua);
  for (lua_pushnil(lua); lua_next(lua, table) != 0; lua_pop(lua, 1)) {
    const std::string name = lua_type(lua, -2) == LUA_TSTRING ? text_at(lua, -2) : "";
    if (std::ranges::find(known_settings, name) == std::end(known_settings)) {
      return script_.refuse("'settings' has no key '" + valid_utf8(name) + "'; there are " +
                            join({std::begin(known_settings), std::end(known_settings)}, ", "));
    }
    const bool is_true = lua_type(lua, -1) == LUA_TBOOLEAN && lua_toboolean(lua, -1) != 0;
    if (!is_true && lua_type(lua, -1) != LUA_TFUNCTION) {
      return script_.refuse("'settings." + name + "' must be true or a function, or be left out");
    }
    settings_.insert(name);
  }
  return true;
}

std::optional<std::string> Driver::refusal(const Json& options) {
  return refusal_by("check", Json::array({options}));
}

std::optional<std::string> Driver::refusal_of_tool(const std::string& name) {
  if (!gives_tools_) return "its provider gives no tools";
  return refusal_by("tools", Json::array({name}));
}

std::optional<std::string> Driver::refusal_of_setting(const std::string& name,
                                                      const Json& arguments) {
  if (!settings_.contains(name)) return "its provider does not pass it on";
  return refusal_by(name.c_str(), arguments, "settings");
}

std::optional<std::string> Driver::refusal_by(const char* function, const Json& arguments,
                                              const char* table) {
  try {
    script_.call(function, arguments, table);
  } catch (const HookError& error) {
    return error.what();
  }
  return std::nullopt;
}

DriverCommand Driver::command(const DriverCall& call) {
  const std::string what = script_.returned("command");
  const Json result = script_.call("command", Json::array({call_to_json(call)}));
  const Fields fields(result, what, {"argv", "env", "input", "files", "answer"});
  DriverCommand command;
  if (!fields.find("answer").is_null()) {
    command.answer = read_answer(fields.find("answer"), what + " in 'answer'");
    return command;
  }
  command.argv = fields.texts("argv");
  if (command.argv.empty()) throw HookError(what + ": 'argv' or 'answer' is missing");
  command.env = fields.named_texts("env");
  command.input = fields.text("input").value_or("");
  command.files = fields.named_texts("files");
  return command;
}

std::vector<DriverEvent> Driver::event(const std::string& line, Time now) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
  return read_events(script_.call("event", Json::array({line, seconds})),
                     script_.returned("event"));
}

std::vector<DriverEvent> Driver::error_line(const std::string& line) {
  return read_events(script_.call("error_line", Json::array({line})),
                     script_.returned("error_line"));
}

std::vector<DriverEvent> Driver::finish(const std::string& whole_output, int exit_status,
                                        const std::string& error_output) {
  const Json result =
      script_.call("finish", Json::array({whole_output, exit_status, error_output}));
  return read_events(result, script_.returned("finish"));
}

}  // namespace agneto::script
