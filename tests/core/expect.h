// A test harness of one header. A file of tests is a program on its own:
//
//   TEST(addition_is_exact) { EXPECT(1 + 1 == 2); }
//
// The program prints each expectation that fails, then how many held and how many did not.
#pragma once

#include <cmath>
#include <exception>
#include <iostream>
#include <vector>

namespace expect {

struct Case {
  const char* name;
  void (*body)();
};

inline std::vector<Case>& cases() {
  static std::vector<Case> all;
  return all;
}

struct Counts {
  int passed = 0, failed = 0;
  const char* test = "";
};

inline Counts& counts() {
  static Counts all;
  return all;
}

struct Register {
  Register(const char* name, void (*body)()) { cases().push_back({name, body}); }
};

inline std::ostream& report(bool holds, const char* file, int line) {
  static std::ostream silent(nullptr);
  if (holds) {
    ++counts().passed;
    return silent;
  }
  ++counts().failed;
  return std::cout << file << ":" << line << ": " << counts().test << ": ";
}

// NaN is near nothing; equal infinities are near each other.
inline bool near(double a, double b, double tolerance) {
  return a == b || std::abs(a - b) <= tolerance;
}

}  // namespace expect

#define TEST(name)                                                    \
  static void test_##name();                                          \
  static const expect::Register register_##name(#name, &test_##name); \
  static void test_##name()

#define EXPECT(...) \
  expect::report((__VA_ARGS__), __FILE__, __LINE__) << "expected " << #__VA_ARGS__ << "\n"

#define EXPECT_NEAR(a, b, tolerance)                                                          \
  do {                                                                                        \
    const double a_ = (a), b_ = (b), tolerance_ = (tolerance);                                \
    expect::report(expect::near(a_, b_, tolerance_), __FILE__, __LINE__)                      \
        << #a << " is " << a_ << ", not within " << tolerance_ << " of " << #b << " = " << b_ \
        << "\n";                                                                              \
  } while (false)

#define EXPECT_THROWS(...)                                    \
  do {                                                        \
    bool threw_ = false;                                      \
    try {                                                     \
      static_cast<void>(__VA_ARGS__);                         \
    } catch (const std::exception&) {                         \
      threw_ = true;                                          \
    }                                                         \
    expect::report(threw_, __FILE__, __LINE__)                \
        << "expected an error from " << #__VA_ARGS__ << "\n"; \
  } while (false)

int main() {
  for (const expect::Case& test : expect::cases()) {
    expect::counts().test = test.name;
    try {
      test.body();
    } catch (const std::exception& error) {
      expect::report(false, __FILE__, __LINE__) << "unexpected error: " << error.what() << "\n";
    }
  }
  const expect::Counts& counts = expect::counts();
  std::cout << counts.passed << " passed, " << counts.failed << " failed\n";
  return counts.failed > 0 || counts.passed == 0;
}
