// Words from other processes to the owner of a run. The journal keeps them in the run's inbox until
// the owner has handled them; their JSON is made and read in message.cpp alone.
#pragma once

#include <string>
#include <variant>

#include "base/json.h"
#include "chart/answer.h"
#include "journal/journal.h"

namespace agneto::record {

// A person answers a question: {"question": PATH, "option", "feedback", "edited"?, "by"}.
struct PostedAnswer : chart::Answer {
  static constexpr std::string_view kind = "answer";
  std::string question;
  std::string by;  // the person's name
};

// A person's event for the machines.
struct PostedEvent {
  static constexpr std::string_view kind = "event";
  std::string name;
  Json data = {};
  std::string by = {};  // may be empty
};

// The run is to be suspended once what is under way has ended.
struct PostedStop {
  static constexpr std::string_view kind = "stop";
  std::string reason;
};

// The run is to be suspended at once.
struct PostedSuspend {
  static constexpr std::string_view kind = "suspend";
  std::string reason;
};

struct PostedAbort {
  static constexpr std::string_view kind = "abort";
  std::string reason;
};

// A person's word to the next agent.
struct PostedInstruction {
  static constexpr std::string_view kind = "instruct";
  std::string text;
};

using Message = std::variant<PostedAnswer, PostedEvent, PostedStop, PostedSuspend, PostedAbort,
                             PostedInstruction>;

// Its time is not set.
journal::Message encode(const Message& message);
// Throws Error, which tells the one who posted it why it is refused.
Message decode(const journal::Message& message);

Json to_json(const PostedAnswer& answer);

}  // namespace agneto::record
