#include <fmt/format.h>

#include "model/binder.h"
#include "model/rules.h"
#include "model/shape.h"
#include "model/values.h"
#include "yaml/rules.h"
#include "yaml/scalar.h"

namespace agneto::model {

void Binder::bind(const Node& root) {
  if (root.kind != yaml::Kind::map) return;
  if (const Node* name = root.find("name")) machine_.name = as_text(*name).value_or("");
  if (const Node* text = root.find("description")) {
    machine_.description = as_text(*text).value_or("");
  }
  declare_root(root);
  if (const Node* agents = root.find("agents")) bind_agents(*agents);
  if (const Node* sets = root.find("verdicts")) {
    for (const auto& [name, of_set] : sets->entries) {
      machine_.verdict_sets.push_back({name.text, verdicts(of_set), name.span});
    }
  }
  if (const Node* functions = root.find("functions")) bind_functions(*functions);
  agents_unread_ =
      machine_.agents.empty() && has_or_means(root, construct(ConstructId::machine), "agents");
  for (const auto& [key, value] : root.entries) {
    if (key.text == "inputs") {
      bind_inputs(value);
    } else if (key.text == "context") {
      for (const Entry& entry : value.entries) machine_.context.push_back(context_entry(entry));
    } else if (key.text == "workspace") {
      machine_.in_place = as_text(value) == "none";
      machine_.in_place_span = value.span;
    } else if (key.text == "limits") {
      bind_limits(value);
    } else if (key.text == "invariants") {
      bind_invariants(value);
    } else {
      bind_part(0, key.text, value);
    }
  }
}

void Binder::bind_inputs(const Node& inputs) {
  const Variable* main = nullptr;
  machine_.inputs.reserve(inputs.entries.size());
  for (const Entry& entry : inputs.entries) {
    machine_.inputs.push_back(input(entry));
    const Variable& variable = machine_.inputs.back();
    if (!variable.main) continue;
    if (main) {
      Diagnostic& problem = diagnostics_.report(
          rules::two_main_inputs, variable.span,
          fmt::format("'{}' is a second main input", variable.name),
          "TASK on the command line fills one input; remove `main` from the others");
      problem.related.push_back({main->span, "the first is here"});
    } else {
      main = &variable;
    }
  }
}

Variable Binder::input(const Entry& entry) {
  Variable variable;
  variable.name = entry.key.text;
  variable.span = entry.key.span;
  const Node& node = entry.value;
  if (node.kind != yaml::Kind::map || is_type_map(node)) {
    if (node.kind != yaml::Kind::null) {
      variable.type = read_type(node, diagnostics_).value_or(Type());
    }
    return variable;
  }
  set_parts(variable, node);
  for (const char* bound : {"minimum", "maximum"}) {
    if (const Node* value = node.find(bound)) set_bound(variable, *value, bound);
  }
  if (const Node* main = node.find("main"); main && as_boolean(*main) == true) {
    variable.main = true;
    if (variable.type.kind != Type::Kind::string && variable.type.kind != Type::Kind::any) {
      diagnostics_.report(
          rules::bad_main_input, main->span,
          fmt::format("the main input is of type {}, and TASK is text", to_text(variable.type)),
          "make it a string");
    }
  }
  return variable;
}

void Binder::set_bound(Variable& variable, const Node& node, std::string_view which) {
  const bool is_least = which == "minimum";
  const auto bound = as_number(node);
  (is_least ? variable.minimum : variable.maximum) = bound;
  if (!bound) return;
  const bool has_default = variable.initial && variable.initial->is_number();
  const double value = has_default ? variable.initial->get<double>() : *bound;
  if (variable.type.kind != Type::Kind::integer && variable.type.kind != Type::Kind::number) {
    diagnostics_.report(rules::wrong_type, node.span,
                        fmt::format("'{}' is of type {}, which has no {}", variable.name,
                                    to_text(variable.type), which),
                        "leave it out, or make the input an integer or a number");
  } else if (is_least ? value < *bound : value > *bound) {
    diagnostics_.report(rules::wrong_type, node.span,
                        fmt::format("the default of '{}' is {} its {}", variable.name,
                                    is_least ? "below" : "above", which));
  } else if (!is_least && variable.minimum && *bound < *variable.minimum) {
    diagnostics_.report(rules::wrong_type, node.span,
                        fmt::format("the maximum of '{}' is below its minimum", variable.name));
  }
}

void Binder::set_parts(Variable& variable, const Node& node) {
  if (const Node* type = node.find("type")) {
    variable.type = read_type(*type, diagnostics_).value_or(Type());
  }
  if (const Node* description = node.find("description")) {
    variable.description = as_text(*description).value_or("");
  }
  const Node* fallback = node.find("default");
  if (!fallback) return;
  const std::size_t errors = diagnostics_.error_count();
  Json value = yaml::to_json(*fallback, diagnostics_);
  if (diagnostics_.error_count() > errors) return;
  settle(variable.type, value);
  if (auto why = mismatch(variable.type, value)) {
    diagnostics_.report(
        rules::wrong_type, fallback->span,
        fmt::format("the default of '{}' does not fit its type: {}", variable.name, *why));
    return;
  }
  variable.initial = std::move(value);
}

Variable Binder::context_entry(const Entry& entry) {
  Variable variable;
  variable.name = entry.key.text;
  variable.span = entry.key.span;
  const Node& node = entry.value;
  if (!is_written_out(node)) {
    variable.initial = yaml::to_json(node, diagnostics_);
    variable.type = type_of(*variable.initial);
    return variable;
  }
  set_parts(variable, node);
  const Node* fallback = node.find("default");
  const Node* init = node.find("init");
  if (init) variable.init = expression(*init, "init");
  if (fallback && init) {
    diagnostics_.report(rules::one_of, entry.key.span,
                        fmt::format("'{}' has both 'default' and 'init'", variable.name),
                        "default: a literal value; init: Lua that computes it; keep one of them");
  } else if (!fallback && !init && node.find("type") && !variable.type.optional &&
             variable.type.kind != Type::Kind::any) {
    diagnostics_.report(
        rules::missing_key, entry.key.span,
        fmt::format("'{}' has no value to start with", variable.name),
        fmt::format("give it a `default` or an `init`, or make it optional: \"{}?\"",
                    to_text(variable.type)));
  }
  return variable;
}

void Binder::bind_functions(const Node& functions) {
  for (const auto& [name, value] : functions.entries) {
    if (!check_lua_name(name, "a function")) continue;
    const CodeId code = expression(value, "functions." + name.text);
    if (code != none) machine_.functions.push_back({name.text, code, name.span});
  }
}

void Binder::bind_limits(const Node& limits) {
  Limits& bound = machine_.limits;
  for (const auto& [name, node] : limits.entries) {
    if (name.text == "time") {
      bound.time = time_limit(node).value_or(Millis(0));
      continue;
    }
    const std::optional<double> value = as_number(node);
    if (value && *value <= 0) {
      diagnostics_.report(rules::bad_limit, node.span, "a limit of nothing lets nothing happen",
                          "give a number above 0, or remove the key");
    }
    if (name.text == "calls") bound.calls = as_integer(node).value_or(0);
    if (name.text == "cost") bound.cost = value.value_or(0);
    if (name.text == "tokens") bound.tokens = static_cast<std::int64_t>(value.value_or(0));
  }
}

void Binder::bind_invariants(const Node& invariants) {
  using Kind = Invariant::Kind;
  for (const Node& node : invariants.items) {
    if (node.kind != yaml::Kind::map) continue;
    const Construct& kind = construct(ConstructId::invariant);
    const bool follows = has_or_means(node, kind, "eventually");
    const bool is_followed = has_or_means(node, kind, "after");
    if (!follows || is_followed) {
      check_one_of(node, node.span, ConstructId::invariant,
                   {"never", "always_eventually", "after"});
    }
    if (follows != is_followed) {
      diagnostics_.report(
          rules::missing_key, node.span,
          fmt::format("an invariant with '{}' needs the key '{}'", follows ? "eventually" : "after",
                      follows ? "after" : "eventually"),
          "after: what is followed; eventually: what becomes true then or later");
    }
    Invariant invariant;
    for (const auto& [name, value] : node.entries) {
      if (name.text == "description") continue;
      const CodeId code = expression(value, name.text);
      (name.text == "after" ? invariant.after : invariant.code) = code;
      if (name.text == "always_eventually") invariant.kind = Kind::always_eventually;
      if (name.text == "eventually") invariant.kind = Kind::leads_to;
    }
    if (invariant.code != none) machine_.invariants.push_back(invariant);
  }
}

std::optional<Access> Binder::read_access(const Node& node) {
  for (const Access access : {Access::read_only, Access::edit, Access::full}) {
    if (as_text(node) == to_text(access)) return access;
  }
  return std::nullopt;
}

std::optional<Millis> Binder::time_limit(const Node& node) {
  const auto limit = as_duration(node);
  if (!limit || limit->count() > 0) return limit;
  diagnostics_.report(rules::bad_limit, node.span, "a limit of no time lets nothing happen",
                      "give it a duration, or remove the key for the default");
  return std::nullopt;
}

}  // namespace agneto::model
