// What is done to runs by those who may.
#include <algorithm>

#include "base/text.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"

namespace agneto::serve {

namespace {

// What the same bearer sends with the same key is one request; "" where it has none.
std::string key_of(const HttpRequest& request, const std::string& bearer) {
  const auto sent = request.headers.find("idempotency-key");
  if (sent == request.headers.end()) return "";
  constexpr std::size_t longest = 100;
  const std::string& key = sent->second;
  const bool is_key = !key.empty() && key.size() <= longest && std::ranges::all_of(key, [](char c) {
    return c > ' ' && c <= '~' && c != ',';
  });
  if (!is_key) {
    throw Unusable("Idempotency-Key is one word of at most 100 characters",
                   "send one that nobody else sends, such as a UUID");
  }
  return "request " + sha256(bearer + "\n" + key) + " ";
}

HttpResponse told_of(const Json& run, int status) {
  HttpResponse response = json(run, status);
  response.headers["Location"] = "/api/v1/runs/" + run.at("run").get<std::string>();
  return response;
}

}  // namespace

// The run that was made for such a request already. Its origin says what was asked for.
std::optional<HttpResponse> Api::queued_before(const std::string& key,
                                               const std::string& origin) const {
  const auto run = key.empty() ? std::nullopt : world_.journal->newest_of(key);
  if (!run) return std::nullopt;
  if (run->origin != origin) {
    throw Unusable("this Idempotency-Key came with another request",
                   "give each request a key of its own");
  }
  return told_of(desk_.described(run::Queued{run->id, {}}), 200);
}

HttpResponse Api::submit(const Asked& asked) const {
  const std::string key = key_of(asked.request, asked.bearer.name);
  const std::string origin = key.empty() ? "" : key + sha256(asked.request.body);
  const auto alone = key.empty() ? std::unique_lock<Turns>() : keyed_.take();
  if (auto before = queued_before(key, origin)) return std::move(*before);
  Body body(asked.request.body);
  const std::string workflow = body.text("workflow").value_or("agneto");
  const bool interactive = body.flag("interactive", true);
  try {
    const auto queued = serve::submit(world_.folder, world_.resources, world_.journal, workflow,
                                      body, interactive, asked.bearer.name, origin);
    return told_of(desk_.described(queued), 201);
  } catch (const journal::OriginTaken&) {
    if (auto before = queued_before(key, origin)) return std::move(*before);
    throw;
  }
}

}  // namespace agneto::serve
