#include "structure/charged_search.h"

#include <limits>

#include "all_dags.h"
#include "small_data.h"
#include "structure/charged_score.h"

#include "expect.h"

using namespace daggnn;

namespace {

Network network_of(const Pdag& dag) {
  Network network;
  network.parents.resize(static_cast<std::size_t>(dag.size()));
  for (Index j = 0; j < dag.size(); ++j) {
    for (Index i = 0; i < dag.size(); ++i) {
      if (dag.directed(i, j)) network.parents[j].push_back(i);
    }
  }
  return network;
}

double uncharged(const LocalScore& score, const Network& network) {
  double sum = 0;
  for (std::size_t j = 0; j < network.parents.size(); ++j) {
    sum += score.value(static_cast<Index>(j), network.parents[j]);
  }
  return sum;
}

struct Linear {
  NumericFeatures features;
  AdditiveScore score;
  explicit Linear(const Matrix& data)
      : features(numeric_features(data, 1)),
        score(features.values, features.gram, static_cast<double>(data.rows()), features.blocks,
              {}) {}
};

}  // namespace

TEST(the_network_is_nearly_always_the_best_of_all_by_its_exact_charge) {
  SerialExecutor executor;
  Observer observer;
  Random random(1);
  const Index m = 4;
  int best_of_all = 0;
  for (int set = 0; set < 40; ++set) {
    const Matrix edges = random_edges(m, 0.1 + 0.02 * set, random);
    const Linear linear(simulate(
        60, edges, 1, [](double x) { return 0.5 * x; }, random));
    EdgeCharges charges(2, 0, EdgeRules(m), Vector::Zero(m));
    const ChargedScore score({&linear.score}, charges, false);
    const EdgeRules rules(m);
    const SearchOptions options;
    ChargedSearch search(rules, options, charges, executor, observer);
    const Network found = search.run(score, {in_order({0, 1, 2, 3}), 4, true, nullptr, {0, 4}});
    EXPECT_NEAR(found.score, uncharged(linear.score, found) - charges.exact(found), 1e-9);
    double best = -std::numeric_limits<double>::infinity();
    for_all_graphs(m, false, [&](const Pdag& graph) {
      if (!topological_order(graph)) return;
      const Network network = network_of(graph);
      best = std::max(best, uncharged(linear.score, network) - charges.exact(network));
    });
    EXPECT(found.score <= best + 1e-9);
    best_of_all += found.score > best - 1e-6;
  }
  EXPECT(best_of_all >= 36);
}

TEST(equivalent_linear_networks_have_the_same_charged_score) {
  Random random(2);
  const Index m = 5;
  const Matrix edges = random_edges(m, 0.6, random);
  const Linear linear(simulate(
      100, edges, 1, [](double x) { return x; }, random));
  EdgeCharges charges(2, 0, EdgeRules(m), Vector::LinSpaced(m, 0, 1));
  charges.expect(3);
  const ChargedScore score({&linear.score}, charges, false);
  // a -> b -> c, a <- b -> c and a <- b <- c.
  Network chain, fork, back;
  chain.parents = {{}, {0}, {1}, {}, {}};
  fork.parents = {{1}, {}, {1}, {}, {}};
  back.parents = {{1}, {2}, {}, {}, {}};
  EXPECT_NEAR(uncharged(score, chain), uncharged(score, fork), 1e-8);
  EXPECT_NEAR(uncharged(score, chain), uncharged(score, back), 1e-8);
  EXPECT_NEAR(charges.exact(chain), charges.exact(back), 1e-12);
}

TEST(a_prepared_family_is_charged_as_others_are) {
  Random random(4);
  const Index m = 5;
  const Linear linear(simulate(
      100, random_edges(m, 0.6, random), 1, [](double x) { return x; }, random));
  EdgeCharges charges(2, 0, EdgeRules(m), Vector::LinSpaced(m, 0, 1));
  charges.expect(3);
  for (const bool remember : {false, true}) {
    const ChargedScore score({&linear.score}, charges, remember);
    for (const Parents& parents : std::vector<Parents>{{}, {1}, {1, 3}}) {
      EXPECT_NEAR(score.prepare(0, parents)->value_with(4), score.value(0, with_parent(parents, 4)),
                  1e-9);
    }
  }
}

TEST(an_edge_costs_less_where_there_are_many) {
  SerialExecutor executor;
  Observer observer;
  const Index m = 8;
  const EdgeRules rules(m);
  const SearchOptions options;
  // One weak edge, alone or beside many strong ones.
  const auto weak_edge_found = [&](double others) {
    int found = 0;
    Random random(3);
    for (int set = 0; set < 40; ++set) {
      Matrix data = normal_matrix(200, m, random);
      for (Index j = 3; j < m; ++j) {
        for (Index i = 2; i < j; ++i) data.col(j) += others * data.col(i);
      }
      data.col(1) += 0.23 * data.col(0);
      const Linear linear(data);
      EdgeCharges charges(2, 0, rules, Vector::Zero(m));
      const ChargedScore score({&linear.score}, charges, false);
      ChargedSearch search(rules, options, charges, executor, observer);
      const Matrix edges = search.run(score, {in_order({0, 1, 2, 3, 4, 5, 6, 7}), 2}).adjacency();
      found += edges(0, 1) + edges(1, 0) > 0;
    }
    return found;
  };
  const int alone = weak_edge_found(0), beside = weak_edge_found(1);
  EXPECT(beside >= alone + 8);
}

TEST(all_forward_edges_are_those_that_are_allowed_and_follow_the_order) {
  EdgeRules rules(3);
  rules.forbid(2, 1);
  const Network network = all_forward({2, 0, 1}, rules);
  EXPECT(network.parents[2].empty());
  EXPECT(network.parents[0] == Parents{2});
  EXPECT(network.parents[1] == Parents{0});
}
