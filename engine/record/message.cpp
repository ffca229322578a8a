#include "record/message.h"

#include "record/json_fields.h"

namespace agneto::record {

void fields(auto& field, Of<PostedAnswer> auto& answer) {
  field("question", answer.question);
  answer_fields(field, answer);
}

void fields(auto& field, Of<PostedEvent> auto& event) {
  field("name", event.name);
  field.newer("data", event.data);
  field.newer("by", event.by);
}

template <typename Request>
requires Of<Request, PostedStop> || Of<Request, PostedSuspend> || Of<Request, PostedAbort>
void fields(auto& field, Request& request) {
  field("reason", request.reason);
}

void fields(auto& field, Of<PostedInstruction> auto& instruction) {
  field("text", instruction.text);
}

journal::Message encode(const Message& message) {
  return {std::string(kind_in(message)),
          std::visit([](const auto& each) { return to_fields(each); }, message)};
}

Message decode(const journal::Message& message) {
  Message read;
  if (!become(read, message.kind)) {
    throw Error("no message of the kind '" + message.kind + "' is known here");
  }
  try {
    std::visit([&](auto& each) { from_fields(message.body, each); }, read);
  } catch (const std::exception&) {
    throw Error("it cannot be read");
  }
  return read;
}

Json to_json(const PostedAnswer& answer) {
  return to_fields(answer);
}

}  // namespace agneto::record
