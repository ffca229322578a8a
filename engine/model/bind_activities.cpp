#include <fmt/format.h>

#include <algorithm>

#include "lua/lexer.h"
#include "model/bind_settings.h"
#include "model/binder.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/traps.h"
#include "model/values.h"

namespace agneto::model {

namespace {

Need need_of(const yaml::Node& node) {
  const auto text = as_text(node);
  if (text == "optional") return Need::optional;
  return text == "required" ? Need::required : Need::none;
}

// What Lua in `with` knows already, and what it keeps for itself.
bool is_taken(std::string_view name) {
  constexpr std::string_view known[] = {"ctx",   "inputs", "event",  "run",      "index", "null",
                                        "raise", "send",   "cancel", "state_in", "_ENV"};
  return lua::is_keyword(name) ||
         std::find(std::begin(known), std::end(known), name) != std::end(known);
}

bool is_lua_name(std::string_view text) {
  return is_name(text, false) && text.find('-') == std::string_view::npos;
}

}  // namespace

void Binder::check_outcome_name(const Node& name, std::string_view noun) {
  if (name.text != "any" && !is_engines(name.text)) return;
  diagnostics_.report(
      rules::reserved_name, name.span,
      fmt::format("'{}' is an event of the engine, and cannot name {}", name.text, noun),
      "choose another name");
}

void Binder::bind_activity(StateId state, const Entry& entry, const Node& of) {
  const std::string& key = entry.key.text;
  const Node& value = entry.value;
  Activity activity;
  const bool is_map = value.kind == yaml::Kind::map;
  if (key == "agent") {
    activity = agent_call(value, state);
  } else if (key == "machine") {
    activity = delegate(value, of.find("with"));
  } else if (key == "ask" && is_map) {
    activity = ask(value, entry.key.span);
  } else if (key == "for_each" && is_map) {
    activity = for_each(value);
  } else if (key == "run" && is_map) {
    activity = program(value, entry.key.span);
  } else if (key == "workspace" && is_map) {
    activity = workspace(value, entry.key.span);
  }
  machine_.states[state].activity = std::move(activity);
}

Delegate Binder::delegate(const Node& machine, const Node* with, const std::string& item) {
  Delegate delegate;
  delegate.span = machine.span;
  if (machine.kind == yaml::Kind::scalar) delegate.machine = references_.machine(machine);
  if (with) delegate.with = bindings(*with, "with", item);
  return delegate;
}

Ask Binder::ask(const Node& node, Span span) {
  Ask ask;
  const Node* fallback = nullptr;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "question") {
      ask.question = text_template(value, "question");
    } else if (key.text == "show") {
      ask.show = expression(value, "show");
    } else if (key.text == "options") {
      for (const Entry& entry : value.entries) ask.options.push_back(option(entry));
    } else if (key.text == "text") {
      ask.text = need_of(value);
    } else if (key.text == "default" && value.kind == yaml::Kind::scalar) {
      fallback = &value;
      ask.default_option = value.text;
    }
  }
  const bool has_options = node.find("options") != nullptr;
  if (has_options && ask.text != Need::none) {
    diagnostics_.report(
        rules::bad_question, node.find("text")->span, "a question has options or text, not both",
        "for words with an option, give that option `feedback: optional` or `required`");
  }
  const Construct& parts = construct(ConstructId::ask);
  const Node* text = node.find("text");
  const bool has_text = text ? as_text(*text) != "none" : has_or_means(node, parts, "text");
  if (!has_or_means(node, parts, "options") && !has_text) {
    diagnostics_.report(rules::bad_question, span, "a question needs 'options' or 'text'",
                        "options: the answers to choose from; or text: required, to ask for words");
  }
  if (fallback) check_default_option(ask, *fallback);
  return ask;
}

void Binder::check_default_option(const Ask& ask, const Node& name) {
  for (const Option& option : ask.options) {
    if (option.name != name.text) continue;
    if (option.feedback == Need::required) {
      diagnostics_.report(
          rules::bad_question, name.span,
          fmt::format("the default '{}' needs feedback, which nobody is there to give", name.text),
          "choose another default, or make its feedback optional");
    }
    return;
  }
  suggest(diagnostics_.report(rules::undefined_option, name.span,
                              fmt::format("there is no option '{}'", name.text)),
          name.text, names_of(ask.options), "options");
}

Option Binder::option(const Entry& entry) {
  check_outcome_name(entry.key, "an option");
  Option option;
  option.name = entry.key.text;
  option.span = entry.key.span;
  const Node& node = entry.value;
  if (node.kind == yaml::Kind::scalar) option.label = text_template(node, "label");
  for (const auto& [key, value] : node.entries) {
    if (key.text == "label") {
      option.label = text_template(value, "label");
    } else if (key.text == "when") {
      option.when = expression(value, "when");
    } else if (key.text == "feedback") {
      option.feedback = need_of(value);
    } else if (key.text == "edit") {
      option.edit = expression(value, "edit");
    }
  }
  return option;
}

void Binder::check_one_of(const Node& node, Span span, ConstructId id,
                          std::initializer_list<std::string_view> keys) {
  const std::string_view noun = construct(id).noun;
  const Entry* first = nullptr;
  for (const Entry& entry : node.entries) {
    if (std::find(keys.begin(), keys.end(), entry.key.text) == keys.end()) continue;
    if (first) {
      Diagnostic& problem = diagnostics_.report(
          rules::one_of, entry.key.span,
          fmt::format("{} has '{}' already, and takes one of them", noun, first->key.text));
      offer_removal(problem, first->key, entry.key);
    } else {
      first = &entry;
    }
  }
  const auto is_there = [&](std::string_view key) {
    return has_or_means(node, construct(id), key);
  };
  if (first || std::any_of(keys.begin(), keys.end(), is_there)) return;
  const std::vector<std::string> names(keys.begin(), keys.end());
  diagnostics_.report(rules::one_of, span,
                      fmt::format("{} needs one of {}", noun, join(names, ", ")));
}

Program Binder::program(const Node& node, Span span) {
  check_one_of(node, span, ConstructId::run, {"argv", "shell", "command"});
  Program program;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "argv") {
      program.kind = Program::Kind::argv;
      for (const Node& argument : value.items) {
        program.argv.push_back(text_template(argument, "argv"));
      }
    } else if (key.text == "shell") {
      program.kind = Program::Kind::shell;
      program.shell = as_text(value).value_or("");
      check_shell(value, diagnostics_);
    } else if (key.text == "command") {
      program.kind = Program::Kind::expression;
      program.command = expression(value, "command");
    } else if (key.text == "env") {
      program.env = bindings(value, "env");
    } else if (key.text == "cwd") {
      program.cwd = path(value, "cwd");
    } else if (key.text == "retry") {
      program.retry = usual_of_program.with(read_retry(value, Tried::program, diagnostics_));
    } else if (key.text == "timeout") {
      program.timeout = time_limit(value).value_or(program.timeout);
    } else if (key.text == "once") {
      program.once = as_boolean(value).value_or(false);
    } else if (key.text == "access") {
      program.access = read_access(value).value_or(program.access);
    }
  }
  if (const Node* retry = node.find("retry"); retry && program.once && program.retry.tries > 1) {
    diagnostics_.report(rules::bad_retry, retry->span, "what may run but once is not tried again",
                        "keep `once` or `retry`");
  }
  if (const Node* shell = node.find("shell");
      shell && program.shell.find("{{") != std::string::npos) {
    diagnostics_.report(rules::spliced_shell, shell->span,
                        "values are never put into shell text, so that '{{' stays as it is",
                        "pass them by `env` and write \"$NAME\" in the shell text, or use `argv`");
  }
  return program;
}

Template Binder::path(const Node& node, std::string_view what) {
  Template path = text_template(node, what);
  const bool is_literal = path.parts.size() == 1 && path.parts.front().code == none;
  if (is_literal && leads_out(path.parts.front().text)) {
    diagnostics_.report(rules::bad_path, node.span,
                        fmt::format("'{}' is not below the worktree", node.text),
                        "write a path from the root of the worktree, such as docs/style.md");
  }
  return path;
}

std::vector<Template> Binder::paths(const Node& node, std::string_view what) {
  std::vector<Template> all;
  for (const Node& item : node.items) all.push_back(path(item, what));
  return all;
}

WorkspaceOperation Binder::workspace(const Node& node, Span span) {
  check_one_of(node, span, ConstructId::workspace, {"commit", "merge", "discard"});
  WorkspaceOperation operation;
  if (node.find("merge")) operation.kind = WorkspaceOperation::Kind::merge;
  if (node.find("discard")) operation.kind = WorkspaceOperation::Kind::discard;
  for (const Entry& entry : node.entries) {
    if (const Node* message = entry.value.find("message")) {
      operation.message = text_template(*message, "message");
    }
    if (const Node* squash = entry.value.find("squash")) {
      operation.squash = as_boolean(*squash).value_or(true);
    }
    if (const Node* into = entry.value.find("into")) operation.into = text_template(*into, "into");
  }
  return operation;
}

ForEach Binder::for_each(const Node& node) {
  ForEach loop;
  if (const Node* as = node.find("as"); as && check_lua_name(*as, "the item")) loop.as = as->text;
  const Node* machine = nullptr;
  const Node* with = nullptr;
  for (const auto& [key, value] : node.entries) {
    if (key.text == "items") {
      loop.items = expression(value, "items");
    } else if (key.text == "machine") {
      machine = &value;
    } else if (key.text == "with") {
      with = &value;
    } else if (key.text == "max_parallel") {
      loop.max_parallel = count(value, "max_parallel");
    } else if (key.text == "join") {
      bind_join(loop, value);
    } else if (key.text == "workspace") {
      loop.own_workspace = as_text(value) == "own";
    }
  }
  if (machine) loop.each = delegate(*machine, with, loop.as);
  const Node* failure = node.find("on_item_failure");
  loop.stops = failure ? as_text(*failure) == "stop" : loop.all_needed();
  return loop;
}

void Binder::bind_join(ForEach& loop, const Node& node) {
  if (as_text(node) == "any") loop.needed.number = 1;
  const Node* quorum = node.find("quorum");
  if (!quorum) return;
  loop.needed = count(*quorum, "quorum");
  if (as_integer(*quorum) != 0) return;
  diagnostics_.report(rules::bad_quorum, quorum->span, "a quorum of 0 items waits for nothing",
                      "say how many items must complete, from 1, or write `join: all`");
}

Count Binder::count(const Node& node, std::string_view what) {
  if (const auto number = as_integer(node)) return {.number = *number};
  return {.code = expression(node, what)};
}

bool Binder::check_lua_name(const Node& name, std::string_view noun) {
  if (name.kind != yaml::Kind::scalar || !is_name(name.text, true)) return false;
  if (!is_lua_name(name.text)) {
    diagnostics_.report(rules::bad_name, name.span,
                        fmt::format("'{}' cannot name {}", name.text, noun),
                        "it is a name in Lua: letters, digits and '_'");
    return false;
  }
  if (!is_taken(name.text)) return true;
  diagnostics_.report(
      rules::reserved_name, name.span,
      fmt::format("'{}' means something else in Lua, and cannot name {}", name.text, noun),
      "choose another name");
  return false;
}

}  // namespace agneto::model
