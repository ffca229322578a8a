#include "journal/change.h"

#include <algorithm>
#include <stdexcept>

#include "base/text.h"

namespace agneto::journal {

namespace {

// Writes an object of changes; the first member opens it.
class Members {
 public:
  explicit Members(std::string& out) : out_(out), start_(out.size()) {}

  // Where `write` writes nothing, there is no such member.
  template <typename Write>
  void add(std::string_view key, Write write) {
    const std::size_t before = out_.size();
    out_ += before == start_ ? '{' : ',';
    out_ += to_text(std::string(key));
    out_ += ':';
    const std::size_t value = out_.size();
    write();
    if (out_.size() == value) out_.resize(before);
  }
  void close() {
    if (out_.size() != start_) out_ += '}';
  }

 private:
  std::string& out_;
  std::size_t start_;
};

// What has the same text is the same: integers whatever their C++ type, but not 1 and 1.0.
bool same(const Json& from, const Json& to) {
  return from == to && from.is_number_float() == to.is_number_float();
}

// Most of a state stays as it was: it is passed over before anything is written.
bool same_leaf(const Json& from, const Json& to) {
  const bool leaves = from.empty() || !from.is_structured();
  return leaves && same(from, to);
}

constexpr const char* gone = "[]";

// Writes how `to` differs; nothing where it does not.
void differ(const Json& from, const Json& to, std::string& out);

void objects_differ(const Json& from_json, const Json& to_json, std::string& out) {
  const auto& from = from_json.get_ref<const Json::object_t&>();
  const auto& to = to_json.get_ref<const Json::object_t&>();
  Members members(out);
  auto old = from.begin();
  auto now = to.begin();
  while (old != from.end() || now != to.end()) {  // both in the order of their keys
    const int order = old == from.end() ? 1 : now == to.end() ? -1 : old->first.compare(now->first);
    if (order < 0) {
      members.add(old->first, [&] { out += gone; });
    } else if (order > 0) {
      members.add(now->first, [&] { out += whole(now->second); });
    } else if (!same_leaf(old->second, now->second)) {
      members.add(now->first, [&] { differ(old->second, now->second, out); });
    }
    if (order <= 0) ++old;
    if (order >= 0) ++now;
  }
  members.close();
}

void arrays_differ(const Json& from, const Json& to, std::string& out) {
  Members members(out);
  // One `[]` ends an array: what was behind it is gone too.
  const std::size_t size = to.size() < from.size() ? to.size() + 1 : to.size();
  for (std::size_t i = 0; i < size; ++i) {
    if (i < std::min(from.size(), to.size()) && same_leaf(from[i], to[i])) continue;
    members.add(std::to_string(i), [&] {
      if (i >= to.size()) {
        out += gone;
      } else if (i >= from.size()) {
        out += whole(to[i]);
      } else {
        differ(from[i], to[i], out);
      }
    });
  }
  members.close();
}

void differ(const Json& from, const Json& to, std::string& out) {
  if (from.is_object() && to.is_object()) return objects_differ(from, to, out);
  if (from.is_array() && to.is_array()) return arrays_differ(from, to, out);
  if (!same(from, to)) out += whole(to);
}

std::size_t index_of(const std::string& key) {
  const auto index = parse_number<std::size_t>(key);
  if (!index) throw std::invalid_argument("'" + key + "' is no index");
  return *index;
}

void apply_to_array(const Json& change, Json& array) {
  for (const auto& [key, inner] : change.items()) {
    const std::size_t index = index_of(key);
    if (index >= array.size() + change.size()) {
      throw std::invalid_argument("a change is past the end of an array");
    }
    if (inner.empty()) {
      while (array.size() > index) array.erase(array.size() - 1);
    } else {
      apply_change(inner, array[index]);  // made where the array is to grow
    }
  }
}

void apply_to_object(const Json& change, Json& object) {
  for (const auto& [key, inner] : change.items()) {
    if (inner.empty()) {
      object.erase(key);
    } else {
      apply_change(inner, object[key]);
    }
  }
}

}  // namespace

std::string change_between(const Json& from, const Json& to) {
  std::string out;
  differ(from, to, out);
  return out;
}

std::string whole(const Json& state) {
  return '[' + to_text(state) + ']';
}

bool is_whole(std::string_view change) {
  return change.starts_with('[');
}

void apply_change(const Json& change, Json& value) {
  if (change.is_array() && change.size() == 1) {
    value = change.front();
  } else if (change.is_object() && value.is_array()) {
    apply_to_array(change, value);
  } else if (change.is_object() && value.is_object()) {
    apply_to_object(change, value);
  } else {
    throw std::invalid_argument("a change does not fit what it changes");
  }
}

}  // namespace agneto::journal
