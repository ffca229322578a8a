#include <fmt/format.h>

#include "base/text.h"
#include "graph/boxes.h"

namespace agneto::graph {
namespace {

// Whatever could mean something to Mermaid, Markdown or HTML is written by its number.
std::string escaped(std::string_view text) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    const bool plain =
        c.code >= 0x80 || std::isalnum(static_cast<int>(c.code)) ||
        std::string_view(" _.,-+=?!()/").find(static_cast<char>(c.code)) != std::string_view::npos;
    result += plain ? std::string(text.substr(at, c.size))
                    : fmt::format("#{};", static_cast<std::uint32_t>(c.code));
    at += c.size;
  }
  return result;
}

std::string mermaid_label(const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& each : lines) text += (text.empty() ? "" : "<br/>") + escaped(each);
  return text;
}

// Without colours it is borders and words that tell the kinds apart.
constexpr std::string_view classes = R"(  classDef agent fill:#dbeafe,stroke:#1f2937,color:#1f2937
  classDef ask fill:#fef3c7,stroke:#1f2937,color:#1f2937,stroke-width:3px
  classDef run fill:#e5e7eb,stroke:#1f2937,color:#1f2937
  classDef workspace fill:#ede9fe,stroke:#1f2937,color:#1f2937
  classDef machine fill:#ffedd5,stroke:#1f2937,color:#1f2937,stroke-dasharray:6 3
  classDef complete fill:#dcfce7,stroke:#1f2937,color:#1f2937,stroke-width:4px
  classDef failed fill:#fecaca,stroke:#1f2937,color:#1f2937,stroke-width:4px
  classDef aborted fill:#e5e7eb,stroke:#1f2937,color:#1f2937,stroke-width:4px
)";

std::string class_of(const Node& node) {
  switch (node.kind) {
    case Kind::agent:
    case Kind::ask:
    case Kind::run:
    case Kind::workspace:
      return std::string(to_text(node.kind));
    case Kind::machine:
    case Kind::for_each:
      return "machine";
    case Kind::final:
      return std::string(model::to_text(node.status));
    case Kind::plain:
    case Kind::compound:
    case Kind::parallel:
    case Kind::history:
      break;
  }
  return "";
}

class MermaidWriter {
 public:
  explicit MermaidWriter(const Boxes& boxes) : boxes_(boxes) {}

  std::string write() {
    out_ = "stateDiagram-v2\n";
    within(boxes_.root(), 1);
    for (const Bundle& bundle : boxes_.bundles()) {
      std::string words = mermaid_label(boxes_.words_of(bundle));
      line(1, fmt::format("{}{} --> n{}{}", bundle.inwards ? 'p' : 'n', bundle.from, bundle.to,
                          words.empty() ? "" : " : " + words));
    }
    out_ += classes;
    if (boxes_.picture().compared || boxes_.picture().trail == Trail::Kind::path) {
      out_ += "  classDef pale stroke:#9ca3af,color:#9ca3af\n";
    }
    if (boxes_.picture().trail == Trail::Kind::path) {
      out_ += "  classDef taken stroke:#1d4ed8,stroke-width:4px\n";
    }
    if (boxes_.picture().trail == Trail::Kind::coverage) {
      out_ += "  classDef missing stroke:#dc2626,stroke-width:4px\n";
    }
    if (boxes_.picture().compared) {
      out_ += "  classDef added stroke:#15803d,stroke-width:4px\n";
      out_ += "  classDef changed stroke:#b45309,stroke-width:4px\n";
      out_ += "  classDef removed stroke:#dc2626,stroke-width:4px,stroke-dasharray:6 3\n";
    }
    out_ += members_;
    return out_;
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(2 * static_cast<std::size_t>(depth), ' ') + text + "\n";
  }

  void join_class(int number, const std::string& name) {
    if (!name.empty()) members_ += fmt::format("  class n{} {}\n", number, name);
  }

  void within(const Node& node, int depth) {
    const int here = boxes_.number_of(node);
    if (boxes_.has_port(here)) {
      line(depth, fmt::format("state \"{}\" as p{}", Boxes::words_of_port(node), here));
    }
    bool first = true;
    for (const Node& child : node.children) {
      if (node.kind == Kind::parallel && child.kind != Kind::history &&
          !std::exchange(first, false)) {
        line(depth, "--");
      }
      box(child, depth);
    }
    for (const std::string& id : node.start) {
      line(depth, fmt::format("[*] --> n{}", boxes_.number_of(id)));
    }
  }

  void box(const Node& node, int depth) {
    const int here = boxes_.number_of(node);
    std::vector<std::string> lines = boxes_.words_of(node);
    lines.insert(lines.begin(), node.name);
    if (node.kind == Kind::history) lines.push_back(node.deep ? "H*" : "H");
    // Mermaid makes room for one line above a box with others in it.
    if (!node.children.empty()) lines = {join(lines, ", ")};
    line(depth, fmt::format("state \"{}\" as n{}{}", mermaid_label(lines), here,
                            node.children.empty() ? "" : " {"));
    if (!node.children.empty()) {
      within(node, depth + 1);
      line(depth, "}");
    } else if (node.kind == Kind::history) {
      for (const std::string& id : node.start) {
        line(depth, fmt::format("n{} --> n{}", here, boxes_.number_of(id)));
      }
    } else {
      join_class(here, class_of(node));
    }
    if (boxes_.is_missing(node)) join_class(here, "missing");
    if (boxes_.picture().trail == Trail::Kind::path && node.marked) join_class(here, "taken");
    if (node.change != Change::none) join_class(here, std::string(to_text(node.change)));
    if (boxes_.is_faint(node)) join_class(here, "pale");
  }

  const Boxes& boxes_;
  std::string out_;
  std::string members_;  // which boxes are of which class
};

}  // namespace

std::string to_mermaid(const Picture& picture) {
  return MermaidWriter(Boxes(picture)).write();
}

}  // namespace agneto::graph
