// Reads the maps of a small YAML format by tables of their keys; everything unknown or of the wrong
// kind is reported with its place.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "syntax/tree.h"

namespace agneto::run {

// `what` is what messages call the value: "limits", "agents.coder".
class MapReader {
 public:
  using Node = syntax::Node;
  using Key = std::pair<std::string, std::function<void(const Node&)>>;

  explicit MapReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void map(const Node& node, const std::string& what, const std::vector<Key>& keys);
  void each(const Node& node, const std::string& what,
            const std::function<void(const std::string&, const Node&)>& visit);
  void list(const Node& node, const std::string& what,
            const std::function<void(const Node&)>& visit);

  void text(const Node& node, const std::string& what, std::string& out);
  void texts(const Node& node, const std::string& what, std::vector<std::string>& out);
  void number(const Node& node, const std::string& what, double& out);
  void duration(const Node& node, const std::string& what, Millis& out);
  void flag(const Node& node, const std::string& what, bool& out);

  void wrong(const Node& node, const std::string& what, const std::string& expected);

 private:
  bool expect(const Node& node, syntax::Kind kind, const std::string& what,
              const std::string& expected);

  Diagnostics& diagnostics_;
};

}  // namespace agneto::run
