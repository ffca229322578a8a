// What is worth reading of an exported run, as Markdown.
#pragma once

#include <string>

#include "run/export.h"

namespace agneto::ui {

// What models and people wrote is quoted, so that it cannot pass for the summary's own words, nor
// for HTML.
std::string markdown_summary(const run::RunExport& exported);

}  // namespace agneto::ui
