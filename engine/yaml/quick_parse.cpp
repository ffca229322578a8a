#include "yaml/quick_parse.h"

#include <yaml-cpp/mark.h>
#include <yaml.h>

#include <algorithm>
#include <string>

namespace agneto::yaml {

namespace {

// Which libyaml takes for line ends, as YAML 1.1 did.
bool has_line_ends_of_unicode(std::string_view text) {
  constexpr std::string_view all[] = {"\u0085", "\u2028", "\u2029"};
  return std::any_of(std::begin(all), std::end(all), [&](std::string_view one) {
    return text.find(one) != std::string_view::npos;
  });
}

bool is_null(std::string_view text) {
  return text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL";
}

class Event {
 public:
  Event() = default;
  ~Event() { yaml_event_delete(&event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  yaml_event_t* get() { return &event_; }
  const yaml_event_t* operator->() const { return &event_; }

 private:
  yaml_event_t event_ = {};
};

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    ready_ = yaml_parser_initialize(&parser_) != 0;
    if (!ready_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  ~Parser() {
    if (ready_) yaml_parser_delete(&parser_);
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  bool run(YAML::EventHandler& handler) {
    bool any = false;
    while (ready_) {
      Event event;
      if (yaml_parser_parse(&parser_, event.get()) == 0) return false;
      if (event->type == YAML_STREAM_END_EVENT) return any;
      any = any || event->type == YAML_DOCUMENT_START_EVENT;
      if (!give(event, handler)) return false;
    }
    return false;
  }

 private:
  bool give(const Event& event, YAML::EventHandler& handler) {
    const YAML::Mark mark = mark_of(event->start_mark);
    if (open_flows_ > 0 && bytes_ > 0 && text_[bytes_ - 1] == '?') return false;
    switch (event->type) {
      case YAML_DOCUMENT_START_EVENT: {
        const auto& document = event->data.document_start;
        if (document.version_directive || document.tag_directives.start) return false;
        handler.OnDocumentStart(mark);
        return true;
      }
      case YAML_DOCUMENT_END_EVENT:
        handler.OnDocumentEnd();
        return true;
      case YAML_SCALAR_EVENT: {
        const auto& scalar = event->data.scalar;
        const std::string value(reinterpret_cast<const char*>(scalar.value), scalar.length);
        const bool plain = scalar.style == YAML_PLAIN_SCALAR_STYLE;
        if (plain && open_flows_ > 0 && value.find('?') != std::string::npos) return false;
        if (plain && !scalar.tag && is_null(value)) {
          handler.OnNull(mark, number_of(scalar.anchor));
        } else {
          handler.OnScalar(mark, tag_of(scalar.tag), number_of(scalar.anchor), value);
        }
        return true;
      }
      case YAML_SEQUENCE_START_EVENT: {
        const auto& list = event->data.sequence_start;
        handler.OnSequenceStart(mark, tag_of(list.tag), number_of(list.anchor),
                                open(list.style == YAML_FLOW_SEQUENCE_STYLE));
        return true;
      }
      case YAML_SEQUENCE_END_EVENT:
        close();
        handler.OnSequenceEnd();
        return true;
      case YAML_MAPPING_START_EVENT: {
        const auto& map = event->data.mapping_start;
        handler.OnMapStart(mark, tag_of(map.tag), number_of(map.anchor),
                           open(map.style == YAML_FLOW_MAPPING_STYLE));
        return true;
      }
      case YAML_MAPPING_END_EVENT:
        close();
        handler.OnMapEnd();
        return true;
      default:
        return event->type == YAML_STREAM_START_EVENT;
    }
  }

  // In brackets there are brackets only.
  YAML::EmitterStyle::value open(bool flow) {
    if (flow) ++open_flows_;
    return flow ? YAML::EmitterStyle::Flow : YAML::EmitterStyle::Block;
  }
  void close() {
    if (open_flows_ > 0) --open_flows_;
  }
  static YAML::anchor_t number_of(const yaml_char_t* anchor) { return anchor ? 1 : 0; }
  static std::string tag_of(const yaml_char_t* tag) {
    return tag ? reinterpret_cast<const char*>(tag) : "?";
  }

  // libyaml counts characters, yaml-cpp bytes.
  YAML::Mark mark_of(const yaml_mark_t& mark) {
    const auto continues = [&](std::size_t at) {
      return at < text_.size() && (static_cast<unsigned char>(text_[at]) & 0xC0) == 0x80;
    };
    for (; characters_ < mark.index; ++characters_) {
      while (continues(++bytes_)) {
      }
    }
    for (; characters_ > mark.index; --characters_) {
      while (continues(--bytes_)) {
      }
    }
    YAML::Mark result;
    result.pos = static_cast<int>(bytes_);
    return result;
  }

  std::string_view text_;
  yaml_parser_t parser_ = {};
  bool ready_ = false;
  std::size_t characters_ = 0;  // of the last mark, and its bytes
  std::size_t bytes_ = 0;
  int open_flows_ = 0;
};

}  // namespace

bool quick_parse(std::string_view text, YAML::EventHandler& handler) {
  return !has_line_ends_of_unicode(text) && Parser(text).run(handler);
}

}  // namespace agneto::yaml
