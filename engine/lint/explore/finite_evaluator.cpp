#include "lint/explore/finite_evaluator.h"

#include <algorithm>

#include "base/varint.h"

namespace agneto::lint {

using chart::Scope;
using lua::Node;

namespace {

FiniteData& finite(chart::Data& data) {
  return static_cast<FiniteData&>(data);
}

const FiniteData& finite(const chart::Data& data) {
  return static_cast<const FiniteData&>(data);
}

const Node& expression(const Piece& piece) {
  return piece.tree->children[0].children[0];
}

}  // namespace

FiniteEvaluator::FiniteEvaluator(const Subject& subject, const model::Machine& machine,
                                 const std::set<std::string>& known, Oracle& oracle)
    : subject_(subject), machine_(machine), oracle_(oracle), names_(subject, machine, known) {
  followed_.lost = !names_.can_follow();
}

FiniteReader FiniteEvaluator::reader(const FiniteData& data, const Scope& scope) const {
  return {names_, texts_, data, beginnings_[data.beginning], scope, &comparisons_};
}

std::optional<bool> FiniteEvaluator::holds(const chart::Data& data, model::CodeId code,
                                           const Scope& scope) const {
  const Piece& piece = subject_.piece(machine_, code);
  if (!piece.tree || names_.is_constant(code)) return std::nullopt;
  return reader(finite(data), scope).truth(expression(piece));
}

void FiniteEvaluator::forget(chart::Data& data, const chart::StateSet& active) const {
  const std::vector<model::StateId>& scopes = names_.scopes();
  for (std::size_t slot = 0; slot < scopes.size(); ++slot) {
    if (scopes[slot] != model::none && !active.has(scopes[slot])) finite(data).context[slot] = {};
  }
}

std::unique_ptr<chart::Data> FiniteEvaluator::create(model::MachineId, const Json& inputs,
                                                     Scope& scope, std::optional<chart::Fault>&) {
  Inputs known;
  for (const auto& [name, value] : inputs.items()) {
    if (const Value simple = texts_.of_json(value); simple.known()) known.emplace(name, simple);
  }
  auto data = std::make_unique<FiniteData>();
  const auto same = std::find(beginnings_.begin(), beginnings_.end(), known);
  data->beginning = static_cast<std::size_t>(same - beginnings_.begin());
  if (same == beginnings_.end()) beginnings_.push_back(std::move(known));
  data->context.resize(names_.size());
  for (const model::Variable& variable : machine_.context) {
    const int slot = names_.slot(variable.name);
    if (slot < 0) continue;
    Value& value = data->context[static_cast<std::size_t>(slot)];
    if (variable.initial) value = texts_.of_json(*variable.initial);
    if (variable.init == model::none) continue;
    const Piece& piece = subject_.piece(machine_, variable.init);
    if (piece.tree) value = reader(*data, scope).value(expression(piece));
  }
  return data;
}

Json FiniteEvaluator::save(const chart::Data& data) {
  Json context = Json::array();
  for (const Value& value : finite(data).context) context.push_back(texts_.to_json(value));
  return {{"beginning", finite(data).beginning}, {"ctx", std::move(context)}};
}

std::unique_ptr<chart::Data> FiniteEvaluator::restore(model::MachineId, const Json& saved) {
  auto data = std::make_unique<FiniteData>();
  data->beginning = saved.at("beginning");
  for (const Json& value : saved.at("ctx")) data->context.push_back(texts_.of_json(value));
  return data;
}

bool FiniteEvaluator::test(chart::Data& data, model::CodeId code, Scope& scope,
                           std::optional<chart::Fault>&) {
  const auto known = holds(data, code, scope);
  return known ? *known : oracle_.ask();
}

void FiniteEvaluator::run(chart::Data& data, model::CodeId code, Scope& scope,
                          std::optional<chart::Fault>&) {
  const Piece& piece = subject_.piece(machine_, code);
  if (!piece.tree || names_.is_idle(code)) return;
  const FiniteReader read = reader(finite(data), scope);
  FiniteRunner(names_, finite(data), read, scope, oracle_, followed_).block(*piece.tree);
}

Json FiniteEvaluator::value(chart::Data& data, model::CodeId code, Scope& scope,
                            std::optional<chart::Fault>&) {
  const std::string& what = machine_.code[code].what;
  if (what == "items") return Json::array();
  if (what == "delay") return "1s";
  if (!what.starts_with("with.") && !what.starts_with("outputs.")) return "x";
  const Piece& piece = subject_.piece(machine_, code);
  if (!piece.tree) return nullptr;
  return texts_.to_json(reader(finite(data), scope).value(expression(piece)));
}

void FiniteEvaluator::mark(chart::Data& data) {
  finite(data).before = finite(data).context;
}

void FiniteEvaluator::rollback(chart::Data& data) {
  finite(data).context = finite(data).before;
}

void FiniteEvaluator::pack(const chart::Data& data, std::string& out) const {
  put_varint(out, finite(data).beginning);
  for (const Value& value : finite(data).context) {
    out.push_back(static_cast<char>(value.kind));
    // Small negative numbers stay short, too.
    const auto number = static_cast<std::uint64_t>(value.number);
    put_varint(out, (number << 1) ^ (value.number < 0 ? ~std::uint64_t{0} : 0));
  }
}

std::unique_ptr<chart::Data> FiniteEvaluator::unpack(std::string_view& bytes) const {
  auto data = std::make_unique<FiniteData>();
  data->beginning = take_varint(bytes);
  data->context.resize(names_.size());
  for (Value& value : data->context) {
    value.kind = static_cast<Value::Kind>(bytes.front());
    bytes.remove_prefix(1);
    const std::uint64_t folded = take_varint(bytes);
    value.number = static_cast<std::int64_t>((folded >> 1) ^ (~(folded & 1) + 1));
  }
  return data;
}

}  // namespace agneto::lint
