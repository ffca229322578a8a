// What clients are told who show runs as they are shown here: records as they are kept, without the
// secrets.
#include <functional>
#include <map>

#include "base/text.h"
#include "run/reader.h"
#include "run/told.h"
#include "serve/api.h"
#include "serve/body.h"
#include "serve/reply.h"

namespace agneto::serve {

HttpResponse Api::record(const Asked& asked) const {
  const journal::RunRecord found = desk_.find(asked.name);
  const Redactor redactor = desk_.redactor();
  const run::Reader reader(*world_.journal, redactor, found.id, world_.folder);
  const std::map<std::string, std::function<Json()>> parts = {
      {"state", [&] { return reader.state(); }},
      {"sources", [&] { return Json(reader.sources()); }},
      {"inbox",
       [&] {
         Json all = Json::array();
         for (const auto& message : reader.inbox()) all.push_back(run::told::to_json(message));
         return all;
       }},
      {"work",
       [&] {
         return redactor.json(run::told::to_json(
             workspace::branch_work(run::home_of(world_.folder), found.base, found.branch)));
       }},
  };
  Json body = {{"newest", world_.journal->newest(found.id)},
               {"run", run::told::to_json(reader.run())}};
  for (const std::string& part : texts_in(asked.request, "with")) {
    const auto known = parts.find(part);
    if (known == parts.end()) {
      std::vector<std::string> names;
      for (const auto& [name, tell] : parts) names.push_back(name);
      throw Unusable("a record has no '" + printable(part) + "'", suggestion(part, names, "parts"));
    }
    body[part] = known->second();
  }
  return json(body);
}

HttpResponse Api::totals(const Asked& asked) const {
  constexpr std::size_t most = 200;
  const auto ids = texts_in(asked.request, "runs");
  if (ids.size() > most) throw Unusable("totals are of 200 runs at most");
  const Redactor redactor = desk_.redactor();
  Json all = Json::array();
  for (const std::string& id : ids) {
    const auto found = world_.journal->find(id);
    if (!found) continue;
    const journal::RunRecord run = run::shown(*found, *world_.journal, redactor);
    const auto totals = run::readable([&] { return desk_.totals_of(run); });
    const auto waiting =
        run::readable([&] { return run::waiting_of(*world_.journal, run, redactor); });
    all.push_back({{"run", id}, {"totals", record::to_json(totals)}, {"at_work", waiting.at_work}});
  }
  return json({{"runs", std::move(all)}});
}

}  // namespace agneto::serve
