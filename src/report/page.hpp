#pragma once

#include <string>
#include <vector>

namespace scoville::report {

/// A piece of a page. Its texts are plain: each rendering marks what would mean something in its own form.
struct PageBlock {
  enum class Kind { heading, paragraph, lead, table, list, small };
  Kind kind = Kind::paragraph;
  std::string text;                            ///< of heading, paragraph, lead (what is read first) and small print
  std::vector<std::string> head;               ///< of a table: its columns; the first is flush left, others right
  std::vector<std::vector<std::string>> rows;  ///< of a table
  std::vector<std::string> items;              ///< of a list
  std::string tone;                            ///< of a lead: "good", "bad", "open"; it colours, and never says
};

/// Something to be printed on one sheet of A4: what it holds, apart from how it looks.
struct Page {
  std::string title, language;  ///< language: "en", "zh-CN"
  std::vector<PageBlock> blocks;

  void heading(std::string text);
  void paragraph(std::string text);
  void small(std::string text);
  void lead(std::string text, std::string tone);
  void table(std::vector<std::string> head, std::vector<std::vector<std::string>> rows);
  void list(std::vector<std::string> items);
};

/// GitHub's dialect of Markdown.
std::string page_markdown(const Page& page);
/// For a terminal of so many columns.
std::string page_text(const Page& page, std::size_t width);
/// One file, nothing to be fetched, set for printing on A4.
std::string page_html(const Page& page);

}  // namespace scoville::report
