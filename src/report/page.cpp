#include "report/page.hpp"

#include "text/table.hpp"
#include "text/width.hpp"

namespace scoville::report {
namespace {

using Kind = PageBlock::Kind;

/// What would be markup stands as itself. A cell has no line feed.
std::string in_markdown(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\n') {
      out += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>#|").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string in_html(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& each : cells) out += " " + in_markdown(each) + " |";
  return out + "\n";
}

std::string markdown_table(const PageBlock& block) {
  std::string out = markdown_row(block.head) + "|";
  for (std::size_t i = 0; i < block.head.size(); ++i) out += i == 0 ? "---|" : "---:|";
  out += "\n";
  for (const auto& row : block.rows) out += markdown_row(row);
  return out;
}

std::string html_table(const PageBlock& block) {
  std::string out = "<table><thead><tr>";
  for (const std::string& each : block.head) out += "<th>" + in_html(each) + "</th>";
  out += "</tr></thead><tbody>\n";
  for (const auto& row : block.rows) {
    out += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const char* const tag = i == 0 ? "th" : "td";
      out += std::string("<") + tag + ">" + in_html(row[i]) + "</" + tag + ">";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

std::string markdown_of(const PageBlock& block) {
  switch (block.kind) {
    case Kind::heading:
      return "## " + in_markdown(block.text) + "\n";
    case Kind::lead:
      return "**" + in_markdown(block.text) + "**\n";
    case Kind::paragraph:
      return in_markdown(block.text) + "\n";
    case Kind::small:
      return "<sub>" + in_markdown(block.text) + "</sub>\n";
    case Kind::table:
      return markdown_table(block);
    case Kind::list:
      break;
  }
  std::string out;
  for (const std::string& each : block.items) out += "- " + in_markdown(each) + "\n";
  return out;
}

std::string html_of(const PageBlock& block) {
  switch (block.kind) {
    case Kind::heading:
      return "<h2>" + in_html(block.text) + "</h2>\n";
    case Kind::lead:
      return "<p class=\"lead " + in_html(block.tone) + "\">" + in_html(block.text) + "</p>\n";
    case Kind::paragraph:
      return "<p>" + in_html(block.text) + "</p>\n";
    case Kind::small:
      return "<p class=\"small\">" + in_html(block.text) + "</p>\n";
    case Kind::table:
      return html_table(block);
    case Kind::list:
      break;
  }
  std::string out = "<ul>\n";
  for (const std::string& each : block.items) out += "<li>" + in_html(each) + "</li>\n";
  return out + "</ul>\n";
}

std::string text_table(const PageBlock& block, std::size_t width) {
  text::Table table(block.head);
  const std::size_t most = width * 2 / 5;
  for (std::vector<std::string> row : block.rows) {
    row.front() = text::shorten(row.front(), most);
    table.add_row(std::move(row));
  }
  return table.render();
}

std::string text_of(const PageBlock& block, std::size_t width) {
  switch (block.kind) {
    case Kind::heading:
      return block.text + "\n";
    case Kind::lead:
    case Kind::paragraph:
    case Kind::small:
      return text::wrapped(block.text, width, 0);
    case Kind::table:
      return text_table(block, width);
    case Kind::list:
      break;
  }
  std::string out;
  for (const std::string& each : block.items) out += text::wrapped("  - " + each, width, 4);
  return out;
}

/// Colours of the leads keep a contrast of 4.5 : 1 on white, and each has a bar beside it, for print in black.
constexpr const char* kStyle = R"(
@page { size: A4; margin: 10mm 14mm; }
* { box-sizing: border-box; }
body { font: 9pt/1.3 "Helvetica Neue", Arial, "Noto Sans CJK SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", sans-serif;
  color: #1a1a1a; background: #fff; max-width: 182mm; margin: 0 auto; padding: 8mm 0; }
@media print { body { padding: 0; } }
h1 { font-size: 13pt; line-height: 1.2; margin: 0 0 1.5mm; }
h2 { font-size: 10pt; margin: 2.5mm 0 0.8mm; border-bottom: 0.3mm solid #bbb; padding-bottom: 0.5mm; }
p { margin: 0.8mm 0; }
.lead { font-size: 11pt; font-weight: 600; padding: 1.5mm 3mm; border-left: 1.2mm solid #666; background: #f4f4f4; }
.good { border-color: #17643a; color: #17643a; } .bad { border-color: #a3211b; color: #a3211b; } .open { border-color: #7a5200; color: #7a5200; }
table { border-collapse: collapse; width: 100%; font-size: 8.5pt; font-variant-numeric: tabular-nums; }
th, td { padding: 0.4mm 1.5mm; text-align: right; border-bottom: 0.2mm solid #ddd; vertical-align: top; }
th:first-child { text-align: left; font-weight: 400; } thead th { font-weight: 600; border-bottom: 0.3mm solid #888; }
ul { margin: 1mm 0; padding-left: 5mm; } li { margin: 0.2mm 0; }
.small { font-size: 7.5pt; color: #595959; }
)";

}  // namespace

void Page::heading(std::string text) { blocks.push_back({Kind::heading, std::move(text), {}, {}, {}, ""}); }
void Page::paragraph(std::string text) { blocks.push_back({Kind::paragraph, std::move(text), {}, {}, {}, ""}); }
void Page::small(std::string text) { blocks.push_back({Kind::small, std::move(text), {}, {}, {}, ""}); }
void Page::lead(std::string text, std::string tone) {
  blocks.push_back({Kind::lead, std::move(text), {}, {}, {}, std::move(tone)});
}
void Page::table(std::vector<std::string> head, std::vector<std::vector<std::string>> rows) {
  blocks.push_back({Kind::table, "", std::move(head), std::move(rows), {}, ""});
}
void Page::list(std::vector<std::string> items) { blocks.push_back({Kind::list, "", {}, {}, std::move(items), ""}); }

std::string page_markdown(const Page& page) {
  std::string out = "# " + in_markdown(page.title) + "\n";
  for (const PageBlock& each : page.blocks) out += "\n" + markdown_of(each);
  return out;
}

std::string page_text(const Page& page, std::size_t width) {
  std::string out = text::wrapped(page.title, width, 0);
  bool follows_heading = false;
  for (const PageBlock& each : page.blocks) {
    const bool is_tight = follows_heading || each.kind == Kind::small;
    out += (is_tight ? "" : "\n") + text_of(each, width);
    follows_heading = each.kind == Kind::heading;
  }
  return out;
}

std::string page_html(const Page& page) {
  std::string out = "<!doctype html>\n<html lang=\"" + in_html(page.language) +
                    "\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>" +
                    in_html(page.title) + "</title><style>" + kStyle + "</style></head><body>\n<h1>" +
                    in_html(page.title) + "</h1>\n";
  for (const PageBlock& each : page.blocks) out += html_of(each);
  return out + "</body></html>\n";
}

}  // namespace scoville::report
