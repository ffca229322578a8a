#include "run/notify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/rules.h"
#include "yaml/rules.h"

namespace agneto::run {
namespace {

using yaml::Node;

bool is_plain(std::string_view text) {
  return std::ranges::all_of(
      text, [](char each) { return static_cast<unsigned char>(each) > ' ' && each != '\x7f'; });
}

bool is_variable(std::string_view text) {
  return text.size() > 1 && text.front() == '$' &&
         std::ranges::all_of(text.substr(1), [](char each) {
           return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_';
         });
}

bool is_url(const std::string& text) {
  const std::size_t scheme = text.starts_with("https://")  ? 8
                             : text.starts_with("http://") ? 7
                                                           : std::string::npos;
  return scheme < text.size() && text[scheme] != '/' && is_plain(text);
}

// One address, which is no option of the program that takes it.
bool is_address(const std::string& text) {
  const auto at = text.find('@');
  return at != std::string::npos && at > 0 && at + 1 < text.size() && text.front() != '-' &&
         is_plain(text) && text.find_first_of(",;<>\"()") == std::string::npos;
}

void read_words(yaml::Reader& reader, const Node& node, const std::string& what,
                const std::function<void(const Node&)>& take) {
  reader.list(node, what, take);
  if (node.kind == yaml::Kind::sequence && node.items.empty()) {
    reader.wrong(node, what, "a list with something in it");
  }
}

void read_way(yaml::Reader& reader, const Node& node, Way& way,
              std::vector<NamedWorkflow>& workflows) {
  const Node* secret = nullptr;
  int ways = 0;
  const auto way_key = [&](const char* key, Way::Kind kind, auto read) {
    return yaml::Reader::Key{key, [&, key, kind, read](const Node& n) {
                               ++ways;
                               way.kind = kind;
                               read(n, key);
                             }};
  };
  reader.map(
      node, "notify",
      {way_key("command", Way::Kind::command,
               [&](const Node& n, const char* key) {
                 read_words(reader, n, key, [&](const Node& item) {
                   reader.text(item, "command", way.command.emplace_back());
                 });
               }),
       way_key("desktop", Way::Kind::desktop,
               [&](const Node& n, const char* key) {
                 bool yes = true;
                 if (reader.flag(n, key, yes) && !yes) {
                   reader.wrong(n, key, "true; leave it out else");
                 }
               }),
       way_key("webhook", Way::Kind::webhook,
               [&](const Node& n, const char* key) {
                 if (reader.text(n, key, way.target) && !is_url(way.target) &&
                     !is_variable(way.target)) {
                   reader.wrong(n, key, "an address such as https://example.com/hook, or $NAME");
                 }
               }),
       way_key("mail", Way::Kind::mail,
               [&](const Node& n, const char* key) {
                 if (reader.text(n, key, way.target) && !is_address(way.target)) {
                   reader.wrong(n, key, "one address such as ada@example.com");
                 }
               }),
       {"secret",
        [&](const Node& n) {
          secret = &n;
          if (reader.text(n, "secret", way.secret) && way.secret.empty()) {
            reader.wrong(n, "secret", "text, or $NAME");
          }
        }},
       {"on",
        [&](const Node& n) {
          read_words(reader, n, "on", [&](const Node& item) {
            std::string word;
            if (!reader.text(item, "on", word)) return;
            way.on.insert(word);
            if (std::ranges::find(occasions(), word) != occasions().end()) return;
            suggest(reader.diagnostics().report(rules::wrong_type, item.span,
                                                "nobody is told of '" + printable(word) + "'"),
                    word, occasions(), "words");
          });
        }},
       {"workflows", [&](const Node& n) {
          read_words(reader, n, "workflows", [&](const Node& item) {
            std::string name;
            if (!reader.text(item, "workflows", name)) return;
            way.workflows.insert(name);
            workflows.push_back({name, item.span});
          });
        }}});
  if (node.kind != yaml::Kind::map) return;
  if (ways != 1) {
    reader.diagnostics().report(rules::one_of, node.span,
                                "a notification needs one of command, desktop, webhook, mail",
                                "write each way as an item of its own");
  } else if (secret != nullptr && way.kind != Way::Kind::webhook) {
    reader.diagnostics().report(rules::one_of, secret->span, "only a webhook has a secret",
                                "leave it out");
  }
}

}  // namespace

std::string Way::id() const {
  const Json what = {static_cast<int>(kind), command, target};
  constexpr std::size_t digits = 16;
  return sha256(what.dump()).substr(0, digits);
}

std::string Way::name() const {
  switch (kind) {
    case Kind::command:
      return "command " + (command.empty() ? "" : command.front());
    case Kind::desktop:
      return "desktop";
    case Kind::webhook:
      return "webhook";
    case Kind::mail:
      return "mail to " + target;
    case Kind::none:
      break;
  }
  return "nothing";
}

void read_ways(yaml::Reader& reader, const Node& node, std::vector<Way>& ways,
               std::vector<NamedWorkflow>& workflows) {
  reader.list(node, "notify",
              [&](const Node& item) { read_way(reader, item, ways.emplace_back(), workflows); });
}

void read_base_url(yaml::Reader& reader, const Node& node, std::string& url) {
  if (!reader.text(node, "serve.url", url)) return;
  if (!is_url(url)) {
    reader.wrong(node, "serve.url", "an address such as https://agneto.example.com");
  }
  while (url.ends_with('/')) url.pop_back();
}

std::string resolved(const std::string& text) {
  if (!is_variable(text)) return text;
  const char* value = std::getenv(text.c_str() + 1);
  if (value == nullptr || *value == '\0') {
    throw Error("there is no environment variable " + text.substr(1),
                "set it where agneto serve is started");
  }
  return value;
}

}  // namespace agneto::run
