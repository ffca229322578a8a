// Connects a server to a client: messages over two file descriptors, analysis in a thread beside.
#pragma once

#include "lsp/server.h"

namespace agneto::lsp {

// Until the client asks for the end or is gone; the exit status. One job runs at a time, while
// messages are answered. Throws Error where the process has no descriptors or threads left.
int serve(Server& server, int in, int out);

}  // namespace agneto::lsp
