#include "lint/parameters.h"

#include <fmt/format.h>

#include "base/text.h"

namespace agneto::lint {

double Parameters::of(const Parameter& parameter) const {
  const auto set = values_.find(&parameter);
  return set == values_.end() ? parameter.usual : set->second;
}

std::string usual_text(const Parameter& parameter) {
  return parameter.kind == Parameter::Kind::duration
             ? format_duration(Millis(static_cast<Millis::rep>(parameter.usual)))
             : fmt::format("{}", parameter.usual);
}

}  // namespace agneto::lint
