// agneto mcp

#include "serve/mcp.h"

#include <unistd.h>

#include "cli/commands.h"

namespace agneto::cli {

void add_mcp(Program& program) {
  CommandLine& command = program.add_command(
      "mcp", "Let an agent's client look at the runs of this repository, and steer them");
  command.footer =
      R"(The client starts it in the repository and speaks the Model Context Protocol with it on standard
input and output; docs/mcp.md says how to set up yours.

Examples:
  claude mcp add agneto -- agneto mcp)";
  command.action = [](const Context& context) {
    serve::Mcp mcp({context.folder, context.resources, AGNETO_VERSION});
    serve::serve(mcp, STDIN_FILENO, STDOUT_FILENO);
    return ExitStatus::complete;
  };
}

}  // namespace agneto::cli
