#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>
#include <mutex>

#include "base/error.h"
#include "base/text.h"
#include "serve/couriers.h"

namespace agneto::serve {

namespace {

constexpr long seconds_to_connect = 5;
constexpr long seconds_in_all = 15;

// What a webhook answers is of no interest.
std::size_t drop(char*, std::size_t size, std::size_t count, void*) {
  return size * count;
}

int stopped(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

}  // namespace

void post(const std::string& url, const std::string& body, const std::vector<std::string>& headers,
          const std::stop_token& stop) {
  static std::once_flag begun;
  std::call_once(begun, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 curl_easy_cleanup);
  if (!curl) throw Error("webhook: libcurl cannot be used");
  curl_slist* list = nullptr;
  for (const std::string& header : headers) list = curl_slist_append(list, header.c_str());
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> kept(list, curl_slist_free_all);
  const auto set = [&](CURLoption option, auto value) {
    if (const CURLcode code = curl_easy_setopt(curl.get(), option, value); code != CURLE_OK) {
      throw Error(fmt::format("webhook: {}", curl_easy_strerror(code)));
    }
  };
  set(CURLOPT_URL, url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_POSTFIELDS, body.c_str());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  set(CURLOPT_HTTPHEADER, list);
  set(CURLOPT_USERAGENT, "agneto");
  set(CURLOPT_CONNECTTIMEOUT, seconds_to_connect);
  set(CURLOPT_TIMEOUT, seconds_in_all);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_WRITEFUNCTION, drop);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, stopped);
  set(CURLOPT_XFERINFODATA, const_cast<std::stop_token*>(&stop));
  if (const CURLcode code = curl_easy_perform(curl.get()); code != CURLE_OK) {
    throw Error(fmt::format("webhook: {}", curl_easy_strerror(code)));
  }
  long status = 0;
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
  constexpr long first_good = 200, first_other = 300;
  if (status >= first_good && status < first_other) return;
  throw Error(fmt::format("webhook: it answers with status {}", status));
}

}  // namespace agneto::serve
