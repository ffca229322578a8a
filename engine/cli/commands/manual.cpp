// agneto __manual: manual pages, of what the commands say of themselves

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"

namespace agneto::cli {
namespace {

// Escapes the text so that roff shows it unchanged.
std::string plain(const std::string& text) {
  static const std::map<char, std::string> names = {{'\\', "\\e"},  {'-', "\\-"},   {'\'', "\\(aq"},
                                                    {'~', "\\(ti"}, {'^', "\\(ha"}, {'`', "\\(ga"}};
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    const auto name = names.find(c);
    out += name == names.end() ? std::string(1, c) : name->second;
  }
  return out;
}

// A value that is shown as "SEQ REQUIRED" in the help is "SEQ" here.
std::string argument_of(const Option& option) {
  const std::string& shown = option.details.shown_as;
  const std::string text = shown.empty() ? option.type() : shown;
  return "\\fI" + plain(text.substr(0, text.find(' '))) + "\\fR";
}

std::string all_names_of(const Option& option) {
  std::string text;
  if (!option.letter.empty()) text = "\\fB" + plain(option.letter) + "\\fR, ";
  text += "\\fB" + plain(option.name) + "\\fR";
  return option.takes_value() ? text + " " + argument_of(option) : text;
}

std::string word_of(const Option& option) {
  // A text such as "[QUESTION] OPTION" says itself how often the words may be given.
  const Details& details = option.details;
  if (!details.shown_as.empty()) return "\\fI" + plain(details.shown_as) + "\\fR";
  const std::string name = "\\fI" + plain(option.name) + "\\fR";
  const std::string all = option.takes_many() ? name + "..." : name;
  return details.required ? all : "[" + all + "]";
}

std::string list_of(const CommandLine& command, bool words) {
  std::string text;
  for (const Option& option : command.options) {
    if (option.is_word() != words) continue;
    text += fmt::format(".TP\n{}\n{}", words ? word_of(option) : all_names_of(option),
                        plain(option.description));
    if (const std::string& value = option.details.shown_default; !value.empty()) {
      text += fmt::format(" (default: {})", plain(value));
    }
    text += '\n';
  }
  return text;
}

std::string synopsis(const Program& program, const CommandLine* command) {
  if (command == nullptr) {
    return ".B " + plain(program.name) +
           "\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIWORD\\fR...]\n";
  }
  std::string text =
      fmt::format(".B {} {}\n[\\fIOPTION\\fR...]", plain(program.name), plain(command->name));
  for (const Option& option : command->options) {
    if (option.is_word()) text += " " + word_of(option);
  }
  return text + "\n";
}

std::string commands_of(const Program& program) {
  std::string text;
  for (const CommandLine* command : commands_for_people(program)) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", plain("agneto-" + command->name),
                        plain(command->description));
  }
  return text;
}

std::string name_of(const CommandLine* command) {
  return command == nullptr ? "agneto" : "agneto-" + command->name;
}

// The page of a command; without one, the page of the whole program.
std::string page(const Program& program, const CommandLine* command) {
  const CommandLine& subject = command == nullptr ? program : *command;
  const std::string name = name_of(command);
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      fmt::format(".TH {} 1 \"\" \"agneto {}\" \"Agneto\"\n", plain(title), AGNETO_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(subject.description));
  text += ".SH SYNOPSIS\n" + synopsis(program, command);
  if (command == nullptr) text += ".SH COMMANDS\n" + commands_of(program);
  if (const std::string words = list_of(subject, true); !words.empty()) {
    text += ".SH WORDS\n" + words;
  }
  text += ".SH OPTIONS\n" + list_of(subject, false);
  if (!subject.footer.empty()) text += ".SH NOTES\n.nf\n" + plain(subject.footer) + "\n.fi\n";
  if (command != nullptr) text += ".SH SEE ALSO\n.BR agneto (1)\n";
  return text;
}

}  // namespace

void add_manual(Program& program) {
  auto folder = std::make_shared<std::string>();
  CommandLine& command = program.add_command("__manual", "Write all manual pages into a folder");
  command.add("FOLDER", folder.get(), "", {.required = true});
  command.action = [&program, folder](const Context&) {
    fs::create_directories(*folder);
    const auto write = [&](const CommandLine* each) {
      write_file(fs::path(*folder) / (name_of(each) + ".1"), page(program, each));
    };
    write(nullptr);
    for (const CommandLine* each : commands_for_people(program)) write(each);
    return ExitStatus::complete;
  };
}

}  // namespace agneto::cli
