#include "lsp/node_context.h"

#include <algorithm>

#include "model/shape.h"
#include "model/values.h"

namespace agneto::lsp {

namespace {

using model::Shape;
using yaml::Node;
using Form = Shape::Form;

const Shape* find(const std::vector<Shape>* shapes, Form form) {
  if (!shapes) return nullptr;
  const auto found = std::ranges::find(*shapes, form, &Shape::form);
  return found == shapes->end() ? nullptr : &*found;
}

class Visitor {
 public:
  explicit Visitor(const std::function<void(const NodeContext&)>& each) : each_(each) {}

  void value(const Node& node, const std::vector<Shape>* shapes, NodeContext around) {
    switch (node.kind) {
      case yaml::Kind::sequence: {
        const Shape* list = find(shapes, Form::list);
        for (const Node& item : node.items) value(item, list ? &list->elements : nullptr, around);
        return;
      }
      case yaml::Kind::map:
        return map(node, shapes, around);
      default:
        around.node = &node;
        around.shapes = shapes;
        each_(around);
    }
  }

 private:
  void map(const Node& node, const std::vector<Shape>* shapes, const NodeContext& around) {
    // A context entry's default and a type may be maps too.
    const bool is_short = find(shapes, Form::literal) || find(shapes, Form::type);
    const Shape* of = find(shapes, Form::object);
    if (of && !(is_short && !model::is_written_out(node))) {
      return object(node, model::construct(of->construct), around);
    }
    if (const Shape* of_names = find(shapes, Form::names)) names(node, *of_names, around);
  }

  void object(const Node& node, const model::Construct& construct, NodeContext around) {
    around.object = &node;
    around.construct = &construct;
    for (const yaml::Entry& entry : node.entries) {
      around.key = model::find_key(construct, entry.key.text);
      NodeContext place = around;
      place.node = &entry.key;
      place.entry = &entry;
      each_(place);
      value(entry.value, around.key ? &around.key->shapes : nullptr, around);
    }
  }

  void names(const Node& node, const Shape& shape, NodeContext around) {
    for (const yaml::Entry& entry : node.entries) {
      NodeContext place = around;
      place.node = &entry.key;
      place.entry = &entry;
      place.names = &shape;
      each_(place);
      NodeContext inside = around;
      inside.named = &entry;
      inside.named_in = &shape;
      if (shape.noun == "state") inside.state = &entry;
      value(entry.value, &shape.elements, inside);
    }
  }

  const std::function<void(const NodeContext&)>& each_;
};

bool has(const std::vector<Shape>* shapes, Form form) {
  const Shape* list = find(shapes, Form::list);
  return find(shapes, form) || (list && find(&list->elements, form));
}

}  // namespace

bool NodeContext::is(model::ConstructId id, std::string_view key_name) const {
  return construct == &model::construct(id) && key && key->name == key_name;
}

bool NodeContext::may_be(Form form) const {
  return !is_key() && has(shapes, form);
}

bool NodeContext::is_lua() const {
  if (is_key()) return names && names->key == Form::delay && !model::as_duration(*node);
  return may_be(Form::expression) || may_be(Form::statements) || is_template() ||
         (may_be(Form::delay) && !model::as_duration(*node));
}

void visit(const Node& root, const std::function<void(const NodeContext&)>& each) {
  static const std::vector<Shape> whole = {
      {.form = Form::object, .construct = model::ConstructId::machine}};
  Visitor(each).value(root, &whole, {});
}

}  // namespace agneto::lsp
