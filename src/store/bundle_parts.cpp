#include "store/bundle_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/json_fields.hpp"
#include "record/bytes.hpp"
#include "text/catalogue.hpp"

namespace scoville::store {
namespace {

using text::Msg;
using text::say;

constexpr std::string_view kRuns = "runs/", kDocuments = "documents/", kJson = ".json", kBody = "\"body\":";

constexpr std::array<std::pair<PartKind, std::string_view>, 5> kFileNames{{{PartKind::fingerprint, "fingerprint.json"},
                                                                           {PartKind::plan, "plan.json"},
                                                                           {PartKind::blocks, "blocks.bin"},
                                                                           {PartKind::tails, "tails.bin"},
                                                                           {PartKind::answers, "answers.jsonl"}}};

std::string_view file_name(PartKind kind) {
  for (const auto& [known, name] : kFileNames) {
    if (known == kind) return name;
  }
  return "";
}

Error unreadable(Msg what) { return {ErrorCode::protocol, say(what)}; }

Result<std::size_t> take_frame(std::string_view bytes, const std::function<Status(const Frame&)>& each) {
  record::ByteReader in(bytes);
  Frame frame;
  frame.number = static_cast<std::int64_t>(in.number());
  frame.requests = static_cast<std::int64_t>(in.number());
  frame.events = static_cast<std::int64_t>(in.number());
  frame.heads = in.text();
  frame.tokens = in.text();
  if (in.has_failed()) {
    if (bytes.size() > kLargestFrame) return unreadable(Msg::bundle_bad_frame);
    return std::size_t{0};
  }
  if (Status taken = each(frame); !taken) return taken.error();
  return bytes.size() - in.left();
}

/// `text` without its line feed. Everything before the body is ours and takes one form only.
std::optional<AnswerLine> parse_line(std::string_view text) {
  const std::size_t body = text.find(kBody);
  if (body == std::string_view::npos || body == 0) return std::nullopt;
  json::error_code fault;
  const json::value head = json::parse(fmt::format("{}}}", text.substr(0, body - 1)), fault);
  if (fault || !head.is_object()) return std::nullopt;
  AnswerLine line;
  JsonIn in(head, "answer");
  in("request", line.request);
  in("attempt", line.attempt);
  in("is_warmup", line.is_warmup);
  if (!in.status()) return std::nullopt;
  line.body = text.substr(body + kBody.size());
  line.body.remove_suffix(line.body.empty() ? 0 : 1);
  json::parse_options lenient;  // an answer that was cut off may hold half a letter
  lenient.allow_invalid_utf8 = true;
  json::parse(line.body, fault, {}, lenient);
  if (fault) return std::nullopt;
  return line;
}

Result<std::size_t> take_line(std::string_view bytes, const std::function<Status(const AnswerLine&)>& each) {
  const std::size_t end = bytes.find('\n');
  if (end == std::string_view::npos) {
    if (bytes.size() > kLargestLine) return unreadable(Msg::bundle_bad_answer);
    return std::size_t{0};
  }
  const std::optional<AnswerLine> line = parse_line(bytes.substr(0, end));
  if (!line || answer_text(*line) != bytes.substr(0, end + 1)) return unreadable(Msg::bundle_bad_answer);
  if (Status taken = each(*line); !taken) return taken.error();
  return end + 1;
}

}  // namespace

bool is_plain_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  return !name.empty() && name.size() <= 100 && name[0] != '.' && std::all_of(name.begin(), name.end(), is_plain);
}

bool is_left_out(std::string_view document) { return document == "statistics" || document == "origin"; }

std::string PartName::path() const {
  if (kind == PartKind::document) return fmt::format("{}{}/{}{}{}", kRuns, run, kDocuments, document, kJson);
  return fmt::format("{}{}/{}", kRuns, run, file_name(kind));
}

std::optional<PartName> PartName::parse(std::string_view path) {
  const std::size_t slash = path.find('/', kRuns.size());
  if (!path.starts_with(kRuns) || slash == std::string_view::npos) return std::nullopt;
  PartName out{std::string(path.substr(kRuns.size(), slash - kRuns.size())), PartKind::document, ""};
  const std::string_view rest = path.substr(slash + 1);
  if (rest.starts_with(kDocuments) && rest.ends_with(kJson) && rest.size() > kDocuments.size() + kJson.size()) {
    out.document = rest.substr(kDocuments.size(), rest.size() - kDocuments.size() - kJson.size());
    if (!is_plain_name(out.document) || is_left_out(out.document)) return std::nullopt;
  } else {
    const auto known =
        std::find_if(kFileNames.begin(), kFileNames.end(), [&](const auto& each) { return each.second == rest; });
    if (known == kFileNames.end()) return std::nullopt;
    out.kind = known->first;
  }
  if (!is_plain_name(out.run)) return std::nullopt;
  return out;
}

std::string frame_bytes(const Frame& frame) {
  record::ByteWriter out;
  out.number(static_cast<std::uint64_t>(frame.number));
  out.number(static_cast<std::uint64_t>(frame.requests));
  out.number(static_cast<std::uint64_t>(frame.events));
  out.text(frame.heads);
  out.text(frame.tokens);
  return out.bytes();
}

std::string answer_text(const AnswerLine& line) {
  return fmt::format("{{\"request\":{},\"attempt\":{},\"is_warmup\":{},{}{}}}\n", line.request, line.attempt,
                     line.is_warmup, kBody, line.body);
}

Status Cutter::add(std::string_view bytes) {
  held_ += bytes;
  std::string_view rest = held_;
  while (!rest.empty()) {
    const Result<std::size_t> took = take_(rest);
    if (!took) return took.error();
    if (*took == 0) break;
    rest.remove_prefix(*took);
  }
  held_.erase(0, held_.size() - rest.size());
  return Done{};
}

Cutter frame_cutter(std::function<Status(const Frame&)> each) {
  return Cutter([each = std::move(each)](std::string_view bytes) { return take_frame(bytes, each); });
}

Cutter answer_cutter(std::function<Status(const AnswerLine&)> each) {
  return Cutter([each = std::move(each)](std::string_view bytes) { return take_line(bytes, each); });
}

}  // namespace scoville::store
