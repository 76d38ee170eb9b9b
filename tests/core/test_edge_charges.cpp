#include "structure/edge_charges.h"

#include <algorithm>
#include <cmath>

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

// The first so many edges that lead from a lower to a higher number.
Network with_edges(Index m, Index count) {
  Network network;
  network.parents.resize(static_cast<std::size_t>(m));
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < j && number_of_edges(network) < count; ++i) {
      network.parents[j].push_back(i);
    }
  }
  return network;
}

// log C(M, E) by Pascal's triangle.
double log_choose(int M, int E) {
  std::vector<double> row = {1};
  for (int n = 0; n < M; ++n) {
    row.push_back(0);
    for (std::size_t k = row.size() - 1; k > 0; --k) row[k] += row[k - 1];
  }
  return std::log(row[static_cast<std::size_t>(E)]);
}

}  // namespace

TEST(a_network_is_charged_for_how_many_have_as_many_edges) {
  const Index m = 6;
  const EdgeCharges charges(1.5, 0.75, EdgeRules(m), Vector::Zero(m));
  for (int edges = 0; edges <= 15; ++edges) {
    // From the sixth on, an edge is charged the least: log(10 / 6) > 0.5 > log(9 / 7).
    const double least = 0.5 * std::max(0, edges - 6);
    EXPECT_NEAR(charges.exact(with_edges(m, edges)),
                1.5 * (log_choose(15, std::min(edges, 6)) + least), 1e-9);
  }
}

TEST(the_charge_in_a_search_is_at_least_the_exact_one_up_to_a_constant) {
  const Index m = 6;
  EdgeCharges charges(2, 1, EdgeRules(m), Vector::Zero(m));
  for (int expected = 0; expected <= 15; ++expected) {
    charges.expect(expected);
    const Network at = with_edges(m, expected);
    for (int edges = 0; edges <= 15; ++edges) {
      const Network network = with_edges(m, edges);
      const double linear = charges.exact(at) + charges.of(network) - charges.of(at);
      EXPECT(charges.exact(network) <= linear + 1e-9);
    }
  }
}

TEST(only_edges_that_may_be_count_as_possible_ones) {
  EdgeRules rules(5);
  for (Index j = 0; j < 4; ++j) rules.forbid(4, j);  // still 4 pairs, in one direction
  rules.forbid(0, 1);
  rules.forbid(1, 0);
  const EdgeCharges charges(1, 0, rules, Vector::Zero(5));
  EXPECT_NEAR(charges.of_edge(0, 2), std::log(9.0), 1e-12);
}

TEST(both_ends_of_an_edge_are_charged_for_their_tails) {
  Vector tails(3);
  tails << 0.5, 1, 2;
  const EdgeCharges charges(0, 0, EdgeRules(3), tails);
  EXPECT_NEAR(charges.of_edge(0, 1), 1.5, 1e-12);
  EXPECT_NEAR(charges.of(2, {0, 1}), 0.5 + 1 + 4, 1e-12);
  EXPECT_NEAR(charges.exact(with_edges(3, 3)), 1.5 + 5.5, 1e-12);
}

TEST(tails_are_weighed_against_the_quartiles_and_normal_ones_weigh_little) {
  Random random(3);
  Matrix data = normal_matrix(2000, 3, random);
  for (Index r = 0; r < 2000; ++r) data(r, 1) = std::pow(data(r, 1), 3);
  const Samples samples(MatrixView(data.data(), 2000, 3), std::vector<Kind>(3, Kind::continuous),
                        std::vector<Index>(3, 1));
  SerialExecutor executor;
  const Vector weights = tail_weights(samples, {true, true, false}, executor);
  EXPECT(weights[0] < 0.1);
  EXPECT(weights[1] > 1);
  EXPECT(weights[2] == 0);
  data *= 1000;
  const Vector scaled = tail_weights(samples, {true, true, false}, executor);
  EXPECT_NEAR((scaled - weights).norm(), 0, 1e-9);
}
