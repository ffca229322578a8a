// A machine written as its context and some pieces of Lua, each on a line of its own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "model/load.h"
#include "script/evaluator.h"

namespace agneto::script {

// Remembers what code asks of the interpreter.
class FakeScope : public chart::Scope {
 public:
  const chart::RunInfo& run() const override { return info; }
  const chart::Event* event() const override { return has_event ? &the_event : nullptr; }
  const chart::Item* item() const override { return has_item ? &the_item : nullptr; }
  bool in(const std::string& state) const override { return state == active; }
  chart::Sent raise(std::string event, Json data) override {
    if (sent == chart::Sent::yes) log.push_back("raise " + event + " " + to_text(data));
    return sent;
  }
  chart::Sent send(chart::Outgoing one) override {
    if (sent != chart::Sent::yes) return sent;
    log.push_back("send " + one.event + " " + to_text(one.data) + " after " +
                  std::to_string(one.after.count()) + "ms id '" + one.id + "'" +
                  (one.to.empty() ? "" : " to " + one.to) +
                  (one.item == 0 ? "" : "[" + std::to_string(one.item) + "]"));
    return sent;
  }
  void cancel(const std::string& id) override { log.push_back("cancel " + id); }

  void set_event(std::string name, Json data, std::string path = {}) {
    the_event = {chart::Event::Kind::external, std::move(name), std::move(data), std::move(path)};
    has_event = true;
  }

  chart::RunInfo info{"run-1", true, false};
  chart::Event the_event;
  bool has_event = false;
  Json item_value;
  chart::Item the_item{item_value, 2};
  bool has_item = false;
  std::string active = "A";
  chart::Sent sent = chart::Sent::yes;  // what becomes of an event
  std::vector<std::string> log;
};

// Loads `agneto: 1 … context: … states: A with on: e1, e2…`: every expression is a guard and every
// block of statements a `do`, the k-th on line 100 + k of flow.yaml.
class Bench {
 public:
  struct Piece {
    model::Code::Kind kind;
    std::string text;
    std::string item = {};  // the name under which it sees a for_each's item
  };

  // `context` and `inputs` are what stands in braces after their keys.
  Bench(const std::string& context, std::vector<Piece> pieces, const std::string& inputs = "",
        const Json& given = Json::object()) {
    std::string text = "agneto: 1\nname: flow\ninitial: A\ninputs: {" + inputs + "}\ncontext: {" +
                       context + "}\nstates: {A: {}, B: {}}\n";
    MemoryFiles files;
    files.add("flow.yaml", text);
    auto loaded = model::load("flow.yaml", files, diagnostics);
    if (!loaded.system) throw std::runtime_error(render(diagnostics));
    system = *loaded.system;
    auto& machine = system.machines[0];
    // The source as the pieces would stand in it.
    while (std::count(text.begin(), text.end(), '\n') < 99) text += '\n';
    for (const auto& piece : pieces) text += piece.text + '\n';
    const auto source = std::make_shared<const Source>("flow.yaml", text);
    machine.sources = {source};
    int line = 100;
    for (const auto& piece : pieces) {
      const auto begin = static_cast<std::uint32_t>(source->line_start(line));
      model::Code code{
          piece.kind, piece.kind == model::Code::Kind::expression ? "guard" : "do",
          piece.text, {source.get(), begin, begin + static_cast<std::uint32_t>(piece.text.size())},
          {},         piece.item};
      for (char c : piece.text + "\n") {
        if (c == '\n') code.lines.push_back(line++);
      }
      first.push_back(static_cast<model::CodeId>(machine.code.size()));
      machine.code.push_back(std::move(code));
    }
    evaluator = make_evaluator(system, diagnostics);
    if (!evaluator) return;
    std::vector<std::string> errors;
    const Json inputs_checked = system.main().check_inputs(given, errors);
    std::optional<chart::Fault> fault;
    data = evaluator->create(0, inputs_checked, scope, fault);
    if (fault) message = fault->message;
  }

  // Runs the k-th piece; what it came to is in `message` (empty: all went well).
  void run(std::size_t k = 0) {
    std::optional<chart::Fault> fault;
    evaluator->run(*data, first.at(k), scope, fault);
    note(fault);
  }
  bool test(std::size_t k = 0) {
    std::optional<chart::Fault> fault;
    const bool result = evaluator->test(*data, first.at(k), scope, fault);
    note(fault);
    return result;
  }
  Json value(std::size_t k = 0) {
    std::optional<chart::Fault> fault;
    Json result = evaluator->value(*data, first.at(k), scope, fault);
    note(fault);
    return result;
  }
  Json ctx() { return evaluator->save(*data).at("ctx"); }
  std::string ctx_text() { return to_text(ctx()); }

  Diagnostics diagnostics;
  model::System system;
  std::unique_ptr<chart::Evaluator> evaluator;
  std::unique_ptr<chart::Data> data;
  FakeScope scope;
  std::vector<model::CodeId> first;
  std::string message;

 private:
  void note(const std::optional<chart::Fault>& fault) {
    message = fault ? fault->message : "";
    if (fault) {
      EXPECT_TRUE(fault->span);
    }
  }
};

inline Bench::Piece expression(std::string text) {
  return {model::Code::Kind::expression, std::move(text)};
}
inline Bench::Piece statements(std::string text) {
  return {model::Code::Kind::statements, std::move(text)};
}

}  // namespace agneto::script
