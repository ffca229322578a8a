// The runs of a server.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/files.h"
#include "base/text.h"
#include "cli/runs.h"
#include "record/options.h"
#include "run/new_run.h"
#include "run/told.h"
#include "serve/client.h"
#include "ui/screen.h"

namespace agneto::cli {
namespace {

constexpr std::size_t a_page = 500;
constexpr std::size_t entries_at_a_time = 1000;
constexpr std::size_t totals_at_a_time = 50;

std::string path_of(const std::string& run, const std::string& rest = {}) {
  return "runs/" + serve::encoded(run) + (rest.empty() ? "" : "/" + rest);
}

// The record of one run, as the server tells it whenever it is asked.
class RecordThere : public run::ToldRecord {
 public:
  RecordThere(std::shared_ptr<serve::Client> client, std::string run)
      : client_(std::move(client)), run_(std::move(run)) {}

  journal::RunRecord run() override { return run::told::run_from(record().at("run")); }
  journal::Seq newest(const std::string&) override { return record().at("newest"); }
  Json state(const std::string&) override { return part("state"); }
  std::map<std::string, std::string> sources(const std::string&) override {
    return part("sources");
  }
  std::vector<journal::Message> inbox(const std::string&) override {
    std::vector<journal::Message> messages;
    for (const Json& message : part("inbox")) {
      messages.push_back(run::told::message_from(message));
    }
    return messages;
  }
  std::vector<journal::Entry> entries(const std::string&, journal::Seq after,
                                      journal::Seq to) override {
    std::vector<journal::Entry> all;
    while (true) {
      const Json page = client_->get(
          path_of(run_, fmt::format("log?after={}&limit={}", after, entries_at_a_time)));
      const Json& entries = member(page, "entries");
      for (const Json& entry : entries) {
        all.push_back(run::told::entry_from(entry));
        after = all.back().seq;
        if (after >= to) return all;
      }
      if (entries.size() < entries_at_a_time) return all;
    }
  }
  std::vector<journal::Entry> entries_of(const std::string& run, const std::string& path) override {
    auto all = entries(run, 0, journal::last_seq);
    std::erase_if(all, [&](const auto& entry) { return !entry.stands || entry.path != path; });
    return all;
  }
  Json state_at(const std::string&, journal::Seq) override {
    throw Error("a server does not tell what a run was");
  }

 private:
  Json record(const std::string& with = {}) {
    return client_->get(path_of(run_, "record" + (with.empty() ? "" : "?with=" + with)));
  }
  Json part(const std::string& name) { return record(name).value(name, Json()); }

  const std::shared_ptr<serve::Client> client_;
  const std::string run_;
};

// The list's own words for a run.
Listed listed_from(const Json& json) {
  Json record = json;
  record["id"] = json.at("run");
  record["file"] = "";
  record["options"] = Json::object();
  record["questions"] = json.contains("waits_for") ? 1 : 0;
  Listed listed{run::told::run_from(record), {}};
  listed.waiting.for_person = json.contains("waits_for");
  for (const Json& away : member(json, "away")) {
    listed.waiting.away.push_back({away.at("path"), away.at("why"),
                                   parse_time(away.at("until")).value_or(listed.run.updated)});
  }
  return listed;
}

class RunsThere : public Runs {
 public:
  explicit RunsThere(std::shared_ptr<serve::Client> client) : client_(std::move(client)) {}

  std::vector<Listed> list(const RunFilter& wanted) override {
    std::string query = fmt::format("runs?limit={}", a_page);
    if (!wanted.status.empty()) query += "&status=" + serve::encoded(join(wanted.status, ","));
    if (!wanted.workflow.empty()) query += "&workflow=" + serve::encoded(wanted.workflow);
    if (!wanted.text.empty()) query += "&text=" + serve::encoded(wanted.text);
    std::vector<Listed> all;
    for (std::string before;;) {
      const Json page = client_->get(query + before);
      for (const Json& run : member(page, "runs")) {
        Listed listed = listed_from(run);
        if (wanted.fits(listed)) all.push_back(std::move(listed));
        if (all.size() == wanted.most && wanted.most > 0) return all;
      }
      if (!page.contains("next")) return all;
      before = "&before=" + serve::encoded(page.at("next"));
    }
  }

  void count(std::vector<Listed>& runs, Time) override {
    for (std::size_t first = 0; first < runs.size(); first += totals_at_a_time) {
      const std::size_t end = std::min(runs.size(), first + totals_at_a_time);
      std::vector<std::string> ids;
      for (std::size_t i = first; i < end; ++i) ids.push_back(runs[i].run.id);
      std::map<std::string, Json> told;
      const Json page = client_->get("totals?runs=" + serve::encoded(join(ids, ",")));
      for (const Json& each : member(page, "runs")) told[each.at("run")] = each;
      for (std::size_t i = first; i < end; ++i) {
        const auto found = told.find(runs[i].run.id);
        if (found == told.end()) continue;
        runs[i].totals = record::totals_from(found->second.at("totals"));
        runs[i].waiting.at_work = found->second.at("at_work");
      }
    }
  }

  std::unique_ptr<run::Reader> look(const std::string& wanted) override {
    const std::string id = find(wanted);
    return std::make_unique<run::Reader>(std::make_unique<RecordThere>(client_, id), id);
  }

  std::unique_ptr<run::Reader> steer(const std::string& wanted) override {
    auto reader = look(wanted);
    run::require_unended(reader->run());
    return reader;
  }

  workspace::BranchWork work_of(const journal::RunRecord& run) override {
    return run::told::work_from(client_->get(path_of(run.id, "record?with=work")).at("work"));
  }

  std::string diff_for(const journal::RunRecord& run, const std::string& item) override {
    return item.empty() && !run.branch.empty() ? client_->text(path_of(run.id, "diff")) : "";
  }

  void print_diff(const std::string& wanted, const std::vector<std::string>& words) override {
    if (!words.empty()) {
      throw Error("'" + words.front() + "' is for git, which works on files here",
                  "leave it out: a server tells the whole diff");
    }
    const auto reader = look(wanted);
    const journal::RunRecord run = reader->run();
    require_changes(run, !reader->state().is_null());
    end_with_the_reader();
    const std::string diff = client_->text(path_of(run.id, "diff"));
    fmt::print("{}", isatty(STDOUT_FILENO) != 0 ? printable(diff) : diff);
    printed(ExitStatus::complete);
  }

  std::vector<serve::Worker> workers() override {
    std::vector<serve::Worker> all;
    const Json page = client_->get("workers");
    for (const Json& worker : member(page, "workers")) {
      const Json& name = member(worker, "name");
      all.push_back(serve::Worker::from({name.is_string() ? name.get<std::string>() : "", worker}));
    }
    return all;
  }

  serve::Lack lack_of(const std::string&) override { return {}; }

  std::string why_queued(const journal::RunRecord& run) override {
    return client_->get(path_of(run.id)).value("why_queued", "");
  }

  run::Delivery answer(const journal::RunRecord& run, const std::string& question,
                       const run::Answer& answer) override {
    Json body = {{"question", question}, {"option", answer.option}, {"feedback", answer.feedback}};
    if (answer.edited) body["edited"] = *answer.edited;
    return delivery_from(client_->post(path_of(run.id, "answer"), body));
  }

  run::Delivery send(const journal::RunRecord& run, const std::string& event,
                     const Json& data) override {
    Json body = {{"name", event}};
    if (!data.is_null()) body["data"] = data;
    return delivery_from(client_->post(path_of(run.id, "event"), body));
  }

  bool suspend(const journal::RunRecord& run, bool after_call) override {
    const bool is_cut_off = run.status == "interrupted" && record::options_of(run).served;
    const bool goes_on =
        run.status == "running" || run.status == "parked" || run.status == "queued" || is_cut_off;
    if (goes_on) client_->post(path_of(run.id, "suspend"), {{"after_call", after_call}});
    return goes_on;
  }

  journal::RunRecord abort(const journal::RunRecord& run, record::Observer& observer) override {
    RecordThere record(client_, run.id);
    const journal::Seq before = record.newest(run.id);
    client_->post(path_of(run.id, "abort"), Json::object());
    for (const auto& entry : record::decode(record.entries(run.id, before, journal::last_seq))) {
      const auto* resumed = entry.get<record::Resumed>();
      if (!resumed) continue;
      for (const std::string& note : resumed->notes) {
        observer.event({entry.time, run.id, "", record::Note{note}, entry.seq});
      }
    }
    return record.run();
  }

  run::Queued submit(const run::Request& request, int priority) override {
    const bool is_file = request.workflow.ends_with(".yaml") || request.workflow.ends_with(".yml");
    for (const auto& [given, what] :
         std::map<std::string, bool>{{"--cassette", !request.cassette.empty()},
                                     {"a limit", request.limits.any()},
                                     {"a path as the workflow", is_file}}) {
      if (!what) continue;
      throw Error(given + " is for runs here, and is not sent to a server",
                  "leave it out; a server has workflows by name, and limits in its configuration");
    }
    Json body = {{"workflow", request.workflow},
                 {"inputs", request.inputs},
                 {"auto_merge", request.auto_merge},
                 {"interactive", request.interactive},
                 {"priority", priority}};
    if (request.task) body["task"] = *request.task;
    if (!request.needs.empty()) body["needs"] = request.needs;
    for (const auto& [name, value] : std::map<std::string, std::string>{
             {"agent", request.provider}, {"model", request.model}, {"base", request.base}}) {
      if (!value.empty()) body[name] = value;
    }
    constexpr int digits_of_key = 32;
    const Json made = client_->post("runs", body, run::random_hex(digits_of_key));
    const Json& id = member(made, "run");
    if (!id.is_string() || !run::is_run_id(id.get_ref<const std::string&>())) client_->disbelieve();
    run::Queued queued{id, {}};
    for (const Json& remark : member(made, "remarks")) {
      if (remark.is_string()) queued.remarks.push_back(printable(remark.get<std::string>()));
    }
    return queued;
  }

  std::string queue_again(const std::string& wanted) override {
    const std::string id = find(wanted);
    client_->post(path_of(id, "resume"), Json::object());
    return id;
  }

 private:
  static run::Delivery delivery_from(const Json& json) {
    run::Delivery delivery;
    if (json.value("taken", false)) delivery.fate = run::Delivery::Fate::taken;
    if (json.contains("used")) delivery.entry.body = record::Sent{"", json.at("used"), ""};
    return delivery;
  }

  // Those whose id or task contains that; empty: all.
  std::vector<std::string> ids(const std::string& text, std::size_t most = 0) {
    std::vector<std::string> ids;
    const std::string query = fmt::format("runs?limit={}", most == 0 ? a_page : most) +
                              (text.empty() ? "" : "&text=" + serve::encoded(text));
    for (std::string before; most == 0 || ids.size() < most;) {
      const Json page = client_->get(query + before);
      for (const Json& run : member(page, "runs")) ids.push_back(run.at("run"));
      if (!page.contains("next")) break;
      before = "&before=" + serve::encoded(page.at("next"));
    }
    return ids;
  }

  std::string find(const std::string& wanted) {
    if (wanted == "last") return run::find_run(ids("", 1), wanted);
    auto near = ids(wanted);
    std::erase_if(near, [&](const std::string& id) { return !id.starts_with(wanted); });
    return run::find_run(near.empty() ? ids("") : near, wanted);
  }

  const std::shared_ptr<serve::Client> client_;
};

std::string token_for(const ServerOptions& server) {
  std::string token = ui::variable({"AGNETO_TOKEN"}, "");
  if (!server.token_file.empty()) {
    const auto text = Disk().read(server.token_file);
    if (!text) throw Error("there is no token file '" + server.token_file + "'");
    token = trim(*text);
  }
  if (token.empty()) {
    throw Error("there is no token for " + printable(server.url),
                "set AGNETO_TOKEN, or give --token-file FILE; on the server 'agneto token make "
                "NAME' prints one");
  }
  return token;
}

}  // namespace

std::unique_ptr<Runs> runs_of_server(const ServerOptions& server) {
  return std::make_unique<RunsThere>(
      std::make_shared<serve::Client>(server.url, token_for(server)));
}

}  // namespace agneto::cli
