#include "lint/subject.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "lint/explore/explorations.h"

namespace agneto::lint {

namespace {

using lua::Node;

// Of all machines together.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // many machines rather than all of one
constexpr std::size_t most_configurations = 100;
constexpr std::size_t most_counted = 300;
#else
constexpr std::size_t most_configurations = 10'000;
constexpr std::size_t most_counted = 100'000;
#endif

std::optional<Node> parse(const model::Code& code) {
  return code.kind == model::Code::Kind::expression ? lua::parse_expression(code.text)
                                                    : lua::parse_statements(code.text);
}

// The texts of `require "NAME"`; an empty one for a name that is not written out.
std::vector<std::string> required(const Node& tree) {
  std::vector<std::string> names;
  lua::walk(tree, [&](const Node& node) {
    if (node.kind != Node::Kind::call || !node.children[0].is(Node::Kind::global, "require")) {
      return;
    }
    const std::string* name =
        node.children.size() == 2 ? lua::literal_text(node.children[1]) : nullptr;
    names.push_back(name ? *name : "");
  });
  return names;
}

std::string relative_path(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return name + ".lua";
}

}  // namespace

Subject::Subject(const model::System& subject, const Files& files, const fs::path& library,
                 std::stop_token stopped)
    : system(subject), stop(std::move(stopped)), explorations_(3) {
  for (const model::Machine& machine : system.machines) {
    std::vector<Piece>& pieces = pieces_.emplace_back();
    pieces.reserve(machine.code.size());
    for (const model::Code& code : machine.code) pieces.push_back({&machine, &code, parse(code)});
    raised_.emplace_back(pieces);
    for (const model::State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (call && call->agent != model::none) {
        add_module(machine.agents[call->agent].hooks, machine.id, files, library);
      }
    }
  }
}

Subject::~Subject() = default;

const Exploration& Subject::exploration(const model::Machine& machine) const {
  return exploration(machine, Numbers::unknown);
}

const Exploration& Subject::exploration(const model::Machine& machine, Numbers numbers) const {
  const std::size_t budget = numbers == Numbers::defaults ? most_counted : most_configurations;
  auto& explorations = explorations_[static_cast<std::size_t>(numbers)];
  if (!explorations) {
    explorations = std::make_unique<Explorations>(*this, numbers, budget);
  }
  return explorations->of(machine);
}

bool Subject::explored_whole() const {
  return std::all_of(explorations_.begin(), explorations_.end(), [](const auto& explorations) {
    if (!explorations) return true;
    const auto& all = explorations->all();
    return std::all_of(all.begin(), all.end(),
                       [](const auto& one) { return one->exploration.complete(); });
  });
}

void Subject::add_module(const fs::path& file, model::MachineId machine, const Files& files,
                         const fs::path& library) {
  const auto known = std::find_if(modules_.begin(), modules_.end(), [&](const Module& module) {
    return module.source->path() == file.string();
  });
  if (known != modules_.end()) {
    auto& users = known->machines;
    if (std::find(users.begin(), users.end(), machine) != users.end()) return;
    users.push_back(machine);
  }
  const auto text = files.read(file);
  if (!text) return;
  std::size_t index = static_cast<std::size_t>(known - modules_.begin());
  if (known == modules_.end()) {
    auto source = std::make_shared<Source>(file.string(), *text);
    auto tree = lua::parse_statements(source->text());
    modules_.push_back({std::move(source), std::move(tree), {machine}, true});
  }
  if (!modules_[index].tree) return;
  for (const std::string& name : required(*modules_[index].tree)) {
    if (name == "json") continue;
    const fs::path path = relative_path(name);
    const fs::path folders[] = {file.parent_path(), system.root / "scripts", system.root};
    const auto folder =
        std::find_if(std::begin(folders), std::end(folders), [&](const fs::path& in) {
          return !name.empty() && files.read((in / path).lexically_normal());
        });
    if (folder != std::end(folders)) {
      add_module((*folder / path).lexically_normal(), machine, files, library);
    } else if (const auto ours = name.empty() ? std::nullopt : files.read(library / path)) {
      auto source = std::make_shared<Source>((library / path).string(), *ours);
      auto tree = lua::parse_statements(source->text());
      library_.try_emplace(name, Module{std::move(source), std::move(tree), {}, true});
    } else {
      modules_[index].complete = false;
    }
  }
}

void Subject::each_node(const std::function<void(const Piece&, const Node&)>& visit) const {
  for (const std::vector<Piece>& pieces : pieces_) {
    for (const Piece& piece : pieces) {
      if (piece.tree) lua::walk(*piece.tree, [&](const Node& node) { visit(piece, node); });
    }
  }
}

Span place(const Piece& piece, const Node& node) {
  const std::string& text = piece.code->text;
  const auto start = node.begin == 0 ? std::string::npos : text.rfind('\n', node.begin - 1);
  const std::size_t begin = start == std::string::npos ? 0 : start + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const auto k = static_cast<std::size_t>(
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  if (k >= piece.code->lines.size() || node.begin > end) return piece.code->span;
  const std::string_view line = trim(std::string_view(text).substr(begin, end - begin));
  const Source& source = *piece.machine->source;
  const int number = piece.code->lines[k];
  const std::size_t from = number == piece.code->span.line()
                               ? static_cast<std::size_t>(piece.code->span.position().column) - 1
                               : 0;
  const std::size_t at =
      line.empty() ? std::string_view::npos : source.line(number).find(line, from);
  if (at == std::string_view::npos) return piece.code->span;
  const auto shift = static_cast<std::size_t>(line.data() - text.data());
  const auto first =
      static_cast<std::uint32_t>(source.line_start(number) + at + node.begin - shift);
  const auto length = std::min<std::size_t>(node.end, end) - node.begin;
  return {&source, first, static_cast<std::uint32_t>(first + length)};
}

Span place(const Module& module, const Node& node) {
  return {module.source.get(), node.begin, node.end};
}

}  // namespace agneto::lint
