// Asking a person. Behind a seam: a terminal, nobody, or a test's script.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "chart/effect.h"
#include "record/event.h"

namespace agneto::run {

using record::Answer;

// A question with what there is to judge.
struct Question {
  chart::AskHuman ask;
  std::string diff = {};  // the work not yet committed; where there is none, the whole run's
  record::Surroundings around = {};
  record::Spent spent = {};  // by the run, so far
};

// What a person wants who pressed Ctrl+C.
struct Interrupt {
  enum class Kind { resume, instruct, finish, suspend, abort };  // finish: then suspend
  Kind kind = Kind::resume;
  std::string instruction;
};

class Human {
 public:
  virtual ~Human() = default;
  // Is there somebody to ask? If not, `ask` is never called.
  virtual bool present() const = 0;
  // Starts asking and returns at once; `answer` is called later, once, from any thread, unless the
  // question is withdrawn first. Questions are asked one after another.
  virtual void ask(const Question& question, std::function<void(Answer)> answer) = 0;
  // `why`: in a person's words, may be empty.
  virtual void withdraw(const std::string& path, const std::string& why) = 0;
  // The run is paused: what next? The same rules. Asked before any question.
  virtual void interrupted(std::function<void(Interrupt)> answer) = 0;
};

// Nobody: a question takes its default or the run suspends.
class Nobody : public Human {
 public:
  bool present() const override { return false; }
  void ask(const Question&, std::function<void(Answer)>) override {}
  void withdraw(const std::string&, const std::string&) override {}
  void interrupted(std::function<void(Interrupt)>) override {}
};

// People who answer from elsewhere, in their own time: a question that is put stays open until the
// run's inbox has its answer.
class Elsewhere : public Nobody {
 public:
  bool present() const override { return true; }
};

}  // namespace agneto::run
