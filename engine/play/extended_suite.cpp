#include "play/extended_suite.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "model/load.h"
#include "model/packages.h"
#include "yaml/reader.h"

namespace agneto::play {

namespace {

using yaml::Entry;
using yaml::Kind;
using yaml::Node;

void merge(Node& base, Node&& changes) {
  if (base.kind != Kind::map || changes.kind != Kind::map) {
    base = std::move(changes);
    return;
  }
  for (Entry& change : changes.entries) {
    if (Entry* entry = base.find_entry(change.key.text)) {
      entry->key = std::move(change.key);
      merge(entry->value, std::move(change.value));
    } else {
      base.entries.push_back(std::move(change));
    }
  }
}

// Prompts are kept beside the file whose cases ask for it.
void forget_kept_prompts(Node& node) {
  for (Node& item : node.items) forget_kept_prompts(item);
  std::erase_if(node.entries, [](Entry& entry) {
    if (entry.key.text != "prompt") {
      forget_kept_prompts(entry.value);
      return false;
    }
    const auto only_keeps = [](Node& prompt) {
      const auto kept = std::erase_if(
          prompt.entries, [](const Entry& part) { return part.key.text == "snapshot"; });
      return kept > 0 && !prompt.find("contains") && !prompt.find("lacks") &&
             !prompt.find("matches");
    };
    if (entry.value.kind != Kind::sequence) return only_keeps(entry.value);
    return std::erase_if(entry.value.items, only_keeps) > 0 && entry.value.items.empty();
  });
}

std::string case_name(const Node& row) {
  const Node* name = row.find("name");
  return name ? name->text : "";
}

class Layers {
 public:
  Layers(const Files& files, const fs::path& library, std::vector<SourcePtr>& sources,
         Diagnostics& diagnostics)
      : files_(files),
        packages_(files),
        bundled_(model::workflows_beside(library)),
        sources_(sources),
        diagnostics_(diagnostics),
        reader_(diagnostics) {}

  std::unique_ptr<Node> whole(const fs::path& file, const SourcePtr& source) {
    sources_.push_back(source);
    above_.push_back(file.lexically_normal());
    auto root = yaml::parse(source, diagnostics_);
    const Node* extends = root ? root->find("extends") : nullptr;
    if (!extends) return root;
    if (!extends_) extends_ = extends->span;
    const fs::path base = base_of(file, *extends);
    if (base.empty()) return nullptr;
    const auto text = files_.read(base);
    if (!text) {
      reader_.mistake(extends->span, "there is no test file " + base.string()).help =
          "it is the name of a workflow that comes with Agneto, or the path of a test file";
      return nullptr;
    }
    auto below = whole(base, std::make_shared<Source>(base.string(), *text));
    if (below) lay(*below, std::move(*root), base.string());
    return below;
  }
  // What the first file says that it extends.
  Span extends() const { return extends_; }

 private:
  // A file beside this one, or in a package of the folder that it is in.
  fs::path named(const fs::path& file, const std::string& path) {
    const auto slash = path.find('/');
    if (slash != std::string::npos) {
      const auto& found = packages_.find(model::root_of(file), path.substr(0, slash));
      if (!found.folder.empty()) return found.folder / path.substr(slash + 1);
    }
    return file.parent_path() / path;
  }

  // Empty, and reported: there is none.
  fs::path base_of(const fs::path& file, const Node& extends) {
    if (!reader_.expect(extends, Kind::scalar, "extends", "a text")) return {};
    const bool is_path = extends.text.ends_with(".test.yaml");
    if (!is_path && extends.text.ends_with(".yaml")) {
      const std::string name = extends.text.substr(0, extends.text.rfind('.'));
      reader_.mistake(extends.span, "'" + extends.text + "' is no test file").help =
          "for the tests of that workflow write extends: " + name + ".test.yaml";
      return {};
    }
    const fs::path base =
        (is_path ? named(file, extends.text) : bundled_ / (extends.text + ".test.yaml"))
            .lexically_normal();
    if (std::ranges::find(above_, base) != above_.end()) {
      reader_.mistake(extends.span, "the test file extends itself");
      return {};
    }
    if (above_.size() > model::most_levels) {
      reader_.mistake(extends.span, "more than " + std::to_string(model::most_levels) +
                                        " files extend one another");
      return {};
    }
    return base;
  }

  void lay(Node& base, Node&& changes, const std::string& name) {
    std::erase_if(base.entries, [](const Entry& entry) { return entry.key.text == "workflow"; });
    for (const char* key : {"steps", "cases"}) {
      if (Entry* entry = base.find_entry(key)) forget_kept_prompts(entry->value);
    }
    if (Entry* cases = base.find_entry("cases")) {
      drop(cases->value, changes.find("without"), changes.find("cases"), name);
    }
    for (Entry& change : changes.entries) {
      const std::string& key = change.key.text;
      if (key == "extends" || key == "without") continue;
      Entry* entry = base.find_entry(key);
      if (!entry) {
        base.entries.push_back(std::move(change));
      } else if (key == "cases" && entry->value.kind == change.value.kind) {
        std::ranges::move(change.value.items, std::back_inserter(entry->value.items));
      } else {
        merge(entry->value, std::move(change.value));
      }
    }
  }

  // The cases that are not to be played, or are another here.
  void drop(Node& cases, const Node* without, const Node* own, const std::string& base) {
    std::set<std::string> dropped;
    if (own) {
      for (const Node& row : own->items) dropped.insert(case_name(row));
    }
    std::vector<std::string> names;
    for (const Node& row : cases.items) names.push_back(case_name(row));
    if (without) {
      reader_.each(*without, "without", [&](const Node& key, const Node& reason) {
        if (std::ranges::find(names, key.text) == names.end()) {
          reader_.mistake(key.span, "there is no case '" + key.text + "' in " + base).help =
              suggestion(key.text, names, "cases");
        } else if (reason.kind != Kind::scalar || trim(reason.text).empty()) {
          reader_.mistake(key.span, "'" + key.text + "' is left out without a reason").help =
              "say why: {" + key.text + ": it has another gate here}";
        }
        dropped.insert(key.text);
      });
    }
    std::erase_if(cases.items, [&](const Node& row) { return dropped.contains(case_name(row)); });
  }

  const Files& files_;
  model::Packages packages_;
  const fs::path bundled_;
  std::vector<SourcePtr>& sources_;
  Diagnostics& diagnostics_;
  yaml::Reader reader_;
  std::vector<fs::path> above_;
  Span extends_;
};

}  // namespace

WholeSuite whole_suite(const fs::path& file, const SourcePtr& source, const Files& files,
                       const fs::path& library, std::vector<SourcePtr>& sources,
                       Diagnostics& diagnostics) {
  Layers layers(files, library, sources, diagnostics);
  auto tree = layers.whole(file, source);
  return {std::move(tree), layers.extends()};
}

}  // namespace agneto::play
