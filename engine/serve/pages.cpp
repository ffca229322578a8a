#include "serve/pages.h"

#include <algorithm>

#include "base/files.h"
#include "base/text.h"
#include "serve/reply.h"
#include "workspace/git.h"

namespace agneto::serve {

namespace {

namespace fs = std::filesystem;

constexpr const char* first_page = "/index.html";
constexpr const char* of_assets = "/assets/";  // whose names change with what is in them

constexpr const char* no_pages = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Agneto</title>
<h1>There are no web pages here</h1>
<p>The API is at <code>/api/v1/</code>. In a clone of Agneto, <code>./dev web</code> builds the pages;
start the server anew then.</p>
</html>
)";

// Nothing is loaded from elsewhere, no script or style stands in a page, and no page of somebody
// else's has these in a frame.
constexpr const char* policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string content_type_of(const fs::path& file) {
  static const std::map<std::string, std::string> types = {
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".txt", "text/plain; charset=utf-8"}};
  const auto found = types.find(file.extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

// Does it take what is compressed? What comes behind "q=" is looked at for "not at all" alone.
bool takes_gzip(const HttpRequest& request) {
  const auto told = request.headers.find("accept-encoding");
  if (told == request.headers.end()) return false;
  for (const std::string& each : workspace::split(lower(told->second), ',')) {
    const auto end = std::min(each.find(';'), each.size());
    if (trim(std::string_view(each).substr(0, end)) != "gzip") continue;
    return end == each.size() || each.find_first_of("123456789", end) != std::string::npos;
  }
  return false;
}

}  // namespace

Pages::Pages(const fs::path& folder) {
  const Disk disk;
  std::error_code none;
  for (fs::recursive_directory_iterator entry(folder, none), end; entry != end;
       entry.increment(none)) {
    if (!entry->is_regular_file(none)) continue;
    const std::string path = "/" + entry->path().lexically_relative(folder).generic_string();
    if (auto text = disk.read(entry->path())) {
      std::string tag = '"' + sha256(*text).substr(0, 16) + '"';
      files_[path] = {content_type_of(entry->path()), std::move(*text), std::move(tag)};
    }
  }
  if (!files_.contains(first_page)) {
    files_[first_page] = {content_type_of(first_page), no_pages, "\"none\""};
  }
}

HttpResponse Pages::answer(const HttpRequest& request) const {
  if (request.method != "GET" && request.method != "HEAD") {
    HttpResponse response = problem(405, "pages are only read");
    response.headers["Allow"] = "GET, HEAD";
    return response;
  }
  auto found = files_.find(request.path);
  if (found == files_.end() && request.path.starts_with(of_assets)) {
    return problem(404, "there is nothing at this address");
  }
  if (found == files_.end()) found = files_.find(first_page);
  const auto packed = files_.find(found->first + ".gz");
  const bool is_packed = packed != files_.end() && takes_gzip(request);
  const File& file = is_packed ? packed->second : found->second;
  HttpResponse response;
  response.type = found->second.type;
  response.headers = {
      {"Cache-Control",
       request.path.starts_with(of_assets) ? "public, max-age=31536000, immutable" : "no-cache"},
      {"Content-Security-Policy", policy},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"ETag", file.tag},
      {"Referrer-Policy", "no-referrer"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"}};
  if (packed != files_.end()) response.headers["Vary"] = "Accept-Encoding";
  if (is_packed) response.headers["Content-Encoding"] = "gzip";
  const auto known = request.headers.find("if-none-match");
  if (known != request.headers.end() && known->second == file.tag) {
    response.status = 304;
  } else {
    response.body = file.text;
  }
  return response;
}

}  // namespace agneto::serve
