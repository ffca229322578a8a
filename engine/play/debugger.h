// A simulation played step by step by a person: commands, undo, the script so far. Reads nothing
// and prints nothing.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "play/overview.h"
#include "play/simulator.h"

namespace agneto::play {

struct DebuggerCommand {
  enum class Verb { nothing, input, show, undo, context, script, save, help, quit };
  Verb verb = Verb::nothing;
  Input input;
  std::string argument;  // save: the file
};

// An input as an events file has it; EVENT, EVENT {data}, EVENT from PATH, EVENT {data} from PATH;
// `advance 5s`; or a command by name. Throws Error for anything else.
DebuggerCommand parse_command(std::string_view line);

// The commands as a person is told of them, a line each.
std::vector<std::string> command_help();

class Debugger {
 public:
  // The first three must outlive it; `inputs` must have been checked.
  Debugger(const model::System& system, chart::Evaluator& evaluator, const Options& options,
           Json inputs, Simulator::Listener listener);

  void start();
  // An input that could not be offered at all is no part of the script.
  void play(Input input);
  // Takes the last input back; the listener hears nothing of it. False where there is none.
  bool undo();

  const Simulator& simulator() const { return *simulator_; }
  const Macrostep& last() const { return last_; }
  // The inputs so far, as `--events` reads them.
  std::vector<std::string> script() const;
  // What the last word of `line` may become, sorted; whole words.
  std::vector<std::string> completions(std::string_view line) const;

 private:
  const model::System& system_;
  chart::Evaluator& evaluator_;
  Options options_;
  Json inputs_;
  Simulator::Listener listener_;
  bool quiet_ = false;
  Macrostep last_;
  std::vector<Input> script_;
  std::unique_ptr<Simulator> simulator_;
};

}  // namespace agneto::play
