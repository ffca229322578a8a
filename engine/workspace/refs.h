// The names that a run has in the user's repository, and the one commit trailer.
//
//   refs/heads/agneto/RUN             the branch
//   refs/agneto/RUN/base              a tag object: the commit it started from; its message is the
//                                     full name of the base branch, or empty
//   refs/agneto/RUN/last              the engine's last commit, else the base commit
//   refs/agneto/RUN/checkpoints/…     LABEL@ID: a commit of the tree, child of branch (and `last`)
//   refs/agneto/RUN/rescued-N         what a resume found in the tree and put aside
//   refs/agneto/RUN/joins/…           EFFECT: a commit of the tree with the forks' changes in it
//
// A fork has the same names, with RUN.LABEL for RUN. Where a run goes through a hub, that has all
// of these, and with them
//
//   refs/agneto/RUN/turn              a blob, another one with every push: who pushed last
//   refs/agneto-hub/…                 in a clone: what the hub had when it was asked last
#pragma once

#include <string>
#include <string_view>

namespace agneto::workspace {

struct Refs {
  explicit Refs(const std::string& run)
      : branch("agneto/" + run),
        full_branch("refs/heads/" + branch),
        own("refs/agneto/" + run + "/"),
        base(own + "base"),
        last(own + "last"),
        checkpoints(own + "checkpoints/"),
        rescued(own + "rescued-"),
        joins(own + "joins/") {}

  std::string branch, full_branch, own, base, last, checkpoints, rescued, joins;
};

inline constexpr std::string_view seen_in_hub = "refs/agneto-hub/";
inline constexpr std::string_view branches_in_hub = "refs/agneto-hub/branches/";
inline constexpr std::string_view turn_of_hub = "turn";

// What a fork stands under in place of the run: "RUN.PANEL.1.2" for the label "PANEL#1[2]". Also
// the name of its folder.
std::string fork_run(const std::string& run, std::string_view label);

// A label as a part of a ref's name: any text becomes a legal one; ids of effects stay readable.
std::string ref_part(std::string_view label);

// The message with "Agneto-Effect: EFFECT" as its last trailer; never empty, and without escape
// sequences and control characters, which would act on the terminal of those who read the log.
std::string with_trailer(std::string_view message, std::string_view effect);

// For `git log --format`: the values of that trailer, separated by spaces; the last one is ours.
inline constexpr std::string_view trailer_format =
    "%(trailers:key=Agneto-Effect,valueonly,separator=%x20)";
std::string_view last_word(std::string_view text);

}  // namespace agneto::workspace
