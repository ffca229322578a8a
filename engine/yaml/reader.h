// Reads maps of known keys out of a tree; everything unknown, missing or of the wrong kind is
// reported, and reading goes on.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/text.h"
#include "yaml/tree.h"

namespace agneto::yaml {

// "'abc'", "a list", "nothing": what stands where something else was expected.
std::string found(const Node& node);

// Whether mistakes are findings of the workflow language's rules, as those of a configuration are.
enum class Findings { plain, of_rules };

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics, Findings findings = Findings::plain)
      : diagnostics_(diagnostics), findings_(findings) {}

  using Key = std::pair<std::string, std::function<void(const Node&)>>;

  // Each key at most once, in the order of the file. `what` names the map in messages.
  void map(const Node& node, const std::string& what, const std::vector<Key>& keys);
  // A map with keys of any name.
  void each(const Node& node, const std::string& what,
            const std::function<void(const Node& key, const Node& value)>& visit);
  void list(const Node& node, const std::string& what,
            const std::function<void(const Node&)>& visit);
  // These say whether `out` was set.
  bool text(const Node& node, const std::string& what, std::string& out);
  bool flag(const Node& node, const std::string& what, bool& out);
  bool duration(const Node& node, const std::string& what, Millis& out);

  // No rule of the workflow language.
  Diagnostic& mistake(Span span, std::string message);
  // "'advance' must be a duration, not 'soon'"; of rules without what it is instead.
  Diagnostic& wrong(const Node& node, const std::string& what, const std::string& expected);
  bool expect(const Node& node, Kind kind, const std::string& what, const std::string& expected);
  Diagnostics& diagnostics() { return diagnostics_; }

 private:
  Diagnostic& report(const Rule& rule, Span span, std::string message);

  Diagnostics& diagnostics_;
  Findings findings_;
};

}  // namespace agneto::yaml
