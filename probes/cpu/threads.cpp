#include "threads.hpp"

#include <omp.h>

#include <stdexcept>

#include "machine.hpp"

namespace scoville::cpu_probe {

Threads use_threads(const probe::Question& question) {
  constexpr double kMost = 4096;
  const double asked = question.number("threads", 0);
  if (!(asked >= 0 && asked <= kMost)) throw std::invalid_argument("threads: a number from 0 to 4096 expected");
  const int usual = machine().threads();
  const Threads threads{asked >= 1 ? static_cast<int>(asked) : usual, asked > usual};
  omp_set_dynamic(0);
  omp_set_num_threads(threads.count);
  return threads;
}

void put_threads(json::object& row, const Threads& threads) {
  row["threads"] = threads.count;
  if (threads.is_oversubscribed) row["oversubscribed"] = true;
}

}  // namespace scoville::cpu_probe
