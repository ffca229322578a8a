#include "agents/message.h"

#include <fmt/format.h>

#include "base/text.h"
#include "script/hook_data.h"

namespace agneto::agents {

namespace {

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) {
    const std::string_view trimmed = trim(part);
    if (trimmed.empty()) continue;
    if (!text.empty()) text += "\n\n";
    text += trimmed;
  }
  return text + "\n";
}

}  // namespace

std::string work_message(const std::string& hook_text, const std::string& files,
                         const Request& request, const std::string& last_error,
                         const std::string& verdict_format) {
  std::vector<std::string> parts{hook_text, files};
  if (!trim(request.extra_instructions).empty()) {
    parts.push_back("## Instructions for this project\n\n" + request.extra_instructions);
  }
  if (!request.instructions.empty()) {
    parts.push_back("## Instructions from the person you work for\n\n" +
                    join(request.instructions, "\n\n"));
  }
  if (!last_error.empty() && hook_text.find(last_error) == std::string::npos) {
    parts.push_back("The last attempt at this failed: " + last_error);
  }
  parts.push_back(verdict_format);
  return joined(parts);
}

Preview preview(const Request& request, script::Hooks& hooks) {
  Preview made;
  try {
    const std::string text = hooks.prompt(request.hooks, request.task, request.m, [&] {
      made.saw_no_files = true;
      return script::empty_workspace();
    });
    const std::string format =
        request.verdicts.empty() ? "" : hooks.verdict_format(request.m.at("verdicts"));
    // Which files there are then is not known.
    std::string files = request.files.empty() ? "" : "## Files\n";
    for (const std::string& pattern : request.files) files += "\n`" + printable(pattern) + "`\n";
    made.text = work_message(text, files, request, "", format);
  } catch (const script::HookError& error) {
    made.problem = error.what();
  }
  return made;
}

std::string again_message(const std::string& problem, const std::vector<model::Verdict>& verdicts,
                          const std::string& verdict_format) {
  const std::string names = join(names_of(verdicts), ", ");
  return joined(
      {fmt::format("Your last reply could not be used: {}. What you have done stands; do "
                   "not do it again. Give your answer anew, whole{}.",
                   problem, names.empty() ? "" : ", with one of these verdicts: " + names),
       verdict_format});
}

std::string with_exchanges(const std::vector<Exchange>& exchanges, const std::string& message) {
  if (exchanges.empty()) return message;
  std::vector<std::string> parts{"This is the conversation so far."};
  for (const Exchange& exchange : exchanges) {
    parts.push_back("<message>\n" + exchange.prompt + "\n</message>");
    parts.push_back("<your-reply>\n" + exchange.reply + "\n</your-reply>");
  }
  parts.push_back("It goes on with this message, which is for you to answer now.");
  parts.push_back(message);
  return joined(parts);
}

}  // namespace agneto::agents
