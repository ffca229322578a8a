// What a server answers over HTTP: the API under /api/v1, which is what schemas/api.yaml says, made
// of the journal; and the web pages, which are a client of it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "journal/journal.h"
#include "run/assembly.h"
#include "serve/desk.h"
#include "serve/http.h"
#include "serve/pages.h"
#include "serve/rates.h"
#include "serve/recent.h"
#include "serve/scenarios.h"
#include "serve/streams.h"
#include "serve/token.h"
#include "serve/turns.h"
#include "serve/workflows.h"

namespace agneto::serve {

// Everything that it is given outlives it. Its functions are called on several threads at a time.
class Api {
 public:
  struct World {
    fs::path folder;
    const run::Resources& resources;
    std::shared_ptr<journal::Journal> journal;
    std::string version;  // of this program
    fs::path program;     // its file
    // Names by which requests may call the server, besides loopback ones; with a port or without.
    std::vector<std::string> hosts;
    // Plain addresses (address.h) whose word is taken for whom a request is from: by
    // X-Forwarded-For, and, where it is named, by the header that says which person that is.
    std::vector<std::string> proxies;
    std::string user_header;
    Linter linter;
    fs::path pages;  // the folder of the web pages
  };
  explicit Api(World world);

  // Why a request is not looked at: it is not for this server, or from nobody known.
  std::optional<HttpResponse> refusal(const HttpRequest& request) const;
  // What is answered to one that is not refused.
  HttpResponse handle(const HttpRequest& request) const;

 private:
  // A request that may be made, with what its path names.
  struct Asked {
    const HttpRequest& request;
    std::string name;  // of a run, or a workflow
    Bearer bearer;
  };
  struct Route {
    std::string method;
    std::vector<std::string> path;  // below /api/v1; "*": a name
    Scope scope;
    std::vector<std::string> query;  // what may be asked for
    HttpResponse (Api::*answer)(const Asked& asked) const;
  };
  static const std::vector<Route>& routes();
  HttpResponse routed(const HttpRequest& request) const;
  std::optional<Bearer> bearer_in(const HttpRequest& request) const;
  bool is_own_host(const std::string& told) const;
  bool is_proxy(const std::string& address) const;
  std::string address_of(const HttpRequest& request) const;
  std::string name_of_person(const HttpRequest& request, const Bearer& bearer) const;
  HttpResponse streamed(const Asked& asked, std::unique_ptr<Stream> stream) const;

  HttpResponse once(const std::string& of, const std::function<HttpResponse()>& make) const;

  Json places() const;
  std::optional<HttpResponse> queued_before(const std::string& key,
                                            const std::string& origin) const;

  HttpResponse list(const Asked& asked) const;
  HttpResponse submit(const Asked& asked) const;
  HttpResponse show(const Asked& asked) const;
  HttpResponse log(const Asked& asked) const;
  HttpResponse record(const Asked& asked) const;
  HttpResponse totals(const Asked& asked) const;
  HttpResponse diff(const Asked& asked) const;
  HttpResponse commits(const Asked& asked) const;
  HttpResponse files(const Asked& asked) const;
  HttpResponse data(const Asked& asked) const;
  HttpResponse graph(const Asked& asked) const;
  HttpResponse run_events(const Asked& asked) const;
  HttpResponse all_events(const Asked& asked) const;
  HttpResponse questions(const Asked& asked) const;
  HttpResponse workflows(const Asked& asked) const;
  HttpResponse workflow(const Asked& asked) const;
  HttpResponse workflow_graph(const Asked& asked) const;
  HttpResponse workflow_coverage(const Asked& asked) const;
  HttpResponse schedules(const Asked& asked) const;
  HttpResponse workers(const Asked& asked) const;
  HttpResponse server(const Asked& asked) const;
  // A function of the desk that does something to a run.
  template <auto deed, int status = 200>
  HttpResponse steered(const Asked& asked) const;

  const World world_;
  mutable SystemClock clock_;
  mutable Rates requests_;  // by token
  mutable Rates comers_;    // by network (address.h)
  mutable Rates failures_;  // by network: requests without a token that is good
  mutable Turns keyed_;     // of requests with an Idempotency-Key
  const Desk desk_;
  const Pictures pictures_;
  const Scenarios scenarios_;
  const Workflows workflows_;
  const Pages pages_;
  mutable Replays replays_{50};
  mutable Recent lists_{clock_, std::chrono::seconds(1), 50};
};

}  // namespace agneto::serve
