#include "serve/http_client.h"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>

namespace agneto::serve {

namespace {

struct Taken {
  std::string text;
  std::optional<std::size_t> most;
};

std::size_t take(char* data, std::size_t size, std::size_t count, void* into) {
  auto& taken = *static_cast<Taken*>(into);
  if (!taken.most) return size * count;
  if (taken.text.size() + size * count > *taken.most) return 0;  // ends it
  taken.text.append(data, size * count);
  return size * count;
}

int is_stopped(void* stop, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return static_cast<const std::stop_token*>(stop)->stop_requested() ? 1 : 0;
}

}  // namespace

HttpClient::HttpClient() : words_(CURL_ERROR_SIZE, '\0') {
  static std::once_flag begun;
  std::call_once(begun, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
  handle_ = curl_easy_init();
  if (!handle_) throw Error("libcurl cannot be used", "", ExitStatus::failed);
}

HttpClient::~HttpClient() {
  curl_easy_cleanup(handle_);
}

HttpClient::Reply HttpClient::ask(const Request& request) {
  curl_slist* list = nullptr;
  for (const std::string& header : request.headers) {
    list = curl_slist_append(list, header.c_str());
  }
  const std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> kept(list, curl_slist_free_all);
  Taken taken{{}, request.most_bytes};
  const auto fail = [&](CURLcode code) {
    constexpr std::array before_it = {CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST,
                                      CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION};
    const bool was_sent = std::ranges::find(before_it, code) == before_it.end();
    const std::string what = curl_easy_strerror(code);
    throw Unanswered(what, words_[0] != '\0' ? words_.c_str() : what, was_sent);
  };
  const auto set = [&](CURLoption option, auto value) {
    if (const CURLcode code = curl_easy_setopt(handle_, option, value); code != CURLE_OK) {
      fail(code);
    }
  };
  curl_easy_reset(handle_);  // connections stay
  words_[0] = '\0';
  set(CURLOPT_ERRORBUFFER, words_.data());
  set(CURLOPT_URL, request.url.c_str());
#if LIBCURL_VERSION_NUM >= 0x075500
  set(CURLOPT_PROTOCOLS_STR, "http,https");
#else
  set(CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_HTTPHEADER, list);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(request.to_connect.count()));
  set(CURLOPT_TIMEOUT, static_cast<long>(request.in_all.count()));
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_WRITEFUNCTION, take);
  set(CURLOPT_WRITEDATA, &taken);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, is_stopped);
  set(CURLOPT_XFERINFODATA, const_cast<std::stop_token*>(&request.stop));
  if (request.body) {
    set(CURLOPT_POSTFIELDS, request.body->c_str());
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
  }
  if (const CURLcode code = curl_easy_perform(handle_); code != CURLE_OK) fail(code);
  long status = 0;
  curl_easy_getinfo(handle_, CURLINFO_RESPONSE_CODE, &status);
  return {status, std::move(taken.text)};
}

}  // namespace agneto::serve
