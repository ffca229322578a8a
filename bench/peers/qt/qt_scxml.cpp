// Qt SCXML's speed with the charts of ../../charts.cpp, loaded at run time.
//
// submitEvent puts an event into the machine's queue and asks the event loop to have the queue
// worked off, all of it at once. So events are submitted by the hundred before the loop runs, which
// spreads the loop's own cost; one by one it is slower.
#include <QCoreApplication>
#include <QElapsedTimer>
#include <QScxmlDataModel>
#include <QScxmlStateMachine>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace {

[[noreturn]] void fail(const char* bench, const char* why) {
  std::fprintf(stderr, "qt-scxml: %s: %s\n", bench, why);
  std::exit(1);
}

// Takes the smaller of wall and CPU time: other programs do not count.
class Clock {
 public:
  Clock() { wall_.start(); }
  double seconds() const {
    const double cpu = static_cast<double>(std::clock() - cpu_) / CLOCKS_PER_SEC;
    return std::min(cpu, static_cast<double>(wall_.nsecsElapsed()) / 1e9);
  }

 private:
  QElapsedTimer wall_;
  std::clock_t cpu_ = std::clock();
};

void submit(QScxmlStateMachine& machine, int events) {
  static const QString name = QStringLiteral("go");
  for (int i = 0; i < events; ++i) machine.submitEvent(name);
  QCoreApplication::processEvents();
}

struct Sent {
  long events = 0;
  double per_second = 0;
};

Sent submit_for(QScxmlStateMachine& machine, double seconds, int batch) {
  const Clock clock;
  Sent sent;
  do {
    submit(machine, batch);
    sent.events += batch;
  } while (clock.seconds() < seconds);
  sent.per_second = static_cast<double>(sent.events) / clock.seconds();
  return sent;
}

void run(const char* bench) {
  const std::unique_ptr<QScxmlStateMachine> machine(
      QScxmlStateMachine::fromFile(QStringLiteral(CHARTS "/%1.scxml").arg(bench)));
  if (!machine->parseErrors().isEmpty()) fail(bench, "the chart does not load");
  long entered = 0;  // the state B
  machine->connectToState(QStringLiteral("B"), [&](bool active) { entered += active; });
  machine->start();
  QCoreApplication::processEvents();
  submit(*machine, 1);
  if (entered != 1) fail(bench, "the event was not taken");
  submit(*machine, 1);

  submit_for(*machine, 0.5, 100);
  entered = 0;
  const Sent sent = submit_for(*machine, 1, 100);
  if (entered * 2 != sent.events) fail(bench, "events were lost");
  std::printf("{\"bench\": \"%s\", \"events_per_second\": %.0f}\n", bench, sent.per_second);
}

}  // namespace

int main(int argc, char** argv) {
  const QCoreApplication application(argc, argv);
  std::printf("{\"version\": \"%s\"}\n", qVersion());
  for (const char* bench : {"ping_pong", "counter", "nested"}) run(bench);
}
