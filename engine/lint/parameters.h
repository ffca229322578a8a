// What a team sets the parameters of rules to: `lint.rules` in .agneto/config.yaml.
#pragma once

#include <map>
#include <string>

#include "base/rule.h"

namespace agneto::lint {

// What is not set is as usual. The parameters must outlive it, as those of all rules do.
class Parameters {
 public:
  void set(const Parameter& parameter, double value) { values_[&parameter] = value; }
  double of(const Parameter& parameter) const;

 private:
  std::map<const Parameter*, double> values_;
};

// What the parameter is unless a team says otherwise, as one would write it: "5", "100ms".
std::string usual_text(const Parameter& parameter);

}  // namespace agneto::lint
