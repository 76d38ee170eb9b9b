#include "base/thread_pool.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <vector>

#include "expect.h"

using namespace daggnn;

namespace {

struct WithWorkers {
  ThreadPool pool;
  std::vector<std::thread> threads;
  explicit WithWorkers(int workers) {
    for (int k = 0; k < workers; ++k) threads.emplace_back([this] { pool.worker_loop(); });
  }
  ~WithWorkers() {
    pool.shut_down();
    for (std::thread& thread : threads) thread.join();
  }
};

}  // namespace

TEST(each_task_is_done_once_with_any_number_of_workers) {
  for (const int workers : {0, 1, 3}) {
    WithWorkers together(workers);
    for (Index job = 0; job < 2000; ++job) {
      const Index count = job % 9;
      std::vector<Index> done(static_cast<std::size_t>(count), 0);
      together.pool.run(count, [&](Index k) { done[static_cast<std::size_t>(k)] += k + 1; });
      Index sum = 0;
      for (const Index value : done) sum += value;
      if (sum != count * (count + 1) / 2) EXPECT(false);
    }
    EXPECT(true);
  }
}

TEST(any_number_of_tasks_is_done) {
  WithWorkers together(1);
  const Index count = (Index{1} << 21) + 5;
  std::vector<char> done(static_cast<std::size_t>(count), 0);
  together.pool.run(count, [&](Index k) { ++done[static_cast<std::size_t>(k)]; });
  EXPECT(std::count(done.begin(), done.end(), 1) == count);
}

TEST(the_caller_begins_with_the_first_task_and_the_worker_with_the_last) {
  WithWorkers together(1);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> started{0};
  bool first_is_ours = false;
  // Each waits for the other.
  together.pool.run(2, [&](Index k) {
    if (k == 0) first_is_ours = std::this_thread::get_id() == caller;
    ++started;
    while (started < 2) std::this_thread::yield();
  });
  EXPECT(first_is_ours);
}

TEST(threads_that_fell_asleep_come_back) {
  WithWorkers together(2);
  for (int job = 0; job < 3; ++job) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::atomic<int> started{0};
    // Ends only if another thread comes.
    together.pool.run(2, [&](Index) {
      ++started;
      while (started < 2) std::this_thread::yield();
    });
    EXPECT(started == 2);
  }
}

TEST(what_a_task_throws_is_passed_on) {
  WithWorkers together(1);
  for (int job = 0; job < 20; ++job) {
    bool caught = false;
    std::atomic<int> done{0};
    try {
      together.pool.run(8, [&](Index k) {
        if (k == 3) throw std::runtime_error("three");
        ++done;
      });
    } catch (const std::runtime_error&) {
      caught = true;
    }
    EXPECT(caught);
    EXPECT(done == 7);
  }
  bool any = false;
  together.pool.run(1, [&](Index) { any = true; });
  EXPECT(any);
}
