#include "graph/pdag.h"

#include "all_dags.h"
#include "base/random.h"
#include "expect.h"

using namespace daggnn;

TEST(the_cpdag_directs_what_all_dags_of_the_class_agree_on) {
  // Numbers of DAGs and of classes: Gillispie and Perlman (2001).
  const std::size_t dags[] = {1, 3, 25, 543}, classes[] = {1, 2, 11, 185};
  for (Index m = 1; m <= 4; ++m) {
    const auto all = classes_of_dags(m);
    std::size_t count = 0;
    for (const auto& each : all) {
      count += each.second.size();
      const Pdag cpdag = union_of(each.second);
      for (const Pdag& dag : each.second) EXPECT(cpdag_of(dag) == cpdag);
    }
    EXPECT(count == dags[m - 1]);
    EXPECT(all.size() == classes[m - 1]);
  }
}

TEST(the_cpdag_of_larger_dags_is_the_union_of_their_class) {
  Random random(3);
  for (int trial = 0; trial < 60; ++trial) {
    const Pdag dag = random_dag(6, 0.3 + 0.4 * random.uniform(), random);
    EXPECT(cpdag_of(dag) == union_of(members_of(dag)));
  }
}

TEST(a_graph_with_a_cycle_has_no_cpdag) {
  Pdag graph(3);
  graph.direct(0, 1);
  graph.direct(1, 2);
  graph.direct(2, 0);
  EXPECT(!topological_order(graph));
  EXPECT_THROWS(cpdag_of(graph));
  graph.join(2, 0);
  EXPECT(!topological_order(graph));
}

TEST(a_consistent_extension_is_found_wherever_there_is_one) {
  const Index m = 4;
  std::vector<Pdag> dags;
  for (const auto& each : classes_of_dags(m)) {
    dags.insert(dags.end(), each.second.begin(), each.second.end());
  }
  int with = 0, without = 0;
  for_all_graphs(m, true, [&](const Pdag& graph) {
    const auto extends = [&](const Pdag& dag) {
      for (Index i = 0; i < m; ++i) {
        for (Index j = 0; j < m; ++j) {
          if (graph.adjacent(i, j) != dag.adjacent(i, j)) return false;
          if (graph.directed(i, j) && !dag.directed(i, j)) return false;
        }
      }
      return colliders(dag) == colliders(graph);
    };
    const bool possible = std::any_of(dags.begin(), dags.end(), extends);
    const auto found = consistent_extension(graph);
    EXPECT(found.has_value() == possible);
    if (found) EXPECT(topological_order(*found).has_value() && extends(*found));
    ++(possible ? with : without);
  });
  EXPECT(with + without == 4096);
  EXPECT(with > 500 && without > 500);
}

TEST(meeks_rules_direct_exactly_what_follows_from_known_directions) {
  for (Index m = 2; m <= 4; ++m) {
    for (const auto& each : classes_of_dags(m)) {
      const Pdag cpdag = union_of(each.second);
      for (const Pdag& dag : each.second) {
        std::vector<std::pair<Index, Index>> open;
        for (Index i = 0; i < m; ++i) {
          for (Index j = 0; j < m; ++j) {
            if (cpdag.undirected(i, j) && dag.directed(i, j)) open.push_back({i, j});
          }
        }
        for (unsigned known = 0; known < 1u << open.size(); ++known) {
          Pdag graph = cpdag;
          std::vector<Pdag> agreeing;
          for (std::size_t k = 0; k < open.size(); ++k) {
            if (known >> k & 1) graph.direct(open[k].first, open[k].second);
          }
          for (const Pdag& member : each.second) {
            bool agrees = true;
            for (std::size_t k = 0; k < open.size(); ++k) {
              if (known >> k & 1) agrees = agrees && member.directed(open[k].first, open[k].second);
            }
            if (agrees) agreeing.push_back(member);
          }
          apply_meek_rules(graph);
          EXPECT(graph == union_of(agreeing));
        }
      }
    }
  }
}

TEST(cliques_are_all_subsets_without_a_missing_edge) {
  Random random(5);
  for (int trial = 0; trial < 50; ++trial) {
    const Pdag graph = random_dag(7, 0.6, random);
    const Nodes nodes{0, 2, 3, 5, 6};
    const Index largest = random.below(6);
    std::vector<Nodes> expected;
    for (unsigned set = 0; set < 1u << nodes.size(); ++set) {
      Nodes subset;
      for (std::size_t k = 0; k < nodes.size(); ++k) {
        if (set >> k & 1) subset.push_back(nodes[k]);
      }
      bool complete = static_cast<Index>(subset.size()) <= largest;
      for (const Index a : subset) {
        for (const Index b : subset) complete = complete && (a == b || graph.adjacent(a, b));
      }
      if (complete) expected.push_back(subset);
    }
    std::vector<Nodes> found = cliques(graph, nodes, largest);
    EXPECT(found.front().empty());
    std::sort(found.begin(), found.end());
    std::sort(expected.begin(), expected.end());
    EXPECT(found == expected);
  }
}

TEST(too_many_cliques_are_an_error) {
  Random random(6);
  const Pdag graph = random_dag(22, 1, random);
  Nodes nodes;
  for (Index i = 0; i < graph.size(); ++i) nodes.push_back(i);
  EXPECT_THROWS(cliques(graph, nodes, graph.size()));
  EXPECT(cliques(graph, nodes, 3).size() == 1 + 22 + 231 + 1540);
}

TEST(a_semi_directed_path_is_found_exactly_where_there_is_one) {
  Random random(7);
  int found = 0, missing = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Index m = 6;
    const Pdag graph = cpdag_of(random_dag(m, 0.4, random));
    const Index from = random.below(m), to = (from + 1 + random.below(m - 1)) % m;
    const bool directly = random.uniform() < 0.5;
    Nodes blocked;
    for (Index i = 0; i < m; ++i) {
      if (i != from && i != to && random.uniform() < 0.3) blocked.push_back(i);
    }
    const auto is_blocked = [&](Index i) {
      return std::find(blocked.begin(), blocked.end(), i) != blocked.end();
    };
    // The slow twin: powers of the matrix of steps.
    Matrix steps = Matrix::Zero(m, m), reach = Matrix::Identity(m, m);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        const bool direct = i == from && j == to;
        steps(i, j) =
            !is_blocked(i) && !is_blocked(j) && graph.leads(i, j) && (directly || !direct);
      }
    }
    for (Index k = 0; k < m; ++k) reach = (reach + reach * steps).cwiseMin(1.0);
    const std::vector<Index> path = semi_directed_path(graph, from, to, blocked, directly);
    EXPECT(path.empty() == (reach(from, to) == 0));
    ++(path.empty() ? missing : found);
    if (path.empty()) continue;
    EXPECT(path.front() == from && path.back() == to);
    for (std::size_t k = 1; k < path.size(); ++k) EXPECT(steps(path[k - 1], path[k]) == 1);
  }
  EXPECT(found > 50 && missing > 50);
}

TEST(a_graph_knows_its_edges) {
  Pdag graph(4);
  graph.direct(0, 1);
  graph.join(1, 2);
  graph.direct(3, 1);
  EXPECT(graph.edges() == 3);
  EXPECT(graph.parents(1) == Nodes({0, 3}) && graph.neighbours(1) == Nodes({2}));
  EXPECT(graph.adjacent(1) == Nodes({0, 2, 3}));
  EXPECT(Pdag(graph.matrix()) == graph);
  Pdag other = graph;
  other.direct(2, 1);
  EXPECT(other != graph);
  EXPECT(other.differs_at(1, graph) && other.differs_at(2, graph) && !other.differs_at(0, graph));
  other.join(1, 2);
  EXPECT(other == graph);
  other.separate(1, 2);
  EXPECT(!other.adjacent(1, 2) && other.edges() == 2 && other.adjacent(2).empty());
}
