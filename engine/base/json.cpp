#include "base/json.h"

template class nlohmann::basic_json<>;
template class nlohmann::detail::serializer<nlohmann::json>;

namespace agneto {

std::string to_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::size_t size_of(const Json& value) {
  constexpr std::size_t mark = 2;  // quotes, brackets, a comma and a colon
  constexpr std::size_t scalar = 4;
  std::size_t size = mark;
  if (const auto* text = value.get_ptr<const Json::string_t*>()) {
    size += text->size();
  } else if (const auto* list = value.get_ptr<const Json::array_t*>()) {
    for (const Json& item : *list) size += size_of(item);
  } else if (const auto* object = value.get_ptr<const Json::object_t*>()) {
    for (const auto& [key, item] : *object) size += mark + key.size() + size_of(item);
  } else {
    size += scalar;
  }
  return size;
}

}  // namespace agneto
