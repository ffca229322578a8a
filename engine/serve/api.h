// The API under /api/v1: what schemas/api.yaml says, made of the journal.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/redact.h"
#include "journal/journal.h"
#include "run/assembly.h"
#include "serve/http.h"
#include "serve/token.h"

namespace agneto::serve {

// Everything that it is given outlives it. Its functions are called on several threads at a time.
class Api {
 public:
  struct World {
    fs::path folder;
    const run::Resources& resources;
    std::shared_ptr<journal::Journal> journal;
    std::string version;  // of this program
    // Names by which the server is reached besides loopback ones, for requests' Host.
    std::vector<std::string> hosts = {};
  };
  explicit Api(World world);

  HttpResponse handle(const HttpRequest& request) const;

 private:
  // A request that may be made, with what its path names.
  struct Asked {
    const HttpRequest& request;
    std::string name;  // of a run
    Bearer bearer;
  };
  struct Route {
    std::string method;
    std::vector<std::string> path;  // below /api/v1; "*": a name
    Scope scope;
    HttpResponse (Api::*answer)(const Asked& asked) const;
  };
  static const std::vector<Route>& routes();
  HttpResponse routed(const HttpRequest& request) const;
  bool is_own_host(const HttpRequest& request) const;

  HttpResponse list(const Asked& asked) const;
  HttpResponse submit(const Asked& asked) const;
  HttpResponse show(const Asked& asked) const;
  HttpResponse log(const Asked& asked) const;
  HttpResponse diff(const Asked& asked) const;
  HttpResponse run_events(const Asked& asked) const;
  HttpResponse all_events(const Asked& asked) const;
  HttpResponse questions(const Asked& asked) const;
  HttpResponse workflows(const Asked& asked) const;
  HttpResponse server(const Asked& asked) const;
  HttpResponse answer(const Asked& asked) const;
  HttpResponse send(const Asked& asked) const;
  HttpResponse suspend(const Asked& asked) const;
  HttpResponse resume(const Asked& asked) const;
  HttpResponse abort(const Asked& asked) const;
  HttpResponse rewind(const Asked& asked) const;
  HttpResponse fork(const Asked& asked) const;

  journal::RunRecord run_of(const Asked& asked) const;
  // What `act` does to the run, and then the run as it is.
  HttpResponse steered(const Asked& asked,
                       const std::function<void(const journal::RunRecord&)>& act) const;
  Json described(const journal::RunRecord& run) const;
  Json questions_of(const journal::RunRecord& run) const;

  const World world_;
  const fs::path home_;
  const Redactor redactor_;
};

}  // namespace agneto::serve
