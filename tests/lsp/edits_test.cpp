// After any edits, the editor shows what a fresh lint of the same texts finds.

#include <algorithm>

#include "lint/report/format.h"
#include "lsp/client.h"
#include "support/property.h"

namespace agneto::lsp {
namespace {

const std::string outer = R"(agneto: 1
name: outer
context: {label: "", n: 0}
agents:
  coder: {hooks: coder.lua}
initial: A
states:
  A:
    machine: inner.yaml
    with: {n: ctx.n}
    on: {GOOD: B, BAD: {guard: ctx.n < 3, target: A, do: ctx.n = ctx.n + 1}}
  B:
    agent: {name: coder, verdicts: {OK: {label: string}}}
    on:
      OK: {target: END, do: ctx.label = event.label}
      error: END
  END: {final: true}
)";
const std::string inner = R"(agneto: 1
name: inner
inputs: {n: integer}
initial: A
states:
  A: # )"
                          "\xC3\xA4\xF0\x9F\x98\x80"
                          R"(
    always: [{guard: inputs.n > 1, target: GOOD}, BAD]
  GOOD: {final: true}
  BAD: {final: true}
)";
const std::string coder = R"(return {
  prompt = function(m) return m.ctx.label .. tostring(m.inputs) end,
}
)";
const std::vector<std::string> paths = {"outer.yaml", "inner.yaml", "coder.lua"};

const std::vector<std::string> words = {"",
                                        "\n",
                                        " ",
                                        "  ",
                                        ":",
                                        "- ",
                                        "{",
                                        "}",
                                        "[",
                                        "\"",
                                        "'",
                                        "#",
                                        "|",
                                        ",",
                                        "A",
                                        "END",
                                        "guard: ",
                                        "do: |\n",
                                        "on:\n",
                                        "final: true",
                                        "\t",
                                        "x",
                                        "0",
                                        "ctx",
                                        ".",
                                        "(",
                                        "\r\n",
                                        "\r",
                                        "\xC3\xA4",
                                        "\xF0\x9F\x98\x80",
                                        "# lint: ignore W210 -- so it is\n",
                                        "agneto: 2\n",
                                        "\n  C: {final: true}\n"};

// LineIndex and characters of a text, as an editor counts them.
Json position(const std::string& text, std::size_t offset) {
  return LineIndex(text, Encoding::utf16).position(offset);
}

struct Editor {
  Client client{{{"outer.yaml", outer}, {"inner.yaml", inner}, {"coder.lua", coder}}};
  std::map<std::string, std::string> texts{
      {"outer.yaml", outer}, {"inner.yaml", inner}, {"coder.lua", coder}};

  void edit(const std::string& path, std::size_t from, std::size_t length,
            const std::string& with) {
    std::string& text = texts[path];
    // At characters' borders, which is where an editor's edits are.
    const auto border = [&](std::size_t at) {
      while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
        --at;
      }
      return at;
    };
    const std::size_t begin = border(from % (text.size() + 1));
    const std::size_t end = border(std::min(text.size(), begin + length));
    const Json range = {{"start", position(text, begin)}, {"end", position(text, end)}};
    client.change(path, Json::array({{{"range", range}, {"text", with}}}));
    text.replace(begin, end - begin, with);
  }

  std::vector<std::string> fresh() const {
    MemoryFiles files;
    for (const auto& [path, text] : texts) files.add("/team/" + path, text);
    const lint::Report report =
        lint::report({"/team/outer.yaml", "/team/inner.yaml"}, files, "/lib", {});
    std::vector<std::string> lines;
    for (const lint::Finding& finding : report.findings) {
      const Diagnostic& found = finding.diagnostic;
      if (finding.suppressed || !found.span) continue;
      const LineIndex in(found.span.source->text(), Encoding::utf16);
      lines.push_back(
          fmt::format("{} {} {} {} {}",
                      fs::path(found.span.source->path()).lexically_relative("/team").string(),
                      Client::brief(in.range(found.span.begin, found.span.end)),
                      to_text(found.severity), found.rule->id(), lint::whole_message(found)));
    }
    return lines;
  }
};

TEST(Edits, ShowWhatAFreshLintFinds) {
  check_property(60, [&] {
    Editor editor;
    for (const std::string& path : paths) editor.client.open(path);
    const int edits = *rc::gen::inRange(1, 8);
    for (int i = 0; i < edits; ++i) {
      const std::string path = *rc::gen::elementOf(paths);
      const auto from = *rc::gen::inRange<std::size_t>(0, 1000);
      const auto length = *rc::gen::weightedOneOf<std::size_t>(
          {{3, rc::gen::just<std::size_t>(0)}, {1, rc::gen::inRange<std::size_t>(0, 40)}});
      editor.edit(path, from, length, *rc::gen::elementOf(words));
      if (*rc::gen::arbitrary<bool>()) editor.client.settle();
    }
    editor.client.settle();
    auto shown = editor.client.shown();
    auto fresh = editor.fresh();
    std::sort(shown.begin(), shown.end());
    std::sort(fresh.begin(), fresh.end());
    RC_ASSERT(shown == fresh);
  });
}

// Whatever stands there, there is an answer, and never that of a mistake in the server.
TEST(Edits, LeaveEveryRequestAnswered) {
  const std::vector<std::string> methods = {"hover",         "definition",    "references",
                                            "completion",    "prepareRename", "rename",
                                            "documentSymbol"};
  check_property(12, [&] {
    Editor editor;
    for (const std::string& path : paths) editor.client.open(path);
    editor.client.settle();
    const int edits = *rc::gen::inRange(0, 6);
    for (int i = 0; i < edits; ++i) {
      editor.edit(*rc::gen::elementOf(paths), *rc::gen::inRange<std::size_t>(0, 1000),
                  *rc::gen::inRange<std::size_t>(0, 30), *rc::gen::elementOf(words));
    }
    for (const std::string& path : paths) {
      const std::string& text = editor.texts[path];
      for (std::size_t at = *rc::gen::inRange<std::size_t>(0, 40); at <= text.size(); at += 40) {
        Json params = Client::document(path);
        params["position"] = position(text, at);
        params["newName"] = "OTHER";
        for (const std::string& method : methods) {
          const Json answer = editor.client.request("textDocument/" + method, params);
          constexpr int request_failed = -32803;
          if (answer.is_object() && answer.contains("error")) {
            RC_ASSERT(answer["error"]["code"] == request_failed);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace agneto::lsp
