// An instance in few bytes, for a search through very many of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "chart/step.h"

namespace agneto::chart {

// Writes and reads the data of a machine; an evaluator has one for its own.
class Packer {
 public:
  virtual ~Packer() = default;
  virtual void pack(const Data& data, std::string& out) const = 0;
  // Takes what it wrote off the front.
  virtual std::unique_ptr<Data> unpack(std::string_view& bytes) const = 0;
};

// The instance must be at rest and have no machines inside (Chart::Options::shallow). How often
// states were entered is left out, and so is the run's id: two instances of a chart have the same
// bytes where the same can come of them. Good within this process.
std::string pack(const Instance& instance, const Packer& packer);
Instance unpack(const Chart& chart, std::string_view bytes, const Packer& packer);

}  // namespace agneto::chart
