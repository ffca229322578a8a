#include "graph/picture.h"

namespace agneto::graph {
namespace {

Json states_of(const Picture& picture, const Node& parent) {
  Json states = Json::array();
  for (const Node& node : parent.children) {
    Json json = {{"id", node.id},       {"name", node.name}, {"kind", to_text(node.kind)},
                 {"notes", node.notes}, {"file", node.file}, {"line", node.line}};
    if (node.kind == Kind::final) json["status"] = model::to_text(node.status);
    if (node.kind == Kind::history) json["deep"] = node.deep;
    if (!node.machine.empty()) json["machine"] = node.machine;
    if (!node.start.empty()) json["start"] = node.start;
    if (!node.children.empty()) json["states"] = states_of(picture, node);
    if (picture.trail != Trail::Kind::none) json["taken"] = node.marked;
    if (node.active) json["active"] = true;
    if (node.change != Change::none) json["change"] = to_text(node.change);
    states.push_back(std::move(json));
  }
  return states;
}

}  // namespace

Json to_json(const Picture& picture) {
  Json arrows = Json::array();
  for (const Arrow& arrow : picture.arrows) {
    Json json = {{"from", arrow.from},       {"to", arrow.to},       {"kind", to_text(arrow.kind)},
                 {"trigger", arrow.trigger}, {"guard", arrow.guard}, {"internal", arrow.internal},
                 {"file", arrow.file},       {"line", arrow.line}};
    if (picture.trail != Trail::Kind::none) json["taken"] = arrow.count;
    if (!arrow.remark.empty()) json["remark"] = arrow.remark;
    if (arrow.change != Change::none) json["change"] = to_text(arrow.change);
    arrows.push_back(std::move(json));
  }
  return {{"agneto-graph", 1},           {"machine", picture.root.name},
          {"file", picture.root.file},   {"notes", picture.root.notes},
          {"start", picture.root.start}, {"states", states_of(picture, picture.root)},
          {"arrows", std::move(arrows)}};
}

}  // namespace agneto::graph
