// The search for the network of discrete variables: over orders, first with parents that are added
// one at a time (order_search.h), then, where all small parent sets can be counted, with the best
// of these (parent_set_order.h). The first search may take any number of parents; the second finds
// parents that help only together, and each begins where the other ended.
#pragma once

#include "scores/set_scores.h"
#include "search/order_search.h"

namespace daggnn {

// rules, start: as in OrderSearch. n: the number of rows; stop: why the search ended
// early, if it did.
Network search_tables(const SetScore& score, Index n, const EdgeRules& rules,
                      const SearchOptions& options, const std::vector<Index>& start,
                      Executor& executor, Observer& observer, Stop& stop);

}  // namespace daggnn
