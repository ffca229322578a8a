#include "graph/graphviz.h"

#include <fstream>
#include <iterator>

#include "agents/scratch.h"
#include "base/error.h"
#include "base/text.h"
#include "process/process.h"

namespace agneto::graph {

std::string draw_with_graphviz(const std::string& dot, const std::string& format,
                               const std::filesystem::path& guard, Millis patience) {
  const agents::Scratch scratch({{"machine.dot", dot}});
  const std::filesystem::path picture = scratch.resolve("{files}/machine." + format);
  process::Spec spec;
  spec.argv = {"dot", "-T" + format, "-o", picture.string(),
               scratch.resolve("{files}/machine.dot")};
  spec.cwd = picture.parent_path();
  spec.timeout = patience;
  process::Listener nobody;
  const process::Exit exit = process::GuardedRunner(guard).run(spec, nobody, {});
  if (exit.kind == process::Exit::Kind::not_started) {
    throw Error("a picture as " + format + " needs Graphviz, and there is no program 'dot'",
                "install it, as with 'apt-get install graphviz'", ExitStatus::failed);
  }
  if (exit.kind == process::Exit::Kind::timed_out) {
    throw Error("Graphviz was not done after " + format_duration(patience), "draw less of it",
                ExitStatus::failed);
  }
  std::ifstream file(picture, std::ios::binary);
  std::string result{std::istreambuf_iterator<char>(file), {}};
  if (!exit.ok() || result.empty()) {
    const std::string said(trim(exit.error));
    throw Error("Graphviz could not draw it: " + (said.empty() ? process::describe(exit, spec)
                                                               : said.substr(0, said.find('\n'))),
                "look whether 'dot -V' works", ExitStatus::failed);
  }
  return result;
}

}  // namespace agneto::graph
