#include "lint/explore/abstract_evaluator.h"

#include <algorithm>

#include "base/varint.h"
#include "lint/expressions.h"

namespace agneto::lint {

using chart::Scope;

namespace {

AbstractData& abstract(chart::Data& data) {
  return static_cast<AbstractData&>(data);
}

const AbstractData& abstract(const chart::Data& data) {
  return static_cast<const AbstractData&>(data);
}

}  // namespace

Value AbstractEvaluator::value_of(CodeId code, AbstractData& data, Scope& scope) {
  const Piece& piece = context_.piece(machine_, code);
  return piece.tree ? AbstractLua(following_, data, scope).value(expression(piece)) : Value();
}

std::optional<bool> AbstractEvaluator::holds(chart::Data& data, CodeId code, Scope& scope) {
  const Piece& piece = context_.piece(machine_, code);
  if (!piece.tree || following_.names.is_constant(code)) return std::nullopt;
  return holds(data, expression(piece), scope);
}

std::optional<bool> AbstractEvaluator::holds(chart::Data& data, const Node& expression,
                                             Scope& scope) {
  return AbstractLua(following_, abstract(data), scope).truth(expression);
}

void AbstractEvaluator::forget(chart::Data& data, const chart::StateSet& active) const {
  const std::vector<StateId>& scopes = following_.names.scopes();
  for (std::size_t slot = 0; slot < scopes.size(); ++slot) {
    if (scopes[slot] != none && !active.has(scopes[slot])) abstract(data).context[slot] = {};
  }
}

std::unique_ptr<chart::Data> AbstractEvaluator::create(model::MachineId, const Json& inputs,
                                                       Scope& scope,
                                                       std::optional<chart::Fault>& fault) {
  InputValues known;
  for (const auto& [name, value] : inputs.items()) {
    const Value simple = following_.texts.of_json(value);
    if (simple.known()) known.emplace(name, simple);
  }
  auto data = std::make_unique<AbstractData>();
  auto& beginnings = following_.beginnings;
  const auto same = std::ranges::find(beginnings, known);
  data->beginning = static_cast<std::size_t>(same - beginnings.begin());
  if (same == beginnings.end()) beginnings.push_back(std::move(known));
  data->context.resize(following_.names.size());
  for (const model::Variable& variable : machine_.context) {
    const int slot = following_.names.slot(variable.name);
    if (slot < 0) continue;
    Value& value = data->context[static_cast<std::size_t>(slot)];
    if (variable.initial) value = following_.texts.of_json(*variable.initial);
    if (variable.init != none) value = value_of(variable.init, *data, scope);
  }
  for (const model::Variable& variable : machine_.context) {
    if (variable.init == none || !following_.faults) continue;
    // It may be of another type, too.
    if (!following_.fails(true)) continue;
    fault = chart::Fault{"it can fail", {}};
    const int slot = following_.names.slot(variable.name);
    if (slot >= 0) data->context[static_cast<std::size_t>(slot)] = {};
  }
  return data;
}

bool AbstractEvaluator::fails(CodeId code, std::optional<chart::Fault>& fault) {
  const Faults* faults = following_.faults;
  if (!faults || !following_.fails(faults->in_piece(context_.piece(machine_, code)))) return false;
  fault = chart::Fault{"it can fail", {}};
  return true;
}

bool AbstractEvaluator::test(chart::Data& data, CodeId code, Scope& scope,
                             std::optional<chart::Fault>& fault) {
  if (fails(code, fault)) return false;
  const auto known = holds(data, code, scope);
  return known ? *known : following_.choices.ask();
}

void AbstractEvaluator::run(chart::Data& data, CodeId code, Scope& scope,
                            std::optional<chart::Fault>& fault) {
  const Piece& piece = context_.piece(machine_, code);
  if (!piece.tree) return;
  if (following_.names.is_idle(code)) {
    fails(code, fault);
    return;
  }
  following_.failed = false;
  AbstractLua(following_, abstract(data), scope).block(*piece.tree);
  if (following_.failed) fault = chart::Fault{"it can fail", {}};
}

// What an activity cannot be started for is one of the errors that it ends in.
Json AbstractEvaluator::value(chart::Data& data, CodeId code, Scope& scope,
                              std::optional<chart::Fault>& fault) {
  const std::string& what = machine_.code[code].what;
  if (what == "items") return Json::array();
  if (what == "delay") {
    fails(code, fault);
    return "1s";
  }
  if (!what.starts_with("with.") && !what.starts_with("outputs.")) return "x";
  return following_.texts.to_json(value_of(code, abstract(data), scope));
}

void AbstractEvaluator::mark(chart::Data& data) {
  abstract(data).before = abstract(data).context;
}

void AbstractEvaluator::rollback(chart::Data& data) {
  abstract(data).context = abstract(data).before;
}

void AbstractEvaluator::pack(const chart::Data& data, std::string& out) const {
  put_varint(out, abstract(data).beginning);
  for (const Value& value : abstract(data).context) {
    out.push_back(static_cast<char>(value.kind));
    // Small negative numbers stay short, too.
    const auto number = static_cast<std::uint64_t>(value.number);
    put_varint(out, (number << 1) ^ (value.number < 0 ? ~std::uint64_t{0} : 0));
  }
}

std::unique_ptr<chart::Data> AbstractEvaluator::unpack(std::string_view& bytes) const {
  auto data = std::make_unique<AbstractData>();
  data->beginning = take_varint(bytes);
  data->context.resize(following_.names.size());
  for (Value& value : data->context) {
    value.kind = static_cast<Value::Kind>(bytes.front());
    bytes.remove_prefix(1);
    const std::uint64_t folded = take_varint(bytes);
    value.number = static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
  }
  return data;
}

}  // namespace agneto::lint
