#include "lint/explore_values.h"

#include <algorithm>

#include "lint/static_type.h"

namespace agneto::lint {

namespace {

using chart::Scope;
using lua::Node;
using model::Machine;
using Kind = Node::Kind;

// Known names and their values.
using Values = std::map<std::string, Json>;

struct FiniteData : chart::Data {
  Values inputs;
  Values context;
  Values before;  // at the last mark
};

FiniteData& finite(chart::Data& data) {
  return static_cast<FiniteData&>(data);
}

const Json* find(const Values& values, const std::string* name) {
  if (!name) return nullptr;
  const auto found = values.find(*name);
  return found == values.end() ? nullptr : &found->second;
}

// Looks at expressions; nothing for what is opaque.
class Reader {
 public:
  Reader(const Machine& machine, const FiniteData& data, Scope& scope)
      : machine_(machine), data_(data), scope_(scope) {}

  // null and nil are opaque: they differ, and neither is a boolean.
  std::optional<Json> value(const Node& node) const {
    switch (node.kind) {
      case Kind::boolean:
        return Json(node.text == "true");
      case Kind::string:
        return Json(node.text);
      case Kind::number:
        return number(node.text);
      case Kind::index:
        return named(node);
      case Kind::unary:
      case Kind::binary:
      case Kind::call: {
        if (node.kind == Kind::binary) {
          if (auto result = arithmetic(node)) return result;
        }
        const std::optional<bool> result = truth_of_operation(node);
        return result ? std::optional<Json>(*result) : std::nullopt;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<bool> truth(const Node& node) const {
    if (node.kind == Kind::binary && (node.text == "and" || node.text == "or")) {
      const bool deciding = node.text == "or";
      const auto left = truth(node.children[0]);
      const auto right = truth(node.children[1]);
      if (left == deciding || right == deciding) return deciding;
      return left && right ? std::optional(!deciding) : std::nullopt;
    }
    if (const auto result = truth_of_operation(node)) return result;
    const auto known = value(node);
    if (!known) return std::nullopt;
    return !known->is_boolean() || known->get<bool>();
  }

 private:
  static std::optional<Json> number(const std::string& text) {
    const bool whole =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!whole || text.size() > 9) return std::nullopt;
    return Json(std::stoll(text));
  }

  std::optional<Json> named(const Node& node) const {
    if (const std::string* name = lua::field_of(node, "run")) {
      if (*name == "interactive") return Json(scope_.run().interactive);
      if (*name == "auto_merge") return Json(scope_.run().auto_merge);
    }
    const Json* known = find(data_.context, lua::field_of(node, "ctx"));
    if (!known) known = find(data_.inputs, lua::field_of(node, "inputs"));
    return known ? std::optional(*known) : std::nullopt;
  }

  std::optional<Json> arithmetic(const Node& node) const {
    if (node.text != "+" && node.text != "-") return std::nullopt;
    const auto left = value(node.children[0]);
    const auto right = value(node.children[1]);
    if (!left || !right || !left->is_number_integer() || !right->is_number_integer())
      return std::nullopt;
    const auto a = left->get<std::int64_t>();
    const auto b = right->get<std::int64_t>();
    return Json(node.text == "+" ? a + b : a - b);
  }

  // Of what gives a boolean alone.
  std::optional<bool> truth_of_operation(const Node& node) const {
    if (node.kind == Kind::unary && node.text == "not") {
      const auto inner = truth(node.children[0]);
      return inner ? std::optional(!*inner) : std::nullopt;
    }
    if (node.kind == Kind::call && node.children.size() == 2 &&
        node.children[0].is(Kind::global, "state_in")) {
      const std::string* name = lua::literal_text(node.children[1]);
      const bool exists = name && machine_.find(*name) != model::none;
      return exists ? std::optional(scope_.in(*name)) : std::nullopt;
    }
    return node.kind == Kind::binary ? comparison(node) : std::nullopt;
  }

  // Of a comparison with such a text another rule speaks.
  bool is_no_choice(const Node& name, const Node& text) const {
    const model::Variable* variable = variable_of(machine_, name);
    return variable && lint::is_no_choice(variable->type, text);
  }

  std::optional<bool> comparison(const Node& node) const {
    const bool equality = node.text == "==" || node.text == "~=";
    const bool order =
        node.text == "<" || node.text == ">" || node.text == "<=" || node.text == ">=";
    if (!equality && !order) return std::nullopt;
    const auto a = value(node.children[0]);
    const auto b = value(node.children[1]);
    if (!a || !b || is_no_choice(node.children[0], node.children[1])) return std::nullopt;
    if (is_no_choice(node.children[1], node.children[0])) return std::nullopt;
    if (equality) return (*a == *b) == (node.text == "==");
    if (!a->is_number() || !b->is_number()) return std::nullopt;
    if (node.text == "<") return *a < *b;
    if (node.text == ">") return *a > *b;
    return node.text == "<=" ? *a <= *b : *a >= *b;
  }

  const Machine& machine_;
  const FiniteData& data_;
  Scope& scope_;
};

// Follows actions, as far as they can be.
class Runner {
 public:
  Runner(const Machine& machine, FiniteData& data, Scope& scope, Oracle& oracle,
         const std::set<std::string>& relevant, bool& lost)
      : machine_(machine),
        data_(data),
        scope_(scope),
        oracle_(oracle),
        relevant_(relevant),
        lost_(lost) {}

  // False: a `return` ended it.
  bool block(const Node& node) {
    return std::all_of(node.children.begin(), node.children.end(),
                       [&](const Node& statement) { return run(statement); });
  }

 private:
  bool run(const Node& node) {
    if (node.kind == Kind::assignment) {
      assign(node);
    } else if (node.kind == Kind::call) {
      call(node);
    } else if (node.is(Kind::statement, "if")) {
      return choose(node);
    } else if (node.is(Kind::statement, "do")) {
      return block(node.children[0]);
    } else if (node.is(Kind::statement, "return")) {
      forget(node);
      return false;
    } else {
      forget(node);
    }
    return true;
  }

  void assign(const Node& node) {
    const Reader reader(machine_, data_, scope_);
    const bool paired = node.targets * 2 == node.children.size();
    std::vector<std::optional<Json>> values;
    for (std::size_t i = 0; i < node.targets; ++i) {
      values.push_back(paired ? reader.value(node.children[node.targets + i]) : std::nullopt);
    }
    for (std::size_t i = node.targets; i < node.children.size(); ++i)
      forget_calls(node.children[i]);
    for (std::size_t i = 0; i < node.targets; ++i) {
      const std::string* name = lua::field_of(node.children[i], "ctx");
      if (!name) {
        forget(node.children[i]);
      } else if (values[i] && relevant_.contains(*name)) {
        data_.context[*name] = *values[i];
      } else {
        data_.context.erase(*name);
      }
    }
  }

  void call(const Node& node) {
    const Node& function = node.children[0];
    const std::string* name =
        node.children.size() > 1 ? lua::literal_text(node.children[1]) : nullptr;
    const bool acts = function.is(Kind::global, "raise") || function.is(Kind::global, "send") ||
                      function.is(Kind::global, "cancel");
    if (!acts) return forget(node);
    if (!name) {
      lost_ = true;
    } else if (function.text == "raise") {
      scope_.raise(*name, nullptr);
    } else if (function.text == "cancel") {
      scope_.cancel(*name);
    } else if (node.children.size() < 4) {
      scope_.send(*name, nullptr, Millis(0), "");
    } else {
      send(*name, node.children[3]);
    }
  }

  void send(const std::string& event, const Node& options) {
    std::string id;
    Millis after{0};
    if (options.kind != Kind::table) lost_ = true;
    for (const Node& field : options.children) {
      const std::string* key =
          field.children.size() == 2 ? lua::literal_text(field.children[0]) : nullptr;
      if (!key) {
        lost_ = true;
      } else if (*key == "after") {
        after = Millis(1);
      } else if (const std::string* text = lua::literal_text(field.children[1])) {
        id = *text;
      } else {
        lost_ = true;
      }
    }
    scope_.send(event, nullptr, after, id);
  }

  bool choose(const Node& node) {
    const Reader reader(machine_, data_, scope_);
    std::size_t i = 0;
    for (; i + 1 < node.children.size(); i += 2) {
      const auto known = reader.truth(node.children[i]);
      if (known ? *known : oracle_.ask()) return block(node.children[i + 1]);
    }
    return i == node.children.size() || block(node.children[i]);
  }

  // Whatever it names may be another afterwards.
  void forget(const Node& node) {
    lua::walk(node, [&](const Node& inner) {
      if (const std::string* name = lua::field_of(inner, "ctx")) data_.context.erase(*name);
      if (inner.is(Kind::global, "raise") || inner.is(Kind::global, "send") ||
          inner.is(Kind::global, "cancel")) {
        lost_ = true;
      }
    });
  }

  void forget_calls(const Node& value) {
    lua::walk(value, [&](const Node& inner) {
      if (inner.kind == Kind::call || inner.kind == Kind::method) forget(inner);
    });
  }

  const Machine& machine_;
  FiniteData& data_;
  Scope& scope_;
  Oracle& oracle_;
  const std::set<std::string>& relevant_;
  bool& lost_;
};

void add_names(const Node& node, std::set<std::string>& names) {
  lua::walk(node, [&](const Node& inner) {
    if (const std::string* name = lua::field_of(inner, "ctx")) names.insert(*name);
  });
}

bool is_finite(const model::Type& type) {
  return !type.optional &&
         (type.kind == model::Type::Kind::boolean || type.kind == model::Type::Kind::choice);
}

// Is it opaque, whatever the context?
bool is_opaque(const Machine& machine, const Node& node) {
  bool opaque = false;
  lua::walk(node, [&](const Node& inner) {
    const bool asks = inner.kind == Kind::call && inner.children[0].is(Kind::global, "state_in");
    opaque = opaque || (inner.kind == Kind::call && !asks) || inner.kind == Kind::method ||
             inner.kind == Kind::local || inner.is(Kind::unary, "#") ||
             inner.is(Kind::global, "event") || inner.is(Kind::global, "null");
    if (lua::field_of(inner, "inputs")) {
      const model::Variable* variable = variable_of(machine, inner);
      opaque = opaque || !variable || !is_finite(variable->type);
    }
  });
  return opaque;
}

// Those on which it depends which way a condition goes. A counter that is compared with what is
// opaque decides nothing.
void add_deciding(const Machine& machine, const Node& node, std::set<std::string>& names) {
  const bool joins = node.is(Kind::binary, "and") || node.is(Kind::binary, "or") ||
                     node.is(Kind::unary, "not") || node.kind == Kind::block ||
                     node.kind == Kind::statement;
  if (joins) {
    for (const Node& child : node.children) add_deciding(machine, child, names);
  } else if (!is_opaque(machine, node)) {
    add_names(node, names);
  }
}

// What guards and the conditions of actions read, and what that is made of; without what nothing
// assigns, of which another rule speaks.
std::set<std::string> relevant_names(const Subject& subject, const model::Machine& machine) {
  std::set<std::string> names;
  for (const Piece& piece : subject.pieces(machine)) {
    if (!piece.tree) continue;
    if (piece.code->what == "guard") add_deciding(machine, *piece.tree, names);
    lua::walk(*piece.tree, [&](const Node& node) {
      if (!node.is(Kind::statement, "if")) return;
      for (std::size_t i = 0; i + 1 < node.children.size(); i += 2) {
        add_deciding(machine, node.children[i], names);
      }
    });
  }
  std::set<std::string> assigned;
  for (std::size_t before = 0; before != names.size();) {
    before = names.size();
    for (const Piece& piece : subject.pieces(machine)) {
      if (!piece.tree) continue;
      lua::walk(*piece.tree, [&](const Node& node) {
        if (node.kind != Kind::assignment) return;
        for (std::size_t i = 0; i < node.targets; ++i) {
          const std::string* name = lua::field_of(node.children[i], "ctx");
          if (!name || !names.contains(*name)) continue;
          assigned.insert(*name);
          add_names(node, names);
        }
      });
    }
  }
  return assigned;
}

// Of a guard that is always the same another rule speaks.
bool names_something(const Node& tree) {
  bool found = false;
  lua::walk(tree, [&](const Node& node) { found = found || node.kind == Kind::global; });
  return found;
}

// Are the names of the context where they are assigned, and nowhere else?
bool can_follow(const Subject& subject, const model::Machine& machine) {
  bool clear = true;
  for (const Piece& piece : subject.pieces(machine)) {
    if (!piece.tree) return false;
    std::set<const Node*> named;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (lua::field_of(node, "ctx")) named.insert(&node.children[0]);
      clear = clear && node.kind != Kind::function &&
              (!node.is(Kind::global, "ctx") || named.contains(&node));
    });
  }
  return clear;
}

}  // namespace

bool Oracle::ask() {
  if (at_ == answers_.size()) answers_.push_back(false);
  return answers_[at_++];
}

bool Oracle::next() {
  answers_.resize(at_);
  while (!answers_.empty() && answers_.back()) answers_.pop_back();
  at_ = 0;
  if (answers_.empty()) return false;
  answers_.back() = true;
  return true;
}

FiniteEvaluator::FiniteEvaluator(const Subject& subject, const model::Machine& machine,
                                 Oracle& oracle)
    : subject_(subject),
      machine_(machine),
      oracle_(oracle),
      relevant_(relevant_names(subject, machine)),
      lost_(!can_follow(subject, machine)) {}

std::unique_ptr<chart::Data> FiniteEvaluator::create(model::MachineId, const Json& inputs,
                                                     Scope& scope, std::optional<chart::Fault>&) {
  auto data = std::make_unique<FiniteData>();
  for (const auto& [name, value] : inputs.items()) data->inputs[name] = value;
  for (const model::Variable& variable : machine_.context) {
    if (!relevant_.contains(variable.name)) continue;
    std::optional<Json> value = variable.initial;
    if (variable.init != model::none) {
      const Piece& piece = subject_.piece(machine_, variable.init);
      value = piece.tree ? Reader(machine_, *data, scope).value(piece.tree->children[0].children[0])
                         : std::nullopt;
    }
    const bool simple =
        value && (value->is_boolean() || value->is_string() || value->is_number_integer());
    if (simple) data->context[variable.name] = *value;
  }
  return data;
}

Json FiniteEvaluator::save(const chart::Data& data) {
  const auto& known = static_cast<const FiniteData&>(data);
  return {{"inputs", known.inputs}, {"ctx", known.context}};
}

std::unique_ptr<chart::Data> FiniteEvaluator::restore(model::MachineId, const Json& saved) {
  auto data = std::make_unique<FiniteData>();
  data->inputs = saved.at("inputs").get<Values>();
  data->context = saved.at("ctx").get<Values>();
  return data;
}

bool FiniteEvaluator::test(chart::Data& data, model::CodeId code, Scope& scope,
                           std::optional<chart::Fault>&) {
  const Piece& piece = subject_.piece(machine_, code);
  if (piece.tree && names_something(*piece.tree)) {
    const auto known =
        Reader(machine_, finite(data), scope).truth(piece.tree->children[0].children[0]);
    if (known) return *known;
  }
  return oracle_.ask();
}

void FiniteEvaluator::run(chart::Data& data, model::CodeId code, Scope& scope,
                          std::optional<chart::Fault>&) {
  const Piece& piece = subject_.piece(machine_, code);
  if (piece.tree)
    Runner(machine_, finite(data), scope, oracle_, relevant_, lost_).block(*piece.tree);
}

// Only what has a form that the interpreter wants.
Json FiniteEvaluator::value(chart::Data&, model::CodeId code, Scope&,
                            std::optional<chart::Fault>&) {
  const std::string& what = machine_.code[code].what;
  if (what == "items") return Json::array();
  return what == "delay" ? "1s" : "x";
}

void FiniteEvaluator::mark(chart::Data& data) {
  finite(data).before = finite(data).context;
}

void FiniteEvaluator::rollback(chart::Data& data) {
  finite(data).context = finite(data).before;
}

}  // namespace agneto::lint
