// Pictures of machines from memory.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "graph/picture.h"
#include "model/load.h"

namespace agneto::graph {

inline model::Loaded loaded(std::map<std::string, std::string> texts) {
  texts["hooks.lua"] = "return {}";
  Diagnostics diagnostics;
  model::Loaded result = model::load("flow.yaml", MemoryFiles(texts), diagnostics);
  EXPECT_EQ(render(diagnostics), "");
  return result;
}

inline Picture drawn(const std::map<std::string, std::string>& texts, int depth = 0,
                     const Trail& trail = {}) {
  return draw(*loaded(texts).system, 0, depth, trail);
}

// A machine with these states.
inline Picture drawn(const std::string& states) {
  return drawn(
      {{"flow.yaml", "agneto: 1\nname: flow\ncontext: {n: 0}\ninitial: A\nstates:\n" + states}});
}

}  // namespace agneto::graph
