// What is worth reading of an exported run, as Markdown.
#pragma once

#include <string>

#include "base/json.h"

namespace agneto::ui {

// `exported`: as run::export_run gives it. What models and people wrote is quoted, so that it
// cannot pass for the summary's own words, nor for HTML.
std::string markdown_summary(const Json& exported);

}  // namespace agneto::ui
