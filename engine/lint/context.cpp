#include "lint/context.h"

#include <algorithm>

#include "base/text.h"
#include "chart/event.h"
#include "lint/explore/explorations.h"
#include "lint/expressions.h"
#include "lint/facts.h"
#include "lint/inlined.h"
#include "lint/sends.h"
#include "lint/typed.h"
#include "lua/prompt.h"
#include "script/modules.h"

namespace agneto::lint {

namespace {

// All machines together have so many at most, unless somebody says another number.
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // many machines rather than all of one
constexpr std::size_t most_configurations = 100;
constexpr std::size_t most_counted = 300;
#else
constexpr std::size_t most_configurations = 30'000;
constexpr std::size_t most_counted = 100'000;  // with the defaults of numbers, for invariants
#endif

std::optional<Node> parse(const model::Code& code) {
  return code.kind == model::Code::Kind::expression ? lua::parse_expression(code.text)
                                                    : lua::parse_statements(code.text);
}

void place_in_prompt(Node& node, const lua::PromptModule& prompt, std::uint32_t size) {
  node.begin = std::min(prompt.in_prompt(node.begin), size);
  node.end = std::clamp(prompt.in_prompt(node.end), node.begin, size);
  for (Node& child : node.children) place_in_prompt(child, prompt, size);
}

Module module_of(const fs::path& file, std::string text, std::vector<model::MachineId> users) {
  auto source = std::make_shared<const Source>(file.string(), std::move(text));
  std::optional<Node> tree;
  if (!lua::is_prompt(file)) {
    tree = lua::parse_statements(source->text());
  } else if (const auto prompt = lua::module_of_prompt(source->text()); prompt.problem.empty()) {
    tree = lua::parse_statements(prompt.lua);
    if (tree) place_in_prompt(*tree, prompt, static_cast<std::uint32_t>(source->text().size()));
  }
  return {std::move(source), std::move(tree), std::move(users)};
}

// What the options of a `send` name with `to`; null where they do not.
const Node* recipient_of(const Node& call) {
  const bool has_options = call.children[0].text == "send" && call.children.size() > 3;
  return has_options ? value_of(call.children[3], "to") : nullptr;
}

// Tells each machine what others send to it.
void add_sent(const model::System& system, std::vector<RaisedEvents>& all) {
  for (const Machine& machine : system.machines) {
    for (const Raised& one : all[machine.id].all()) {
      const std::string* to = one.to ? lua::literal_text(*one.to) : nullptr;
      for (const auto& [other, state] : neighbours(system, machine)) {
        const bool is_meant = !to || *to == (state ? state->name : chart::to_parent);
        if (one.to && is_meant) all[other].add_sent(one.name);
      }
    }
  }
}

}  // namespace

RaisedEvents::RaisedEvents(const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    if (!piece.tree) continue;
    std::set<const Node*> called;
    lua::walk(*piece.tree, [&](const Node& node) {
      if (calls_action(node)) {
        called.insert(&node.children[0]);
        const Node* name = node.children.size() > 1 ? &node.children[1] : nullptr;
        all_.push_back({&piece, &node, node.children[0].text,
                        name ? lua::literal_text(*name) : nullptr, recipient_of(node)});
      } else if (names_action(node) && !called.contains(&node)) {
        all_.push_back({&piece, nullptr, node.text, nullptr, nullptr});
      }
    });
  }
  for (const Raised& one : all_) {
    if (one.function != "cancel" && !one.to) own_.add(one.name);
  }
}

LintContext::LintContext(const model::System& checked, const Files& files, const fs::path& library,
                         std::stop_token stopped, std::optional<std::size_t> configurations)
    : system(checked),
      stop(std::move(stopped)),
      configurations_(configurations),
      search_(files, {checked.roots, library}),
      explorations_(3) {
  for (const Machine& machine : system.machines) {
    std::vector<Piece>& pieces = pieces_.emplace_back();
    pieces.reserve(machine.code.size());
    for (const model::Code& code : machine.code) pieces.push_back({&machine, &code, parse(code)});
    inline_functions(machine, pieces);
    raised_.emplace_back(pieces);
    for (const State& state : machine.states) {
      const auto* call = std::get_if<model::AgentCall>(&state.activity);
      if (call && call->agent != none) {
        add_module(machine.agents[call->agent].hooks, machine.id, files);
      }
    }
  }
  add_sent(system, raised_);
}

LintContext::~LintContext() = default;

const Exploration& LintContext::exploration(const Machine& machine, Numbers numbers) const {
  const std::size_t usual = numbers == Numbers::defaults ? most_counted : most_configurations;
  const std::size_t budget = configurations_.value_or(usual);
  auto& explorations = explorations_[static_cast<std::size_t>(numbers)];
  if (!explorations) {
    explorations = std::make_unique<Explorations>(*this, numbers, budget);
  }
  return explorations->of(machine);
}

const Exploration& LintContext::exploration_about(const Machine& machine,
                                                  const std::set<std::string>& names) const {
  if (!slices_) {
    slices_ = std::make_unique<Explorations>(*this, Numbers::defaults,
                                             configurations_.value_or(most_counted));
  }
  return slices_->about(machine, &names);
}

std::vector<const Exploration*> LintContext::explored_as_given(const Machine& machine,
                                                               Numbers numbers) const {
  const Exploration& alone = exploration(machine, numbers);
  exploration(system.main(), numbers);
  std::vector<const Exploration*> given;
  for (const auto& one : explorations_[static_cast<std::size_t>(numbers)]->all()) {
    if (one.machine == &machine && &one.exploration != &alone) given.push_back(&one.exploration);
  }
  return given;
}

const Typed* LintContext::typed(const Machine& machine, CodeId code) const {
  const Piece& one = piece(machine, code);
  if (!one.tree) return nullptr;
  given_.resize(pieces_.size());
  typed_.resize(pieces_.size());
  auto& given = given_[machine.id];
  auto& typed = typed_[machine.id];
  if (!given) given = std::make_unique<Given>(*this, machine);
  typed.resize(machine.code.size());
  if (!typed[code]) typed[code] = std::make_unique<Typed>(one, code, *given);
  return typed[code].get();
}

bool LintContext::explored_whole() const {
  return std::ranges::all_of(explorations_, [](const auto& explorations) {
    return !explorations || std::ranges::all_of(explorations->all(), [](const auto& one) {
      return one.exploration.complete();
    });
  });
}

std::vector<CutShort> LintContext::cut_short() const {
  std::vector<CutShort> all;
  for (const Numbers numbers : {Numbers::unknown, Numbers::small}) {
    const auto& explorations = explorations_[static_cast<std::size_t>(numbers)];
    if (!explorations) continue;
    for (const auto& [machine, found] : explorations->all()) {
      if (found.complete() || std::ranges::count(all, machine->file, &CutShort::file) > 0) continue;
      all.push_back(
          {machine->file, machine->name, found.configurations.size(), reason(found.extent)});
    }
  }
  return all;
}

void LintContext::add_module(const fs::path& file, model::MachineId machine, const Files& files) {
  const auto known = std::ranges::find_if(
      modules_, [&](const Module& module) { return module.source->path() == file.string(); });
  if (known != modules_.end()) {
    auto& users = known->machines;
    if (std::ranges::find(users, machine) != users.end()) return;
    users.push_back(machine);
  }
  const auto text = model::read_hooks(files, file);
  if (!text) return;
  const auto index = static_cast<std::size_t>(known - modules_.begin());
  if (known == modules_.end()) {
    modules_.push_back(module_of(file, *text, {machine}));
    modules_.back().inside = model::inline_prompt(files, file);
  }
  if (!modules_[index].tree) return;
  std::set<std::string> names;
  lua::walk(*modules_[index].tree, [&](const Node& node) {
    if (node.kind != Node::Kind::call || !node.children[0].is(Node::Kind::global, "require")) {
      return;
    }
    const std::string* name = required_name(node);
    names.insert(name ? *name : "");  // a name that is not written out
  });
  names.erase("json");
  for (const std::string& name : names) {
    const auto candidates = search_.candidates(name, file.parent_path()).files;
    const auto found = std::ranges::find_if(
        candidates, [&](const fs::path& candidate) { return files.read(candidate).has_value(); });
    if (found == candidates.end()) {
      modules_[index].complete = false;
    } else if (search_.is_of_library(*found)) {  // ours
      library_.try_emplace(name, module_of(*found, *files.read(*found), {}));
    } else {
      modules_[index].required[name] = found->string();
      add_module(*found, machine, files);
    }
  }
}

const Module* LintContext::required(const Module& from, const std::string& name) const {
  const auto path = from.required.find(name);
  if (path == from.required.end()) {
    const auto known = library_.find(name);
    return known == library_.end() ? nullptr : &known->second;
  }
  const auto known = std::ranges::find_if(
      modules_, [&](const Module& module) { return module.source->path() == path->second; });
  return known == modules_.end() ? nullptr : &*known;
}

void LintContext::each_node(const Visit& visit) const {
  for (const Machine& machine : system.machines) each_node(machine, visit);
}

void LintContext::each_node(const Machine& machine, const Visit& visit) const {
  for (const Piece& piece : pieces(machine)) {
    if (piece.tree) lua::walk(*piece.tree, [&](const Node& node) { visit(piece, node); });
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
  const Source& source = *piece.code->span.source;
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
  if (module.inside) {
    return {module.inside->workflow.get(), module.inside->place(node.begin),
            module.inside->place(node.end)};
  }
  return {module.source.get(), node.begin, node.end};
}

}  // namespace agneto::lint
