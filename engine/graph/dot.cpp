#include <fmt/format.h>

#include "base/xml.h"
#include "graph/boxes.h"

namespace agneto::graph {
namespace {

constexpr const char* ink = "#1f2937";
constexpr const char* pale = "#9ca3af";
constexpr const char* taken = "#1d4ed8";
constexpr const char* missing = "#dc2626";
constexpr const char* added = "#15803d";
constexpr const char* changed = "#b45309";

const char* color_of(Change change) {
  return change == Change::added ? added : change == Change::changed ? changed : missing;
}

std::string label(const std::string& name, const std::vector<std::string>& lines) {
  if (lines.empty()) return fmt::format("<<b>{}</b>>", xml_text(name));
  std::string rows = fmt::format("<tr><td><b>{}</b></td></tr>", xml_text(name));
  for (const auto& each : lines) {
    rows += fmt::format("<tr><td><font point-size=\"9\">{}</font></td></tr>", xml_text(each));
  }
  return "<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\">" + rows +
         "</table>>";
}

// A blank on either side keeps the words off their arrow.
std::string label(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& each : lines) {
    text += (text.empty() ? "" : "<br/>") + fmt::format("&#160;{}&#160;", xml_text(each));
  }
  return "<" + text + ">";
}

// Shapes tell the kinds apart where there are no colours; fills are light, so that the words on
// them are read in greys too.
std::string look_of(const Node& node) {
  switch (node.kind) {
    case Kind::agent:
      return "shape=box style=\"rounded,filled\" fillcolor=\"#dbeafe\"";
    case Kind::ask:
      return "shape=hexagon style=filled fillcolor=\"#fef3c7\" margin=\"0,0.02\"";
    case Kind::run:
      return "shape=component style=filled fillcolor=\"#e5e7eb\"";
    case Kind::workspace:
      return "shape=cylinder style=filled fillcolor=\"#ede9fe\"";
    case Kind::machine:
      return "shape=box3d style=filled fillcolor=\"#ffedd5\"";
    case Kind::for_each:
      return "shape=box3d style=filled fillcolor=\"#fdba74\"";
    case Kind::final:
      return fmt::format("shape=box peripheries=2 style=\"rounded,filled\" fillcolor=\"{}\"",
                         node.status == model::FinalStatus::complete ? "#dcfce7"
                         : node.status == model::FinalStatus::failed ? "#fecaca"
                                                                     : "#e5e7eb");
    case Kind::history:
      return "shape=circle style=filled fillcolor=\"#ffffff\" margin=0.02";
    case Kind::plain:
    case Kind::compound:
    case Kind::parallel:
      break;
  }
  return "shape=box style=\"rounded,filled\" fillcolor=\"#ffffff\"";
}

class DotWriter {
 public:
  explicit DotWriter(const Boxes& boxes) : boxes_(boxes) {}

  std::string write() {
    out_ = "digraph machine {\n";
    line(1, "compound=true newrank=true nodesep=0.35 ranksep=0.45 pad=0.3");
    line(1, "fontname=\"DejaVu Sans\" fontsize=14 labelloc=t");
    line(1, "label=" + label(boxes_.root().name, boxes_.words_of(boxes_.root())));
    line(1, fmt::format("node [fontname=\"DejaVu Sans\" fontsize=11 margin=\"0.14,0.07\" "
                        "color=\"{0}\" fontcolor=\"{0}\"]",
                        ink));
    line(1, fmt::format("edge [fontname=\"DejaVu Sans\" fontsize=9 arrowsize=0.7 color=\"{0}\" "
                        "fontcolor=\"{0}\"]",
                        ink));
    within(boxes_.root(), 1);
    finals_last();
    for (const Bundle& bundle : boxes_.bundles()) arrow(bundle);
    return out_ + "}\n";
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + text + "\n";
  }

  static std::string in_brackets(const std::string& attributes) {
    return attributes.empty() ? "" : " [" + attributes.substr(1) + "]";
  }

  // What the trail adds to a box.
  std::string trail_of(const Node& node) const {
    if (boxes_.is_faint(node)) return fmt::format(" color=\"{0}\" fontcolor=\"{0}\"", pale);
    if (boxes_.is_missing(node)) return fmt::format(" color=\"{}\" penwidth=2.5", missing);
    if (node.change != Change::none) {
      return fmt::format(" color=\"{0}\" fontcolor=\"{0}\" penwidth=2.5", color_of(node.change));
    }
    if (boxes_.picture().trail != Trail::Kind::path) return "";
    // A page that shows the SVG finds the state by its class.
    return fmt::format(" color=\"{}\" penwidth={}", taken, node.active ? "4 class=active" : "2");
  }

  void within(const Node& node, int depth) {
    const int here = boxes_.number_of(node);
    if (!node.start.empty()) {
      line(depth, fmt::format("s{} [shape=point width=0.13 label=\"\"{}]", here,
                              boxes_.is_faint(node) ? fmt::format(" color=\"{}\"", pale) : ""));
    }
    if (boxes_.has_port(here)) {
      line(depth, fmt::format("p{} [shape=box style=\"rounded,dashed\" fontsize=9 "
                              "margin=\"0.08,0.03\" height=0.2 label=\"{}\"]",
                              here, Boxes::words_of_port(node)));
    }
    for (const Node& child : node.children) {
      if (child.children.empty()) {
        leaf(child, depth);
      } else {
        cluster(child, depth, node.kind == Kind::parallel);
      }
    }
    start(node, fmt::format("s{}", here), depth, "");
  }

  // Arrows to what is entered first.
  void start(const Node& node, const std::string& from, int depth, const char* style) {
    for (const std::string& first : node.start) {
      const int to = boxes_.number_of(first);
      std::string more = style;
      if (boxes_.node(to).children.size() > 0) more += fmt::format(" lhead=cluster_{}", to);
      if (boxes_.is_faint(node)) more += fmt::format(" color=\"{}\"", pale);
      line(depth, from + " -> " + head(to) + in_brackets(more));
    }
  }

  void leaf(const Node& node, int depth) {
    const int here = boxes_.number_of(node);
    const bool history = node.kind == Kind::history;
    line(depth, fmt::format("n{} [{}{} label={}]", here, look_of(node), trail_of(node),
                            history ? node.deep ? "\"H*\"" : "\"H\""
                                    : label(node.name, boxes_.words_of(node))));
    if (history) start(node, fmt::format("n{}", here), depth, " style=dotted");
  }

  void cluster(const Node& node, int depth, bool region) {
    const bool machine = !node.machine.empty();
    line(depth, fmt::format("subgraph cluster_{} {{", boxes_.number_of(node)));
    line(depth + 1,
         fmt::format(
             "label={} fontsize=11 labeljust=l style=\"{}\" fillcolor=\"{}\" color=\"{}\"{}",
             label(node.name, boxes_.words_of(node)), region ? "dashed,filled" : "rounded,filled",
             machine          ? "#fff7ed"
             : depth % 2 == 1 ? "#f9fafb"
                              : "#f3f4f6",
             machine ? "#c2410c" : "#6b7280", trail_of(node)));
    within(node, depth + 1);
    line(depth, "}");
  }

  // The ends of the machine stand in its last row.
  void finals_last() {
    std::string row;
    for (const Node& child : boxes_.root().children) {
      if (child.kind == Kind::final) row += fmt::format("; n{}", boxes_.number_of(child));
    }
    if (!row.empty()) line(1, "{rank=sink" + row + "}");
  }

  // Graphviz knows arrows between nodes only: these stand for a box with others in it, and `lhead`
  // and `ltail` cut the arrow off at its border.
  std::string head(int number) const {
    const Node& node = boxes_.node(number);
    if (node.children.empty()) return fmt::format("n{}", number);
    if (!node.start.empty()) return fmt::format("s{}", number);
    return head(boxes_.number_of(node.children.front()));
  }
  std::string tail(int number) const {
    const Node& node = boxes_.node(number);
    if (node.children.empty()) return fmt::format("n{}", number);
    const Node* last = &node.children.front();
    for (const Node& child : node.children) {
      if (child.kind != Kind::final && child.kind != Kind::history) last = &child;
    }
    return tail(boxes_.number_of(*last));
  }

  void arrow(const Bundle& bundle) {
    // Boxes stand in the order of the file: an arrow back is laid out the other way round.
    const bool back = bundle.to < bundle.from;
    std::string from = bundle.inwards ? fmt::format("p{}", bundle.from) : tail(bundle.from);
    std::string to = head(bundle.to), more;
    if (!bundle.inwards && !boxes_.node(bundle.from).children.empty()) {
      more += fmt::format(" {}=cluster_{}", back ? "lhead" : "ltail", bundle.from);
    }
    if (!boxes_.node(bundle.to).children.empty() && bundle.from != bundle.to &&
        !boxes_.is_within(bundle.from, bundle.to)) {
      more += fmt::format(" {}=cluster_{}", back ? "ltail" : "lhead", bundle.to);
    }
    if (back) {
      more += " dir=back";
      std::swap(from, to);
    }
    if (bundle.failure) more += " style=dashed";
    if (bundle.missing) {
      more += fmt::format(" color=\"{0}\" fontcolor=\"{0}\" penwidth=2.5", missing);
    } else if (bundle.change != Change::none) {
      more +=
          fmt::format(" color=\"{0}\" fontcolor=\"{0}\" penwidth=2.5{1}", color_of(bundle.change),
                      bundle.change == Change::removed ? " style=dotted constraint=false" : "");
    } else if (boxes_.picture().compared) {
      more += fmt::format(" color=\"{0}\" fontcolor=\"{0}\"", pale);
    } else if (boxes_.picture().trail == Trail::Kind::path) {
      more += fmt::format(" color=\"{0}\" fontcolor=\"{0}\"", bundle.marked ? taken : pale);
      if (bundle.marked) more += " penwidth=2.5";
    }
    if (const auto words = boxes_.words_of(bundle); !words.empty()) {
      more += " label=" + label(words);
    }
    line(1, from + " -> " + to + in_brackets(more));
  }

  const Boxes& boxes_;
  std::string out_;
};

}  // namespace

std::string to_dot(const Picture& picture) {
  return DotWriter(Boxes(picture)).write();
}

}  // namespace agneto::graph
