#include "cli/sweep_show.hpp"

#include "cli/sweep_book.hpp"
#include "cli/sweep_shapes.hpp"

namespace scoville::cli {

Result<std::string> show_sweep(const store::RunStore& store, const std::string& name, const std::vector<double>& at,
                               bool as_json) {
  const Result<std::optional<report::ShapesView>> shapes = stored_shapes(store, name);
  if (!shapes) return shapes.error();
  if (*shapes) return as_json ? pretty(report::shapes_json(**shapes)) : report::shapes_table(**shapes);
  const Result<SweepBook> book = SweepBook::open(store, name);
  if (!book) return book.error();
  const Result<report::SweepView> view = book->view(&store, at);
  if (!view) return view.error();
  return as_json ? pretty(report::sweep_json(*view)) : report::sweep_table(*view);
}

}  // namespace scoville::cli
