#include "serve/recent.h"

#include <algorithm>

#include "run/steer.h"

namespace agneto::serve {

std::string Recent::answer(const std::string& question, const std::function<std::string()>& make) {
  const std::shared_ptr<Answer> answer = find(question);
  const auto turn = answer->making.take();
  if (!answer->made || clock_.elapsed() - answer->at >= good_for_) {
    answer->made = false;
    answer->failure = nullptr;
    try {
      answer->text = make();
    } catch (const run::NotYet&) {
      throw;
    } catch (...) {
      answer->failure = std::current_exception();
    }
    answer->made = true;
    answer->at = clock_.elapsed();
  }
  if (answer->failure) std::rethrow_exception(answer->failure);
  return answer->text;
}

// What nobody has asked for lately goes, and of too many the one that was asked for first.
std::shared_ptr<Recent::Answer> Recent::find(const std::string& question) {
  const std::lock_guard lock(mutex_);
  const Millis now = clock_.elapsed();
  std::erase_if(kept_, [&](const auto& kept) { return now - kept.second.asked >= good_for_; });
  if (!kept_.contains(question) && kept_.size() >= most_) {
    kept_.erase(
        std::ranges::min_element(kept_, {}, [](const auto& kept) { return kept.second.asked; }));
  }
  Kept& kept = kept_[question];
  if (!kept.answer) kept.answer = std::make_shared<Answer>();
  kept.asked = now;
  return kept.answer;
}

}  // namespace agneto::serve
