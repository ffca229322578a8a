#include "lint/explore/abstract_evaluator.h"

#include <algorithm>

#include "base/varint.h"

namespace agneto::lint {

using chart::Scope;

namespace {

AbstractData& abstract(chart::Data& data) {
  return static_cast<AbstractData&>(data);
}

const AbstractData& abstract(const chart::Data& data) {
  return static_cast<const AbstractData&>(data);
}

const Node& expression(const Piece& piece) {
  return piece.tree->children[0].children[0];
}

}  // namespace

AbstractEvaluator::AbstractEvaluator(const LintContext& context, const Machine& machine,
                                     const std::set<std::string>& known, ChoicePoints& choices)
    : context_(context), machine_(machine), choices_(choices), names_(context, machine, known) {
  followed_.lost = !names_.can_follow();
}

AbstractReader AbstractEvaluator::reader(const AbstractData& data, const Scope& scope) const {
  return {names_, texts_, data, beginnings_[data.beginning], scope, &comparisons_};
}

std::optional<bool> AbstractEvaluator::holds(const chart::Data& data, CodeId code,
                                             const Scope& scope) const {
  const Piece& piece = context_.piece(machine_, code);
  if (!piece.tree || names_.is_constant(code)) return std::nullopt;
  return reader(abstract(data), scope).truth(expression(piece));
}

void AbstractEvaluator::forget(chart::Data& data, const chart::StateSet& active) const {
  const std::vector<StateId>& scopes = names_.scopes();
  for (std::size_t slot = 0; slot < scopes.size(); ++slot) {
    if (scopes[slot] != none && !active.has(scopes[slot])) abstract(data).context[slot] = {};
  }
}

std::unique_ptr<chart::Data> AbstractEvaluator::create(model::MachineId, const Json& inputs,
                                                       Scope& scope, std::optional<chart::Fault>&) {
  InputValues known;
  for (const auto& [name, value] : inputs.items()) {
    if (const Value simple = texts_.of_json(value); simple.known()) known.emplace(name, simple);
  }
  auto data = std::make_unique<AbstractData>();
  const auto same = std::ranges::find(beginnings_, known);
  data->beginning = static_cast<std::size_t>(same - beginnings_.begin());
  if (same == beginnings_.end()) beginnings_.push_back(std::move(known));
  data->context.resize(names_.size());
  for (const model::Variable& variable : machine_.context) {
    const int slot = names_.slot(variable.name);
    if (slot < 0) continue;
    Value& value = data->context[static_cast<std::size_t>(slot)];
    if (variable.initial) value = texts_.of_json(*variable.initial);
    if (variable.init == none) continue;
    const Piece& piece = context_.piece(machine_, variable.init);
    if (piece.tree) value = reader(*data, scope).value(expression(piece));
  }
  return data;
}

bool AbstractEvaluator::test(chart::Data& data, CodeId code, Scope& scope,
                             std::optional<chart::Fault>&) {
  const auto known = holds(data, code, scope);
  return known ? *known : choices_.ask();
}

void AbstractEvaluator::run(chart::Data& data, CodeId code, Scope& scope,
                            std::optional<chart::Fault>&) {
  const Piece& piece = context_.piece(machine_, code);
  if (!piece.tree || names_.is_idle(code)) return;
  const AbstractReader read = reader(abstract(data), scope);
  AbstractRunner(names_, abstract(data), read, scope, choices_, followed_).block(*piece.tree);
}

Json AbstractEvaluator::value(chart::Data& data, CodeId code, Scope& scope,
                              std::optional<chart::Fault>&) {
  const std::string& what = machine_.code[code].what;
  if (what == "items") return Json::array();
  if (what == "delay") return "1s";
  if (!what.starts_with("with.") && !what.starts_with("outputs.")) return "x";
  const Piece& piece = context_.piece(machine_, code);
  if (!piece.tree) return nullptr;
  return texts_.to_json(reader(abstract(data), scope).value(expression(piece)));
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
