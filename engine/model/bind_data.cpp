#include <fmt/format.h>

#include "model/binder.h"
#include "model/shape.h"
#include "model/type_syntax.h"
#include "model/values.h"
#include "yaml/scalar.h"

namespace agneto::model {

namespace {

// The type of an entry that is written as its default.
Type type_of(const Json& value) {
  Type type;
  switch (value.type()) {
    case Json::value_t::string:
      type.kind = Type::Kind::string;
      break;
    case Json::value_t::boolean:
      type.kind = Type::Kind::boolean;
      break;
    case Json::value_t::array:
      type.kind = Type::Kind::list;
      break;
    case Json::value_t::object:
      type.kind = Type::Kind::map;
      break;
    case Json::value_t::number_float:
      type.kind = Type::Kind::number;
      break;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      type.kind = Type::Kind::integer;
      break;
    default:
      break;
  }
  return type;
}

}  // namespace

void Binder::bind_inputs(const Node& inputs) {
  const Variable* main = nullptr;
  machine_.inputs.reserve(inputs.entries.size());
  for (const Entry& entry : inputs.entries) {
    machine_.inputs.push_back(input(entry));
    const Variable& variable = machine_.inputs.back();
    if (!variable.main) continue;
    if (main) {
      Diagnostic& problem =
          diagnostics_.error("two-main-inputs", variable.span,
                             fmt::format("'{}' is a second main input", variable.name));
      problem.help = "TASK on the command line fills one input; remove `main` from the others";
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
  if (node.kind != yaml::Kind::map || node.find("enum")) {
    if (node.kind != yaml::Kind::null)
      variable.type = read_type(node, diagnostics_).value_or(Type());
    return variable;
  }
  if (const Node* type = node.find("type")) {
    variable.type = read_type(*type, diagnostics_).value_or(Type());
  }
  if (const Node* description = node.find("description")) {
    variable.description = as_text(*description).value_or("");
  }
  if (const Node* fallback = node.find("default")) set_default(variable, *fallback);
  if (const Node* minimum = node.find("minimum")) set_minimum(variable, *minimum);
  if (const Node* main = node.find("main"); main && as_boolean(*main) == true) {
    variable.main = true;
    if (variable.type.kind != Type::Kind::string && variable.type.kind != Type::Kind::any) {
      diagnostics_
          .error(
              "bad-main-input", main->span,
              fmt::format("the main input is of type {}, and TASK is text", to_text(variable.type)))
          .help = "make it a string";
    }
  }
  return variable;
}

void Binder::set_minimum(Variable& variable, const Node& node) {
  variable.minimum = as_number(node);
  if (variable.type.kind != Type::Kind::integer && variable.type.kind != Type::Kind::number) {
    diagnostics_
        .error("wrong-type", node.span,
               fmt::format("'{}' is of type {}, which has no minimum", variable.name,
                           to_text(variable.type)))
        .help = "leave it out, or make the input an integer or a number";
  } else if (variable.initial && variable.initial->is_number() && variable.minimum &&
             variable.initial->get<double>() < *variable.minimum) {
    diagnostics_.error("wrong-type", node.span,
                       fmt::format("the default of '{}' is below its minimum", variable.name));
  }
}

void Binder::set_default(Variable& variable, const Node& node) {
  const std::size_t errors = diagnostics_.error_count();
  Json value = yaml::to_json(node, diagnostics_);
  if (diagnostics_.error_count() > errors) return;
  settle(variable.type, value);
  if (auto why = mismatch(variable.type, value)) {
    diagnostics_.error(
        "wrong-type", node.span,
        fmt::format("the default of '{}' does not fit its type: {}", variable.name, *why));
    return;
  }
  variable.initial = std::move(value);
}

void Binder::bind_context(const Node& context) {
  for (const Entry& entry : context.entries) machine_.context.push_back(context_entry(entry));
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
  if (const Node* type = node.find("type")) {
    variable.type = read_type(*type, diagnostics_).value_or(Type());
  }
  if (const Node* description = node.find("description")) {
    variable.description = as_text(*description).value_or("");
  }
  const Node* fallback = node.find("default");
  const Node* init = node.find("init");
  if (fallback) set_default(variable, *fallback);
  if (init) variable.init = expression(*init, "init");
  if (fallback && init) {
    diagnostics_
        .error("one-of", entry.key.span,
               fmt::format("'{}' has both 'default' and 'init'", variable.name))
        .help = "default: a literal value; init: Lua that computes it; keep one of them";
  } else if (!fallback && !init && node.find("type") && !variable.type.optional &&
             variable.type.kind != Type::Kind::any) {
    diagnostics_
        .error("missing-key", entry.key.span,
               fmt::format("'{}' has no value to start with", variable.name))
        .help = fmt::format("give it a `default` or an `init`, or make it optional: {}?",
                            to_text(variable.type));
  }
  return variable;
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
      diagnostics_.error("bad-limit", node.span, "a limit of nothing lets nothing happen").help =
          "give a number above 0, or remove the key";
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
    check_one_of(node, node.span, "an invariant", {"never", "always_eventually"});
    for (const auto& [name, value] : node.entries) {
      if (name.text == "description") continue;
      const Kind kind = name.text == "never" ? Kind::never : Kind::always_eventually;
      machine_.invariants.push_back({kind, expression(value, name.text)});
    }
  }
}

}  // namespace agneto::model
