#include "script/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>
#include <unordered_map>

#include "base/text.h"
#include "script/functions.h"
#include "script/rules.h"
#include "script/scan.h"

namespace agneto::script {

namespace {

// What every piece sees as its own names. Assigning to one of them does not compile.
constexpr std::string_view header =
    "local ctx <const>, inputs <const>, event <const>, run <const> = ... ";
// A function of the file sees none of these.
constexpr std::string_view blindfold =
    "local ctx <const>, inputs <const>, event <const>, run <const>, raise <const>, send <const>, "
    "cancel <const>, state_in <const> ";
constexpr std::string_view anchor = "function() return ctx, inputs, event, run end";

int line_of(const model::Code& code, std::size_t k) {
  return k < code.lines.size() ? code.lines[k] : code.lines.empty() ? 1 : code.lines.back();
}

// The file that the piece is written in; null where there is none.
const Source* source_of(const model::Machine& machine, const model::Code& code) {
  if (code.span.source) return code.span.source;
  return machine.sources.empty() ? nullptr : machine.sources.front().get();
}

// Where an error at this line of the piece's text is, in its file.
Span line_span(const model::Machine& machine, const model::Code& code, int line) {
  const int number = line_of(code, static_cast<std::size_t>(std::max(line, 0)));
  const Source* source = source_of(machine, code);
  if (!source) return code.span;
  Span span = source->words_of_line(number);
  if (code.span) {
    span.begin = std::max(span.begin, std::min(code.span.begin, span.end));
    span.end = std::max(span.begin, std::min(span.end, code.span.end));
  }
  return span;
}

// One source for the whole file, each piece on its own lines: padding a source for each piece
// would cost the square of the file's length.
class FileSource {
 public:
  void add(const model::Code& code, const Scan& scanned) {
    const bool expression = code.kind == model::Code::Kind::expression;
    go_to(line_of(code, 0));
    text_ += code.item.empty() ? "function() " : "function(" + code.item + ", index) ";
    if (model::is_function(code)) text_ += blindfold;
    if (expression) text_ += "return (";
    std::size_t k = 0;
    for (const char c : scanned.code) {
      if (c != '\n') {
        text_ += c;
        continue;
      }
      const bool in_string = k < scanned.in_string.size() && scanned.in_string[k];
      ++k;
      if (in_string) {
        new_line();
      } else {
        text_ += ' ';
        go_to(line_of(code, k));
      }
    }
    text_ += expression ? ") end," : " end,";
  }

  std::string finish() { return std::move(text_ += "}"); }

 private:
  void new_line() {
    text_ += '\n';
    ++line_;
  }
  void go_to(int line) {
    while (line_ < line) new_line();
  }

  std::string text_ = std::string(header) + "return {" + std::string(anchor) + ",";
  int line_ = 1;
};

// What authors write who come from other languages: a part of their code, a part of what Lua says
// of it, and what is written in Lua. The first that fits counts.
struct Foreign {
  std::string_view code, message, help;
};

constexpr Foreign foreign[] = {
    {"!==", "near '!'", "write '~=' for not equal"},
    {"===", "near '='", "write '==' to compare"},
    {"!=", "near '!'", "write '~=' for not equal"},
    {"<>", "near '>'", "write '~=' for not equal"},
    {"&&", "near '&'", "write 'and'"},
    {"||", "near '|'", "write 'or'"},
    {"??", "near '?'", "write 'or'"},
    {"!", "near '!'", "write 'not'"},
    {"?", "near '?'", "write 'CONDITION and A or B'"},
    {"const ", "syntax error near", "write 'local'"},
    {"let ", "syntax error near", "write 'local'"},
    {"var ", "syntax error near", "write 'local'"},
    {"elif", "syntax error near", "write 'elseif'"},
    {"else if", "'end' expected", "write 'elseif', which needs no end of its own"},
    {"if", "'then' expected", "write 'if CONDITION then ... end'"},
    {") {", "expected near", "Lua has no braces around statements: 'if CONDITION then ... end'"},
    {"//", "near '//'", "a comment begins with '--'"},
    {"`", "near '`'", "a text is in quotes; '..' joins two"},
    {"${", "near '$'", "this is Lua already, and needs no braces"},
    {" is ", "near 'is'", "write '==' to compare"},
};

// 'ctx.n = ctx.n + 1' for what other languages write as `ctx.n++` or `ctx.n += 1`; empty where
// there is no such thing.
std::string written_out(std::string_view code) {
  constexpr std::string_view operators[] = {"++", "--", "+=", "-=", "*=", "/=", "..="};
  const auto is_part = [](char c) { return is_word(c) || c == '.'; };
  for (const std::string_view sign : operators) {
    const std::size_t at = code.find(sign);
    if (at == std::string_view::npos) continue;
    std::string_view name = code.substr(0, at);
    while (name.ends_with(' ')) name.remove_suffix(1);
    const auto begin = std::find_if_not(name.rbegin(), name.rend(), is_part).base();
    name.remove_prefix(static_cast<std::size_t>(begin - name.begin()));
    const bool by_one = !sign.ends_with('=');
    std::string_view by = code.substr(at + sign.size());
    by = by_one ? "1" : trim(by.substr(0, by.find_first_of(";\n")));
    std::string_view operation = by_one ? sign.substr(1) : sign.substr(0, sign.size() - 1);
    if (by.starts_with('"') || by.starts_with('\'')) operation = "..";
    if (name.empty() || by.empty()) continue;
    return fmt::format("write '{} = {} {} {}'", name, name, operation, by);
  }
  return {};
}

// What to do about `function short(text) … end`, which is named once more; empty: it is not.
std::string without_name(const model::Code& code) {
  std::string_view text = trim(code.text);
  if (text.starts_with("local ")) text = trim(text.substr(6));
  const std::size_t open = text.find('(');
  const std::size_t close = text.find(')');
  constexpr std::string_view word = "function ";
  if (!model::is_function(code) || !text.starts_with(word) || open > close) return {};
  if (trim(text.substr(word.size(), open - word.size())).empty()) return {};
  return fmt::format("its key is its name: write 'function{}' here",
                     printable(text.substr(open, close - open + 1)));
}

std::string help_for(const model::Code& code, const std::string& message) {
  if (std::string help = without_name(code); !help.empty()) return help;
  const bool expression = code.kind == model::Code::Kind::expression;
  const auto says = [&](std::string_view text) { return message.find(text) != std::string::npos; };
  for (const Foreign& each : foreign) {
    if (code.text.find(each.code) != std::string::npos && says(each.message)) {
      return std::string(each.help);
    }
  }
  if (!expression && says("syntax error near")) {
    if (std::string help = written_out(code.text); !help.empty()) return help;
  }
  if (expression && says("near '='")) {
    return "a " + code.what + " is an expression; write '==' to compare";
  }
  if (says("assign to const variable 'ctx'")) return "assign to its entries: ctx.name = value";
  if (code.what == "command" && says("<eof> expected")) {
    return "it is Lua; a command that is known is written as argv: [make, test]";
  }
  return {};
}

// Compiles one piece by itself. Returns whether that went well; reports why not.
bool check(Sandbox& sandbox, const model::Machine& machine, const model::Code& code,
           const Scan& scanned, Diagnostics& diagnostics) {
  const bool expression = code.kind == model::Code::Kind::expression;
  if (scanned.blank && expression) {
    diagnostics.report(
        rules::lua_syntax, code.span, "the " + code.what + " is empty",
        "an expression is needed; in YAML ' #' starts a comment, so put Lua with '#' in "
        "a block scalar '|'");
    return false;
  }
  const std::string name = "?";
  const std::string locals = code.item.empty() ? "" : "local " + code.item + ", index ";
  const std::string start = std::string(header) + locals + (expression ? "return " : "");
  auto error = sandbox.load(start + code.text, name);
  if (!error && expression) {
    lua_pop(sandbox.state(), 1);
    error = sandbox.load(start + "(" + code.text + "\n)", name);  // one value, no more
  }
  if (!error) {
    lua_pop(sandbox.state(), 1);
    return true;
  }
  const auto [line, message] = split_place(*error, name).value_or(std::pair(1, *error));
  diagnostics.report(rules::lua_syntax, line_span(machine, code, line - 1),
                     "syntax error in " + code.what + ": " + message, help_for(code, message));
  return false;
}

using Indices = std::unordered_map<std::string_view, std::uint32_t>;

Block make_block(const Indices& context, const model::Code& code, const Scan& scanned) {
  Block block;
  block.code = &code;
  block.event = scanned.event;
  block.run = scanned.run;
  block.may_change = scanned.may_change;
  block.whole_context = scanned.whole_context;
  if (block.whole_context) return block;
  for (const std::string_view name : scanned.context_names) {
    if (const auto entry = context.find(name); entry != context.end()) {
      block.variables.push_back(entry->second);
    }
  }
  std::sort(block.variables.begin(), block.variables.end());
  block.variables.erase(std::unique(block.variables.begin(), block.variables.end()),
                        block.variables.end());
  return block;
}

// Lets the function on top of the stack, of another file, see what the anchor below it sees.
void share(lua_State* lua) {
  for (int own = 1; const char* name = lua_getupvalue(lua, -1, own); ++own) {
    lua_pop(lua, 1);
    for (int shared = Program::ctx; shared <= Program::run; ++shared) {
      const std::string_view of_anchor = lua_getupvalue(lua, -2, shared);
      lua_pop(lua, 1);
      if (of_anchor == name) lua_upvaluejoin(lua, -1, own, -2, shared);
    }
  }
}

// The table of functions of one file, on top of the stack -> the registry.
std::optional<std::string> unpack(Sandbox& sandbox, std::span<const model::CodeId> order,
                                  Program& program) {
  return sandbox.protect(
      [&](lua_State* lua) {
        const bool is_first = program.anchor == 0;
        lua_rawgeti(lua, 1, 1);
        if (is_first) {
          program.anchor = luaL_ref(lua, LUA_REGISTRYINDEX);
        }
        lua_rawgeti(lua, LUA_REGISTRYINDEX, program.anchor);
        for (std::size_t i = 0; i < order.size(); ++i) {
          lua_rawgeti(lua, 1, static_cast<lua_Integer>(i) + 2);
          if (!is_first) share(lua);
          program.blocks[order[i]].function = luaL_ref(lua, LUA_REGISTRYINDEX);
        }
      },
      1);
}

// The pieces of each file, in the order of their lines.
std::map<const Source*, std::vector<model::CodeId>> by_file(const model::Machine& machine) {
  std::map<const Source*, std::vector<model::CodeId>> files;
  for (model::CodeId id = 0; id < machine.code.size(); ++id) {
    files[source_of(machine, machine.code[id])].push_back(id);
  }
  for (auto& [source, order] : files) {
    std::ranges::stable_sort(order, {},
                             [&](model::CodeId id) { return line_of(machine.code[id], 0); });
  }
  return files;
}

}  // namespace

std::string file_of(const model::Machine& machine, const model::Code& code) {
  const Source* source = source_of(machine, code);
  return source ? source->path() : machine.file.string();
}

Program compile(Sandbox& sandbox, const model::Machine& machine, Diagnostics& diagnostics) {
  Program program;
  const std::size_t errors = diagnostics.error_count();
  check_functions(machine, diagnostics);
  const bool has_functions = diagnostics.error_count() == errors;  // as far as one can see
  Indices context;
  for (std::uint32_t i = 0; i < machine.context.size(); ++i) {
    program.context.push_back(i);
    context.emplace(machine.context[i].name, i);
  }
  std::vector<Scan> scans;
  scans.reserve(machine.code.size());
  program.blocks.reserve(machine.code.size());
  bool whole = true;
  for (const auto& code : machine.code) {
    scans.push_back(scan(code.text));
    program.blocks.push_back(make_block(context, code, scans.back()));
    // What is given to a function may be changed by it.
    if (!machine.functions.empty()) program.blocks.back().may_change = true;
    whole = whole && scans.back().balanced &&
            !(scans.back().blank && code.kind == model::Code::Kind::expression);
  }
  Functions functions(sandbox, machine);
  std::optional<std::string> error = functions.open();
  if (whole && !error) {
    for (const auto& [file, order] : by_file(machine)) {
      FileSource source;
      for (auto id : order) source.add(machine.code[id], scans[id]);
      error = sandbox.load(source.finish(), file_of(machine, machine.code[order.front()]));
      if (!error) functions.show_to_chunk();
      if (!error) error = sandbox.call(0, 1);
      if (!error) error = unpack(sandbox, order, program);
      if (error) break;
    }
    for (std::size_t i = 0; has_functions && !error && i < machine.functions.size(); ++i) {
      error = functions.set(i, program.blocks[machine.functions[i].value].function);
    }
    if (!error) return program;
  }
  bool sound = true;
  for (std::size_t i = 0; i < machine.code.size(); ++i) {
    sound = check(sandbox, machine, machine.code[i], scans[i], diagnostics) && sound;
  }
  if (sound) {
    diagnostics.report(rules::lua_syntax, machine.states.empty() ? Span{} : machine.states[0].span,
                       error ? *error : "the Lua of this file does not compile as a whole");
  }
  return program;
}

}  // namespace agneto::script
