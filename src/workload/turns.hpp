#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "workload/logged_request.hpp"

namespace scoville::workload {

/// Requests that follow each other, by their places in the list.
using Chain = std::vector<std::size_t>;

/// Which requests go on with which. Pure; every request is in one chain, chains are in the order of their first.
///
/// `requests` in the order of their times, or of the log where there are none. A request continues an earlier one
/// - whose messages are the beginning of its own, followed by one of the assistant; the longest such beginning, and of
///   equals the latest, first of those whose answer that was, is meant. A request is continued once: who goes on from
///   the same point again begins anew;
/// - or, where one of the two says nothing of its messages, the latest of the same session, if its prompt is at least
/// as
///   long as that one's and its answer's together, or these are not known.
/// Never one that had not ended, where that is known, nor one of another session, model or file.
std::vector<Chain> find_chains(std::span<const LoggedRequest> requests);

}  // namespace scoville::workload
