#include "script/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "lua/prompt.h"
#include "model/values.h"
#include "script/library.h"

namespace agneto::script {

namespace {

const char cache_key = 0;  // in the registry: file -> value

// "x.y" -> x/y.lua; empty where that is no module's name.
fs::path relative_path(const std::string& name) {
  bool word = false;
  for (const char c : name) {
    const bool dot = c == '.';
    if (dot ? !word : !is_word(c) && c != '-') return {};
    word = !dot;
  }
  if (!word) return {};
  std::string path = name;
  std::replace(path.begin(), path.end(), '.', '/');
  return path + ".lua";
}

}  // namespace

std::vector<fs::path> ModulePaths::search() const {
  std::vector<fs::path> folders;
  for (const fs::path& root : roots) folders.insert(folders.end(), {root / "scripts", root});
  folders.push_back(library);
  return folders;
}

std::vector<fs::path> ModulePaths::allowed() const {
  std::vector<fs::path> folders = roots;
  folders.push_back(library);
  return folders;
}

ModuleSearch::ModuleSearch(const Files& files, std::vector<fs::path> search,
                           std::vector<fs::path> allowed)
    : search_(std::move(search)), allowed_(std::move(allowed)), packages_(files) {}

ModuleSearch::Candidates ModuleSearch::candidates(const std::string& name, const fs::path& beside) {
  const auto slash = name.find('/');
  const bool names_package = slash != std::string::npos;
  const std::string package = name.substr(0, names_package ? slash : 0);
  const fs::path relative = relative_path(name.substr(names_package ? slash + 1 : 0));
  if (relative.empty() || (names_package && !model::is_name(package, false))) {
    return {{},
            "'" + printable(name) +
                "' is no module name; write words with dots between them, like 'lib.text', or "
                "'kit/lib.text' for one of the package 'kit'"};
  }
  const auto around = std::ranges::find_if(
      allowed_, [&](const fs::path& root) { return is_within(beside, root.lexically_normal()); });
  const fs::path root = around == allowed_.end() ? beside : *around;
  const fs::path own = model::package_root(root, beside / relative.filename());
  Candidates all;
  const auto add = [&](const fs::path& folder) {
    const fs::path file = (folder / relative).lexically_normal();
    if (std::ranges::find(all.files, file) == all.files.end()) all.files.push_back(file);
  };
  if (names_package) {
    const auto& found = packages_.find(own, package);
    if (found.folder.empty()) {
      return {{},
              found.problem.empty()
                  ? fmt::format("there is no package '{}' in '{}'", package, own.string())
                  : found.problem + "; " + found.help};
    }
    for (const fs::path& folder : {found.folder / "scripts", found.folder}) add(folder);
    return all;
  }
  add(beside);
  if (own == root) {
    for (const fs::path& folder : search_) add(folder);
  } else {
    for (const fs::path& folder : {own / "scripts", own, allowed_.back()}) add(folder);
  }
  return all;
}

Modules::Modules(Sandbox& sandbox, const Files& files, std::vector<fs::path> search,
                 std::vector<fs::path> allowed)
    : sandbox_(sandbox), files_(files), search_(files, std::move(search), std::move(allowed)) {
  const auto error = sandbox_.protect([this](lua_State* lua) {
    lua_newtable(lua);
    lua_rawsetp(lua, LUA_REGISTRYINDEX, &cache_key);
    push_library(lua, Library::modules);
    lua_pushlightuserdata(lua, this);
    push_json_library(lua);
    lua_pushcclosure(lua, require_from_lua, 2);
    lua_setfield(lua, -2, "require");
    make_environment(lua);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  });
  if (error) throw std::runtime_error(*error);
}

bool Modules::is_allowed(const fs::path& file) const {
  const auto within = [&](const fs::path& path, auto&& view) {
    return std::ranges::any_of(search_.allowed(), [&](const fs::path& folder) {
      return is_within(path.lexically_normal(), view(folder).lexically_normal());
    });
  };
  if (!within(file, [](const fs::path& folder) { return folder; })) return false;
  std::error_code error;
  const auto real = [&](const fs::path& path) {
    return fs::weakly_canonical(fs::absolute(path.empty() ? fs::path(".") : path), error);
  };
  const fs::path target = real(file);
  return error || within(target, real);
}

bool Modules::open(const fs::path& file) {
  std::string path = file.lexically_normal().string();
  if (!sources_.contains(path)) {
    if (auto prompt = model::inline_prompt(files_, file)) {
      sources_[path] = prompt->workflow;
      inline_prompts_.emplace(path, std::move(*prompt));
    } else if (auto text = files_.read(file)) {
      sources_[path] = std::make_shared<const Source>(path, std::move(*text));
    } else {
      return false;
    }
  }
  current_ = std::move(path);
  return true;
}

bool Modules::read(const fs::path& file) {
  const std::string path = file.lexically_normal().string();
  if (!is_allowed(file)) {
    return sandbox_.set_failure("the file '" + path + "' is outside the folders of this workflow");
  }
  return open(file) || sandbox_.set_failure("cannot read the file '" + path + "'");
}

bool Modules::find(const std::string& name, const fs::path& beside) {
  const auto [files, problem] = search_.candidates(name, beside);
  if (!problem.empty()) return sandbox_.set_failure(problem);
  std::vector<std::string> looked;
  for (const fs::path& file : files) {
    looked.push_back(file.string());
    if (is_allowed(file)) {
      if (open(file)) return true;
    } else if (std::error_code ignored; fs::exists(file, ignored)) {
      return sandbox_.set_failure("the module '" + name + "' ('" + looked.back() +
                                  "') is outside the folders of this workflow");
    }
  }
  return sandbox_.set_failure("there is no module '" + name + "'; looked for " +
                              join(looked, ", "));
}

// Leaves the file's code on the stack, or what Lua finds wrong with it.
bool Modules::load(lua_State* lua, const char* key) {
  const SourcePtr& source = sources_.find(key)->second;
  std::string text = source->text();
  if (lua::is_prompt(key)) {
    const auto inside = inline_prompts_.find(key);
    const model::InlinePrompt* in_file =
        inside == inline_prompts_.end() ? nullptr : &inside->second;
    lua::PromptModule prompt = lua::module_of_prompt(in_file ? in_file->text : text);
    if (!prompt.problem.empty()) {
      const int line = in_file ? in_file->line(prompt.line) : prompt.line;
      return sandbox_.set_failure(fmt::format("{}:{}: {}", source->path(), line, prompt.problem));
    }
    text = in_file ? in_file->on_its_lines(prompt.lua) : std::move(prompt.lua);
  }
  luaL_loadbufferx(lua, text.data(), text.size(), sandbox_.chunk_name(source->path()), "t");
  return true;
}

// Runs the current file's code unless it was run before; leaves its value on the stack.
int Modules::run_module(lua_State* lua, const char* key) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &cache_key);
  if (lua_getfield(lua, -1, key) != LUA_TNIL) return 1;
  lua_pop(lua, 1);
  if (std::find(loading_.begin(), loading_.end(), key) != loading_.end()) {
    sandbox_.set_failure("a module requires itself: " + join(loading_, " -> ") + " -> " + key);
    return sandbox_.fail(lua);
  }

  if (!load(lua, key)) return sandbox_.fail(lua);
  loading_.emplace_back(key);
  int status = lua_type(lua, -1) == LUA_TFUNCTION ? LUA_OK : LUA_ERRSYNTAX;
  if (status == LUA_OK) status = lua_pcall(lua, 0, 1, 0);
  loading_.pop_back();
  if (sandbox_.over(status)) return sandbox_.raise_limit(lua);
  if (status != LUA_OK) return lua_error(lua);
  if (lua_isnil(lua, -1)) {
    lua_pop(lua, 1);
    lua_pushboolean(lua, true);
  }
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, key);
  return 1;
}

int Modules::require_from_lua(lua_State* lua) {
  auto& self = *static_cast<Modules*>(lua_touserdata(lua, lua_upvalueindex(1)));
  const char* name = luaL_checkstring(lua, 1);
  if (std::string_view(name) == "json") {
    lua_pushvalue(lua, lua_upvalueindex(2));
    return 1;
  }
  bool found = false;
  {
    fs::path beside;
    lua_Debug caller;
    for (int level = 1; lua_getstack(lua, level, &caller) != 0; ++level) {
      lua_getinfo(lua, "S", &caller);
      if (caller.source[0] != '@') continue;
      beside = fs::path(caller.source + 1).parent_path();
      break;
    }
    found = self.find(name, beside);
  }
  if (!found) return self.sandbox_.fail(lua);
  lua_pushstring(lua, self.current_.c_str());
  return self.run_module(lua, lua_tostring(lua, -1));
}

void Modules::push(lua_State* lua, const fs::path& file) {
  if (!read(file)) sandbox_.fail(lua);
  lua_pushstring(lua, current_.c_str());
  run_module(lua, lua_tostring(lua, -1));
}

Span Modules::take_place(std::string& message) const {
  for (const auto& [key, source] : sources_) {
    const auto place = split_place(message, source->path());
    if (!place) continue;
    message = place->second;
    return source->words_of_line(place->first);
  }
  return {};
}

}  // namespace agneto::script
