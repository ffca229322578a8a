// agneto __manual: manual pages, of what the parser knows

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"

namespace agneto::cli {
namespace {

// As roff shows it as it is.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-' || c == '\'' || c == '~' || c == '^' || c == '`') {
      out += c == '-'    ? "\\-"
             : c == '\'' ? "\\(aq"
             : c == '~'  ? "\\(ti"
             : c == '^'  ? "\\(ha"
                         : "\\(ga";
    } else {
      out += c;
    }
  }
  return out;
}

// "SEQ REQUIRED" is what the help says of it.
std::string value_of(const CLI::Option& option) {
  const std::string text =
      option.get_option_text().empty() ? option.get_type_name() : option.get_option_text();
  return "\\fI" + plain(text.substr(0, text.find(' '))) + "\\fR";
}

std::string names_of(const CLI::Option& option) {
  std::string text;
  for (const std::string& name : option.get_snames()) text += "\\fB" + plain("-" + name) + "\\fR, ";
  for (const std::string& name : option.get_lnames())
    text += "\\fB" + plain("--" + name) + "\\fR, ";
  text.resize(text.size() - 2);
  return option.get_expected_max() > 0 ? text + " " + value_of(option) : text;
}

std::string word_of(const CLI::Option& option) {
  // "[QUESTION] OPTION" says how often itself.
  if (!option.get_option_text().empty()) return "\\fI" + plain(option.get_option_text()) + "\\fR";
  const std::string name = "\\fI" + plain(option.get_name(true)) + "\\fR";
  const std::string all = option.get_items_expected_max() > 1 ? name + "..." : name;
  return option.get_required() ? all : "[" + all + "]";
}

std::string list_of(const CLI::App& command, bool positional) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_positional() != positional) continue;
    text += fmt::format(".TP\n{}\n{}", positional ? word_of(*option) : names_of(*option),
                        plain(option->get_description()));
    if (!option->get_default_str().empty()) {
      text += fmt::format(" (default: {})", plain(option->get_default_str()));
    }
    text += '\n';
  }
  return text;
}

std::string synopsis(const CLI::App& app, const CLI::App* command) {
  if (command == nullptr) {
    return ".B " + plain(app.get_name()) +
           "\n\\fICOMMAND\\fR [\\fIOPTION\\fR...] [\\fIWORD\\fR...]\n";
  }
  std::string text = fmt::format(".B {} {}\n[\\fIOPTION\\fR...]", plain(app.get_name()),
                                 plain(command->get_name()));
  for (const CLI::Option* option : command->get_options()) {
    if (option->get_positional()) text += " " + word_of(*option);
  }
  return text + "\n";
}

std::string commands_of(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : commands_for_people(app)) {
    text += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", plain("agneto-" + command->get_name()),
                        plain(command->get_description()));
  }
  return text;
}

std::string name_of(const CLI::App* command) {
  return command == nullptr ? "agneto" : "agneto-" + command->get_name();
}

// Of all together where there is no command.
std::string page(const CLI::App& app, const CLI::App* command) {
  const CLI::App& subject = command == nullptr ? app : *command;
  const std::string name = name_of(command);
  std::string title = name;
  for (char& c : title) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  std::string text =
      fmt::format(".TH {} 1 \"\" \"agneto {}\" \"Agneto\"\n", plain(title), AGNETO_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(subject.get_description()));
  text += ".SH SYNOPSIS\n" + synopsis(app, command);
  if (command == nullptr) text += ".SH COMMANDS\n" + commands_of(app);
  if (const std::string words = list_of(subject, true); !words.empty())
    text += ".SH WORDS\n" + words;
  text += ".SH OPTIONS\n" + list_of(subject, false);
  if (!subject.get_footer().empty())
    text += ".SH NOTES\n.nf\n" + plain(subject.get_footer()) + "\n.fi\n";
  if (command != nullptr) text += ".SH SEE ALSO\n.BR agneto (1)\n";
  return text;
}

}  // namespace

void add_manual(CLI::App& app, Context& context) {
  auto folder = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("__manual", "Write all manual pages into a folder");
  command->group("");
  command->add_option("FOLDER", *folder)->required();
  command->callback([&app, &context, folder] {
    context.action = [&app, folder] {
      fs::create_directories(*folder);
      const auto write = [&](const CLI::App* each) {
        write_file(fs::path(*folder) / (name_of(each) + ".1"), page(app, each));
      };
      write(nullptr);
      for (const CLI::App* each : commands_for_people(app)) write(each);
      return ExitStatus::complete;
    };
  });
}

}  // namespace agneto::cli
