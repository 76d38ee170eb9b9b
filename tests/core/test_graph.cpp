#include "base/random.h"
#include "graph/graph.h"

#include "expect.h"

using namespace daggnn;

namespace {

Matrix random_strengths(Index m, double density, Random& random) {
  Matrix strengths = Matrix::Zero(m, m);
  for (Index k = 0; k < strengths.size(); ++k) {
    if (random.uniform() < density) strengths(k) = random.uniform();
  }
  strengths.diagonal().setZero();
  return strengths;
}

// strengths: m x m; those above the threshold, and those that are required.
Edges acyclic_edges(const Matrix& strengths, double threshold, const Matrix& required) {
  std::vector<Edge> candidates;
  for (Index j = 0; j < strengths.cols(); ++j) {
    for (Index i = 0; i < strengths.rows(); ++i) {
      const bool must = required(i, j) != 0;
      if (must || strengths(i, j) > threshold) candidates.push_back({i, j, strengths(i, j), must});
    }
  }
  return daggnn::acyclic_edges(strengths.rows(), candidates);
}

Matrix as_matrix(const std::vector<Edge>& edges, Index m) {
  Matrix adjacency = Matrix::Zero(m, m);
  for (const Edge& edge : edges) adjacency(edge.from, edge.to) = 1;
  return adjacency;
}

// The slow twin: a graph has a cycle exactly where some power up to m has a trace.
bool has_cycle(const Matrix& adjacency) {
  Matrix power = adjacency;
  for (Index k = 0; k < adjacency.rows(); ++k) {
    if (power.trace() > 0) return true;
    power = (power * adjacency).cwiseMin(1.0);
  }
  return false;
}

}  // namespace

TEST(edges_above_the_threshold_are_kept) {
  Matrix strengths = Matrix::Zero(3, 3);
  strengths(0, 1) = 0.5;
  strengths(1, 2) = 0.3;
  const Edges edges = acyclic_edges(strengths, 0.3, Matrix::Zero(3, 3));
  EXPECT(edges.kept.size() == 1);
  EXPECT(edges.kept[0].from == 0 && edges.kept[0].to == 1);
  EXPECT_NEAR(edges.kept[0].absolute_weight, 0.5, 0);
  EXPECT(edges.dropped.empty());
}

TEST(the_weakest_edge_of_a_cycle_goes) {
  Matrix strengths = Matrix::Zero(3, 3);
  strengths(0, 1) = 0.9;
  strengths(1, 2) = 0.4;
  strengths(2, 0) = 0.8;
  const Edges edges = acyclic_edges(strengths, 0.1, Matrix::Zero(3, 3));
  EXPECT(edges.kept.size() == 2);
  EXPECT(edges.dropped.size() == 1);
  EXPECT(edges.dropped[0].from == 1 && edges.dropped[0].to == 2);
}

TEST(a_required_edge_stays_however_weak) {
  Matrix strengths = Matrix::Zero(2, 2), required = Matrix::Zero(2, 2);
  strengths(1, 0) = 5;
  required(0, 1) = 1;
  const Edges edges = acyclic_edges(strengths, 0.3, required);
  EXPECT(edges.kept.size() == 1);
  EXPECT(edges.kept[0].from == 0 && edges.kept[0].to == 1);
  EXPECT(edges.dropped.size() == 1);
}

TEST(an_edge_from_a_variable_to_itself_is_a_cycle) {
  const Edges edges = acyclic_edges(Matrix::Identity(3, 3), 0.3, Matrix::Zero(3, 3));
  EXPECT(edges.kept.empty() && edges.dropped.size() == 3);
}

TEST(whatever_the_weights_the_result_is_a_dag_and_nothing_is_lost) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    // A few with more nodes than a word has bits.
    const Index m = trial % 100 == 0 ? 70 : 2 + random.below(8);
    const Matrix strengths = random_strengths(m, 0.1 + 0.9 * random.uniform(), random);
    const double threshold = 0.5 * random.uniform();
    const Edges edges = acyclic_edges(strengths, threshold, Matrix::Zero(m, m));
    const Matrix kept = as_matrix(edges.kept, m), dropped = as_matrix(edges.dropped, m);
    EXPECT(!has_cycle(kept));
    EXPECT((kept + dropped) == (strengths.array() > threshold).cast<double>().matrix());
    // Each dropped edge would close a cycle with the kept ones.
    for (const Edge& edge : edges.dropped) {
      Matrix closed = kept;
      closed(edge.from, edge.to) = 1;
      EXPECT(has_cycle(closed));
    }
  }
}

TEST(parents_come_before_their_children_and_a_cycle_is_an_error) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Index m = 2 + random.below(100);
    Matrix edges = random_strengths(m, 0.1, random).triangularView<Eigen::StrictlyUpper>();
    const std::vector<Index> order = topological_order(edges);
    EXPECT(static_cast<Index>(order.size()) == m);
    std::vector<Index> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) EXPECT(edges(i, j) == 0 || place[i] < place[j]);
    }
    edges(m - 1, 0) = edges(0, m - 1) = 1;
    EXPECT_THROWS(topological_order(edges));
  }
}
