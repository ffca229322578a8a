// Any bytes as what an agent answers: read by the library's standard reader, which never fails, and
// compared with the verdicts that a state declares.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/files.h"
#include "script/hooks.h"
#include "script/verdicts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace agneto;
  using model::Type;
  static const std::vector<model::Verdict> declared = [] {
    model::Verdict done;
    done.name = "DONE";
    done.fields = {{"note", Type{.kind = Type::Kind::string}},
                   {"count", Type{.kind = Type::Kind::integer}}};
    model::Verdict failed;
    failed.name = "FAILED";
    return std::vector<model::Verdict>{done, failed};
  }();
  static const Json m = {{"state", "WORKING"}, {"verdicts", script::verdicts_to_json(declared)}};
  static const std::string library =
      Disk().read(fs::path(AGNETO_SOURCE_DIR) / "scripts/lib/agneto.lua").value();
  static const MemoryFiles files(
      {{"/lib/agneto.lua", library},
       {"/team/hooks.lua", "return {prompt = function() return '' end}"}});
  script::Hooks hooks(files, {{"/team"}, "/lib"});
  auto read =
      hooks.parse("/team/hooks.lua", "", std::string(reinterpret_cast<const char*>(data), size), m);
  script::problem_with(declared, read);
  return 0;
}
