#include "serve/notify/couriers.h"

#include <fmt/format.h>
#include <nettle/base64.h>
#include <nettle/hmac.h>

#include <array>

#include "base/error.h"
#include "base/text.h"
#include "base/xml.h"
#include "serve/http_client.h"

namespace agneto::serve {

namespace {

constexpr Millis longest_program{30'000};

std::string base64(std::string_view text) {
  std::string out(BASE64_ENCODE_RAW_LENGTH(text.size()), '\0');
  nettle_base64_encode_raw(out.data(), text.size(),
                           reinterpret_cast<const std::uint8_t*>(text.data()));
  return out;
}

// As RFC 2047 has it: words of at most 75 characters, none of which ends within a character.
std::string header_text(std::string_view text) {
  constexpr std::size_t bytes_a_word = 45;
  std::string out;
  while (!text.empty()) {
    std::size_t size = std::min(bytes_a_word, text.size());
    while (size < text.size() && size > 1 &&
           (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
      --size;
    }
    out += (out.empty() ? "" : "\n ") + ("=?UTF-8?B?" + base64(text.substr(0, size)) + "?=");
    text.remove_prefix(size);
  }
  return out;
}

std::string text_of(const Json& told, const char* key) {
  return told.value(key, "");
}

// What it is about, and where to go.
std::string details_of(const Json& told) {
  std::string text = text_of(told, "task");
  if (const std::string url = text_of(told, "url"); !url.empty()) {
    text += (text.empty() ? "" : "\n") + url;
  }
  return text;
}

std::string sendmail() {
  const auto found = process::find_program("sendmail");
  return found ? found->string() : "/usr/sbin/sendmail";
}

// Posts the body and waits until it was taken. Throws Error, which does not name the address.
void post(const std::string& url, const std::string& body, std::vector<std::string> headers,
          const std::stop_token& stop) {
  headers.emplace_back("User-Agent: agneto");
  long status = 0;
  try {
    status = HttpClient()
                 .ask({.url = url,
                       .headers = std::move(headers),
                       .body = body,
                       .to_connect = std::chrono::seconds(5),
                       .in_all = std::chrono::seconds(15),
                       .stop = stop})
                 .status;
  } catch (const Unanswered& error) {
    throw Error(fmt::format("webhook: {}", error.what()));
  }
  constexpr long first_good = 200, first_other = 300;
  if (status >= first_good && status < first_other) return;
  throw Error(fmt::format("webhook: it answers with status {}", status));
}

}  // namespace

Couriers::Couriers(process::Runner& runner, std::filesystem::path folder)
    : runner_(runner), folder_(std::move(folder)) {}

void Couriers::bring(const run::Way& way, const Json& told, std::stop_token stop) {
  const std::string body = to_text(told);
  switch (way.kind) {
    case run::Way::Kind::command:
      return run(way.command, body + "\n", stop);
    // What is below the title may have markup.
    case run::Way::Kind::desktop:
      return run({"notify-send", "--app-name=agneto", "--", text_of(told, "text"),
                  xml_text(details_of(told))},
                 "", stop);
    case run::Way::Kind::mail:
      return run({sendmail(), "-t", "-i"}, mail_of(way.target, told), stop);
    case run::Way::Kind::webhook: {
      std::vector<std::string> headers = {"Content-Type: application/json",
                                          "X-Agneto-Id: " + base64(text_of(told, "id"))};
      if (!way.secret.empty()) {
        headers.push_back("X-Agneto-Signature: " + signature_of(run::resolved(way.secret), body));
      }
      return post(run::resolved(way.target), body, std::move(headers), stop);
    }
    case run::Way::Kind::none:
      break;
  }
}

void Couriers::run(std::vector<std::string> argv, std::string input,
                   const std::stop_token& stop) const {
  const process::Spec spec{.argv = std::move(argv),
                           .cwd = folder_,
                           .env = {},
                           .input = std::move(input),
                           .timeout = longest_program};
  process::Listener nobody;
  const process::Exit exit = runner_.run(spec, nobody, stop);
  if (exit.ok()) return;
  constexpr std::size_t longest_error = 200;
  const std::string error = shortened(printable(trim(exit.error)), longest_error);
  throw Error(fmt::format("{}: {}{}{}", spec.argv.front(), process::describe(exit, spec),
                          error.empty() ? "" : ": ", error));
}

std::string mail_of(const std::string& address, const Json& told) {
  constexpr std::size_t line = 76;
  std::string body = base64(text_of(told, "text") + "\n\n" + details_of(told) + "\n");
  for (std::size_t at = line; at < body.size(); at += line + 1) body.insert(at, "\n");
  return fmt::format(
      "To: {}\nSubject: {}\nMessage-ID: <{}@agneto.invalid>\nAuto-Submitted: auto-generated\n"
      "MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
      "Content-Transfer-Encoding: base64\n\n{}\n",
      address, header_text(text_of(told, "text")), sha256(text_of(told, "id")), body);
}

std::string signature_of(const std::string& secret, const std::string& body) {
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, secret.size(),
                      reinterpret_cast<const std::uint8_t*>(secret.data()));
  hmac_sha256_update(&context, body.size(), reinterpret_cast<const std::uint8_t*>(body.data()));
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  hmac_sha256_digest(&context, digest.size(), digest.data());
  std::string text = "sha256=";
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

}  // namespace agneto::serve
