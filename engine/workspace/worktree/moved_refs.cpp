#include "workspace/worktree/moved_refs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.h"
#include "workspace/refs.h"

namespace agneto::workspace {
namespace {

constexpr std::string_view of_runs = "refs/agneto/", branches_of_runs = "refs/heads/agneto/";
constexpr std::string_view heads = "refs/heads/", refs = "refs/";

std::string shown(std::string_view name) {
  const std::size_t known = name.starts_with(heads) ? heads.size() : refs.size();
  return "'" + printable(name.substr(known)) + "'";
}

}  // namespace

RefObjects refs_in(const Git& git, const std::string& but_run) {
  const auto is_left_out = [&](std::string_view name) {
    for (const std::string_view place : {of_runs, branches_of_runs}) {
      if (!name.starts_with(place)) continue;
      const std::string_view whose = name.substr(place.size());
      return whose.substr(0, whose.find_first_of("./")) == but_run;
    }
    return name.starts_with("refs/remotes/") || name.starts_with(seen_in_hub);
  };
  RefObjects found;
  for (const std::string& line :
       split(git.text({"for-each-ref", "--format=%(objectname) %(refname)"}), '\n')) {
    const std::size_t space = line.find(' ');
    std::string name = line.substr(space + 1);
    if (!is_left_out(name)) found.emplace(std::move(name), line.substr(0, space));
  }
  return found;
}

void leave_out_brought(const Git& git, RefObjects& then, RefObjects& now) {
  RefObjects there;
  for (const std::string& line :
       split(git.text({"for-each-ref", "--format=%(objectname) %(refname)",
                       std::string(branches_in_hub)}),
             '\n')) {
    const std::size_t space = line.find(' ');
    there[std::string(heads) + line.substr(space + 1 + branches_in_hub.size())] =
        line.substr(0, space);
  }
  if (there.empty()) return;  // there is no hub
  const auto find = [](const RefObjects& in, const std::string& name) {
    const auto found = in.find(name);
    return found == in.end() ? std::string() : found->second;
  };
  RefObjects all = then;
  all.insert(now.begin(), now.end());
  for (const auto& [name, id] : all) {
    if (!name.starts_with(heads) || name.starts_with(branches_of_runs)) continue;
    if (find(now, name) != find(there, name)) continue;
    then.erase(name);
    now.erase(name);
  }
}

std::vector<std::string> moved_refs(const RefObjects& then, const RefObjects& now) {
  std::vector<std::string> told;
  for (const auto& [name, id] : then) {
    if (name.starts_with(of_runs)) continue;
    const auto found = now.find(name);
    if (found == now.end()) {
      told.push_back(fmt::format("{} was deleted (it was {})", shown(name), id.substr(0, 12)));
    } else if (found->second != id && !name.starts_with(branches_of_runs)) {
      told.push_back(fmt::format("{} moved from {} to {}", shown(name), id.substr(0, 12),
                                 found->second.substr(0, 12)));
    }
  }
  for (const auto& [name, id] : now) {
    if (name.starts_with(of_runs) || name.starts_with(branches_of_runs)) continue;
    if (!then.contains(name)) {
      told.push_back(fmt::format("{} was made, at {}", shown(name), id.substr(0, 12)));
    }
  }
  return told;
}

std::vector<std::string> missed_refs(const RefObjects& then, const RefObjects& now) {
  std::vector<std::string> missed;
  for (const auto& [name, id] : then) {
    if (!name.starts_with(of_runs) || now.contains(name)) continue;
    if (now.contains(std::string(branches_of_runs) + run_of_ref(name))) missed.push_back(name);
  }
  return missed;
}

std::string run_of_ref(std::string_view name) {
  name.remove_prefix(of_runs.size());
  return std::string(name.substr(0, name.find('/')));
}

bool is_commit_id(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::string head_target(std::string_view head) {
  constexpr std::string_view link = "ref: ";
  if (is_commit_id(head)) return "commit " + std::string(head.substr(0, 12));
  if (!head.starts_with(link) || !head.substr(link.size()).starts_with(heads)) return "nothing";
  return "branch " + shown(head.substr(link.size()));
}

std::string left_so(const std::string& what) {
  return "was at work while " + what + "; nobody has put that back";
}

}  // namespace agneto::workspace
