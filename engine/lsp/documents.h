// The files that are open in the editor, with what is typed and not saved.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/files.h"
#include "base/json.h"
#include "lsp/position.h"

namespace agneto::lsp {

struct Document {
  std::string uri;  // as the client writes it
  fs::path path;    // empty where it is no file
  Json version;
  std::shared_ptr<const std::string> text;
};

class Documents {
 public:
  explicit Documents(const Files& disk) : disk_(disk) {}

  // These take the parameters of the notification and throw InvalidParams where they are wrong;
  // then nothing has changed. They give the path of the file that is another now.
  fs::path open(const Json& params);
  fs::path change(const Json& params, Encoding encoding);
  fs::path close(const Json& params);

  const std::map<std::string, Document>& all() const { return by_uri_; }
  // The document that the parameters of a request name. Throws InvalidParams where none is open.
  const Document& named(const Json& params) const;
  const Document* find(const fs::path& path) const;
  // The URI as the client writes it where the file is open.
  std::string uri_of(const fs::path& path) const;
  // The text in the editor, or else on the disk; null where there is neither.
  std::shared_ptr<const std::string> text(const fs::path& path) const;
  // Open documents before the files on the disk, at this moment. Immutable, thread-safe. The disk
  // must outlive it.
  std::shared_ptr<const Files> files() const;

 private:
  const Files& disk_;
  std::map<std::string, Document> by_uri_;
};

}  // namespace agneto::lsp
