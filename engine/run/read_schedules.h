// `schedules` of the configuration.
#pragma once

#include <vector>

#include "run/config.h"
#include "yaml/reader.h"

namespace agneto::run {

void read_schedules(yaml::Reader& reader, const yaml::Node& node, std::vector<Schedule>& schedules);

}  // namespace agneto::run
