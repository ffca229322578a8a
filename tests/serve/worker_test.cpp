#include "serve/worker.h"

#include <gtest/gtest.h>

namespace agneto::serve {
namespace {

journal::RunRecord a_run(const std::string& id, std::vector<std::string> needs = {}) {
  journal::RunRecord run;
  run.id = id;
  run.workflow = "w";
  run.needs = std::move(needs);
  return run;
}

Worker a_worker(std::vector<std::string> labels, int slots = 1,
                std::vector<std::string> runs = {}) {
  Worker worker;
  worker.name = "tiger/1";
  worker.kind = "worker";
  worker.slots = slots;
  worker.runs = std::move(runs);
  worker.labels = std::move(labels);
  return worker;
}

// Where runs are looked at, unless a test says otherwise: a checkout whose runs are in a database.
const Here here{"tiger:/home/ada/project", true};

TEST(WorkerTest, TakesARunThatNeedsWhatItHas) {
  EXPECT_EQ(why_not_taken(a_run("a"), {a_worker({})}, here, {}, {}), "");
  EXPECT_EQ(why_not_taken(a_run("a", {"claude"}), {a_worker({"claude", "gpu"})}, here, {}, {}), "");
}

TEST(WorkerTest, SaysWhatNobodyHas) {
  EXPECT_EQ(why_not_taken(a_run("a", {"claude", "gpu"}), {a_worker({"claude"})}, here, {}, {}),
            "it needs gpu, which no worker has");
  EXPECT_EQ(why_not_taken(a_run("a", {"claude", "gpu"}), {a_worker({"claude"}), a_worker({"gpu"})},
                          here, {}, {}),
            "it needs claude and gpu, which no worker has together");
  EXPECT_EQ(why_not_taken(a_run("a", {"claude", "tiger:/home/me/project"}), {a_worker({"claude"})},
                          here, {}, {}),
            "it is of the folder tiger:/home/me/project, which nobody serves: agneto serve there");
}

TEST(WorkerTest, SaysWhatIsToBeStartedForARun) {
  const auto told = [](const journal::RunRecord& run, const std::vector<Worker>& workers,
                       const Here& where) {
    return lack_of(run, workers, where).told("so that it waits");
  };
  const auto of_folder = a_run("a", {"claude", here.folder});
  const auto travels = a_run("a", {"claude"});
  const Here file{here.folder, false};
  const std::string serve = "nobody serves this folder, so that it waits: agneto serve";
  EXPECT_EQ(told(of_folder, {}, here), serve);
  EXPECT_EQ(told(of_folder, {}, file), serve);
  EXPECT_EQ(told(of_folder, {a_worker({"claude"})}, here), serve) << "a worker is no help";
  EXPECT_EQ(told(of_folder, {}, {"lion:/srv/project", true}),
            "it is of the folder tiger:/home/ada/project, which nobody serves, so that it waits: "
            "agneto serve there");
  EXPECT_EQ(told(travels, {}, here), "no worker is there, so that it waits: agneto worker");
  EXPECT_EQ(told(travels, {}, file), serve) << "'agneto worker' takes up nothing of a file";
  EXPECT_EQ(told(travels, {a_worker({"codex"})}, here),
            "it needs claude, which no worker has, so that it waits");
  Worker ending = a_worker({"claude"});
  ending.ends = true;
  EXPECT_EQ(told(travels, {ending}, here), "no worker is there, so that it waits: agneto worker");
  EXPECT_EQ(lack_of(travels, {}, here).told(), "no worker is there: agneto worker");
}

TEST(WorkerTest, LacksNothingWhereSomebodyCanTakeARunSoonOrLater) {
  const auto run = a_run("a", {"claude"});
  EXPECT_FALSE(lack_of(run, {a_worker({"claude"})}, here));
  EXPECT_FALSE(lack_of(run, {a_worker({"claude"}, 1, {"b"})}, here)) << "it is busy";
  EXPECT_EQ(lack_of(run, {a_worker({"claude"})}, here).told("so that it waits"), "");
}

TEST(WorkerTest, SaysThatAllWhoCouldTakeItAreBusy) {
  const Worker busy = a_worker({"gpu"}, 1, {"b"});
  EXPECT_EQ(why_not_taken(a_run("a", {"gpu"}), {busy, a_worker({})}, here, {}, {}),
            "as many runs are worked on as may be at a time (1, by --slots)");
  EXPECT_EQ(why_not_taken(a_run("a"), {busy, a_worker({})}, here, {}, {}), "");
}

TEST(WorkerTest, SaysWhyItIsPutOff) {
  Worker worker = a_worker({});
  worker.name = "tiger/1";
  worker.put_off = {{"a", "the hub is away"}};
  EXPECT_EQ(why_not_taken(a_run("a"), {worker}, here, {}, {}),
            "tiger/1 cannot work on it now, and tries again: the hub is away");
  EXPECT_EQ(why_not_taken(a_run("b"), {worker}, here, {}, {}), "");
}

TEST(WorkerTest, SaysThatAsManyAreWorkedOnAsMayBe) {
  EXPECT_EQ(why_not_taken(a_run("a"), {a_worker({}, 4, {"b"})}, here, {.workflows = {{"w", 1}}},
                          {a_run("b")}),
            "as many runs with workflow w are worked on as may be at a time (1, by "
            "serve.workflows)");
}

TEST(WorkerTest, LooksAtNobodyWhoTakesUpNothingMore) {
  Worker ending = a_worker({"gpu"});
  ending.ends = true;
  EXPECT_EQ(why_not_taken(a_run("a", {"gpu"}), {a_worker({}), ending}, here, {}, {}),
            "it needs gpu, which no worker has");
}

TEST(WorkerTest, ReadsWhatItHasSaid) {
  Worker worker = a_worker({"gpu"}, 3, {"b"});
  worker.since = Time(Millis(1000));
  worker.version = "1.2.3";
  worker.versions = {{"claude", "2.0.76"}};
  worker.put_off = {{"c", "the hub is away"}};
  const Worker read = Worker::from({"tiger/1", worker.to_json()});
  EXPECT_EQ(read.to_json(), worker.to_json());
  EXPECT_EQ(read.name, "tiger/1");
  EXPECT_EQ(Worker::from({"tiger/2", Json()}).slots, 0) << "of a newer program";
  const Worker strange = Worker::from(
      {"tiger/3",
       {{"kind", 1}, {"slots", "four"}, {"ends", "no"}, {"runs", {1, "b"}}, {"labels", {"gpu"}}}});
  EXPECT_EQ(strange.to_json(), Json::parse(R"({"name": "tiger/3", "kind": "", "folder": "",
    "slots": 0, "runs": ["b"], "labels": ["gpu"], "ends": false})"));
}

}  // namespace
}  // namespace agneto::serve
