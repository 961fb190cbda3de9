#include <doctest/doctest.h>

#include "base/json.hpp"
#include "load/assembler.hpp"
#include "load/dialects.hpp"

// Responses API, embeddings, MindIE, LMDeploy: the frames are those of their documentation.

namespace scoville::load {
namespace {

using Kind = plan::Dialect;

plan::RequestShape full_shape() {
  plan::RequestShape shape;
  shape.model = "m";
  shape.max_tokens = 128;
  shape.ignore_eos = true;
  shape.temperature = 0.5;
  shape.top_p = 0.9;
  return shape;
}

json::value body_of(Kind kind, const plan::RequestShape& shape, const dataset::Prompt& prompt) {
  return json::parse(make_dialect(kind)->body(prompt, shape));
}

dataset::Prompt hello() {
  dataset::Prompt prompt;
  prompt.text = "Hi";
  return prompt;
}

/// A whole answer as its dialect and the assembler read it: frames 10 ms apart, the first 10 ms after the write.
struct Answer {
  Answer(Kind kind, const std::vector<std::string_view>& frames, bool is_body = false) {
    const auto dialect = make_dialect(kind);
    Assembler::Expectation expected;
    expected.keeps_text = true;
    expected.has_done_marker = dialect->has_done_marker();
    expected.has_end_frame = dialect->has_end_frame();
    expected.makes_tokens = dialect->makes_tokens();
    record.written = Instant(std::chrono::seconds(1));
    assembler.begin(record, expected);
    for (const std::string_view frame : frames) {
      const std::string bytes = std::string(frame) + std::string(64, ' ');
      stamp.at += std::chrono::milliseconds(10);
      ++stamp.read;
      if (frame == "[DONE]") {
        assembler.on_done_marker(stamp);
        continue;
      }
      const auto json = reader.read(std::string_view(bytes).substr(0, frame.size()));
      REQUIRE(json.has_value());
      dialect->interpret(*json, chunk);
      is_body ? assembler.on_whole_body(chunk) : assembler.on_chunk(chunk, stamp);
    }
    assembler.finish(BodyEnd::clean, stamp.at);
  }
  std::string text() const { return record.text->answers.empty() ? "" : record.text->answers.front(); }
  int first_token_ms() const {
    return static_cast<int>(
        std::chrono::duration_cast<std::chrono::milliseconds>(*record.first_token - *record.written).count());
  }

  event::RequestRecord record;
  Assembler assembler;
  JsonReader reader;
  Chunk chunk;
  FrameStamp stamp{Instant(std::chrono::seconds(1))};
};

}  // namespace

TEST_CASE("Responses: input is text, the limit is max_output_tokens, and no stream_options are sent") {
  CHECK(body_of(Kind::openai_responses, full_shape(), hello()) == json::parse(R"({
    "model": "m", "input": "Hi", "stream": true, "max_output_tokens": 128, "ignore_eos": true, "temperature": 0.5,
    "top_p": 0.9})"));
  CHECK(make_dialect(Kind::openai_responses)->path({}) == "/v1/responses");
}

TEST_CASE("Responses: messages become input items, with their parts renamed") {
  dataset::Prompt prompt;
  prompt.messages_json = R"([{"role":"user","content":[{"type":"text","text":"see"},
    {"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}}]},
    {"role":"assistant","content":[{"type":"text","text":"ok"}]},{"role":"user","content":"more"}])";
  CHECK(body_of(Kind::openai_responses, full_shape(), prompt).at("input") == json::parse(R"([
    {"role":"user","content":[{"type":"input_text","text":"see"},
      {"type":"input_image","image_url":"data:image/png;base64,AA"}]},
    {"role":"assistant","content":[{"type":"output_text","text":"ok"}]},{"role":"user","content":"more"}])"));
}

TEST_CASE("Responses: the first delta with text in any channel is the first token; the last event ends the stream") {
  const Answer answer(
      Kind::openai_responses,
      {R"({"type":"response.created","response":{"status":"in_progress","error":null,"usage":null}})",
       R"({"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","content":[]}})",
       R"({"type":"response.reasoning_text.delta","output_index":0,"content_index":0,"delta":"hm"})",
       R"({"type":"response.reasoning_text.done","text":"hm"})",
       R"({"type":"response.output_text.delta","delta":"","logprobs":[]})",
       R"({"type":"response.output_text.delta","delta":"He","logprobs":[]})",
       R"({"type":"response.output_text.delta","delta":"llo","logprobs":[]})",
       R"({"type":"response.output_text.done","text":"Hello"})",
       R"({"type":"response.completed","response":{"status":"completed","error":null,"incomplete_details":null,
           "output":[{"type":"message","content":[{"type":"output_text","text":"Hello"}]}],
           "usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":4},"output_tokens":3,
                    "output_tokens_details":{"reasoning_tokens":1},"total_tokens":12}}})"});
  CHECK(answer.record.succeeded());
  CHECK(answer.text() == "Hello");
  CHECK(answer.record.text->reasoning == "hm");
  CHECK(answer.record.tokens.size() == 3);
  CHECK(answer.first_token_ms() == 30);
  CHECK(*answer.record.first_answer - *answer.record.written == std::chrono::milliseconds(60));
  CHECK(*answer.record.end - *answer.record.written == std::chrono::milliseconds(90));
  CHECK(answer.record.n_out == 3);
  CHECK(answer.record.prompt_tokens == 9);
  CHECK(answer.record.cached_tokens == 4);
  CHECK(answer.record.finish_reason == "completed");
}

TEST_CASE("Responses: arguments, refusals and summaries are tokens but no answer; sound is none") {
  const auto only = [](std::string_view type) {
    const Answer answer(Kind::openai_responses, {R"({"type":")" + std::string(type) + R"(","delta":"x"})"});
    return std::tuple(answer.record.tokens.size(), answer.text(), answer.record.text->reasoning);
  };
  CHECK(only("response.output_text.delta") == std::tuple(1u, "x", ""));
  CHECK(only("response.refusal.delta") == std::tuple(1u, "", ""));
  CHECK(only("response.function_call_arguments.delta") == std::tuple(1u, "", ""));
  CHECK(only("response.reasoning_summary_text.delta") == std::tuple(1u, "", "x"));
  CHECK(only("response.audio.delta") == std::tuple(0u, "", ""));
  CHECK(only("response.output_text.done") == std::tuple(0u, "", ""));
}

TEST_CASE("Responses: incomplete is a success with its reason; failed, an error event and a cut stream are none") {
  const std::string delta = R"({"type":"response.output_text.delta","delta":"a"})";
  const Answer capped(Kind::openai_responses,
                      {delta, R"({"type":"response.incomplete","response":{"status":"incomplete",
    "incomplete_details":{"reason":"max_output_tokens"},"usage":{"input_tokens":1,"output_tokens":1}}})"});
  CHECK(capped.record.succeeded());
  CHECK(capped.record.finish_reason == "max_output_tokens");
  const Answer failed(Kind::openai_responses, {delta, R"({"type":"response.failed","response":{"status":"failed",
    "error":{"code":"server_error","message":"out of memory"}}})"});
  CHECK(failed.record.failure == event::Failure::stream_error);
  CHECK(failed.record.error_message == "out of memory");
  const Answer error(Kind::openai_responses, {delta, R"({"type":"error","code":"rate_limit","message":"slow down"})"});
  CHECK(error.record.failure == event::Failure::stream_error);
  CHECK(error.record.error_message == "slow down");
  CHECK(Answer(Kind::openai_responses, {delta}).record.failure == event::Failure::truncated);
}

TEST_CASE("Responses: the one JSON body of a server that did not stream") {
  const Answer answer(Kind::openai_responses, {R"({"object":"response","status":"completed","error":null,"output":[
    {"type":"reasoning","summary":[{"type":"summary_text","text":"why"}]},
    {"type":"message","content":[{"type":"output_text","text":"all "},{"type":"output_text","text":"of it"}]}],
    "usage":{"input_tokens":5,"output_tokens":6}})"},
                      /*is_body=*/true);
  CHECK(answer.record.succeeded());
  CHECK(answer.text() == "all of it");
  CHECK(answer.record.text->reasoning == "why");
  CHECK(answer.record.n_out == 6);
  CHECK(answer.record.flags.has(event::Flag::not_streamed));
}

TEST_CASE("embeddings: one text, or several in one request") {
  CHECK(body_of(Kind::openai_embeddings, full_shape(), hello()) == json::parse(R"({"model":"m","input":"Hi"})"));
  dataset::Prompt prompt = hello();
  prompt.more_texts = {"there", "you"};
  CHECK(body_of(Kind::openai_embeddings, full_shape(), prompt).at("input") == json::parse(R"(["Hi","there","you"])"));
}

TEST_CASE("embeddings: good with a vector in it; tokens and their latencies are not defined, and nothing is doubted") {
  for (const char* vector : {"[0.1,-0.2]", "\"zczMPc3MTL4=\""}) {  // float, base64
    const Answer answer(
        Kind::openai_embeddings,
        {R"({"object":"list","data":[{"object":"embedding","index":0,"embedding":)" + std::string(vector) +
         R"(}],"usage":{"prompt_tokens":7,"total_tokens":7,"completion_tokens":0}})"},
        /*is_body=*/true);
    CHECK(answer.record.succeeded());
    CHECK(answer.record.prompt_tokens == 7);
    CHECK_FALSE(answer.record.n_out.has_value());
    CHECK_FALSE(answer.record.makes_tokens());
    CHECK_FALSE(answer.record.first_token.has_value());
    CHECK(answer.record.end.has_value());
    CHECK(answer.record.flags.bits() == 0);
  }
  const Answer empty(Kind::openai_embeddings, {R"({"object":"list","data":[],"usage":{"prompt_tokens":7}})"}, true);
  CHECK(empty.record.failure == event::Failure::empty_output);
  const Answer refused(Kind::openai_embeddings, {R"({"error":{"message":"no pooling model"}})"}, true);
  CHECK(refused.record.failure == event::Failure::stream_error);
}

TEST_CASE("MindIE: the request of /infer") {
  CHECK(body_of(Kind::mindie, full_shape(), hello()) == json::parse(R"({"inputs":"Hi","stream":true,"parameters":
    {"details":true,"max_new_tokens":128,"temperature":0.5,"top_p":0.9}})"));
  CHECK(make_dialect(Kind::mindie)->path({}) == "/infer");
}

TEST_CASE("MindIE: the last frame repeats the whole answer, whose last piece came with no frame") {
  for (const bool is_list : {true, false}) {  // since MindIE 2, and before
    const auto id = [&](int number) { return is_list ? "[" + std::to_string(number) + "]" : std::to_string(number); };
    const std::string first =
        R"({"prefill_time":45.54,"decode_time":null,"token":{"id":)" + id(626) + R"(,"text":"am"}})";
    const std::string next =
        R"({"prefill_time":null,"decode_time":128.32,"token":{"id":)" + id(263) + R"(,"text":" 1"}})";
    const std::string last = R"({"prefill_time":null,"decode_time":16.80,"generated_text":"am 15","details":
      {"finish_reason":"length","generated_tokens":3,"seed":846930886},"token":{"id":)" +
                             id(29945) + R"(,"text":null}})";
    const Answer answer(Kind::mindie, {first, next, last});
    CHECK(answer.record.succeeded());
    CHECK(answer.text() == "am 15");
    CHECK(answer.record.answer_hash != Answer(Kind::mindie, {first, next}).record.answer_hash);
    CHECK(answer.record.tokens.size() == 3);
    CHECK(answer.record.n_out == 3);
    CHECK(answer.record.k_first == 1);
    CHECK(answer.first_token_ms() == 10);
    CHECK(answer.record.finish_reason == "length");
    CHECK_FALSE(answer.record.prompt_tokens.has_value());  // MindIE does not tell it
    CHECK(Answer(Kind::mindie, {first, next}).record.failure == event::Failure::truncated);
  }
}

TEST_CASE("MindIE: a last frame without details, and an answer that was not streamed") {
  const Answer bare(Kind::mindie, {R"({"token":{"id":4571,"text":"'m"}})",
                                   R"({"generated_text":"'m a","details":null,"token":{"id":16,"text":null}})"});
  CHECK(bare.record.succeeded());
  CHECK(bare.record.n_out == 2);  // by their ids
  const Answer body(Kind::mindie, {R"({"generated_text":"am I","details":
    {"finish_reason":"eos_token","generated_tokens":20,"seed":8}})"},
                    /*is_body=*/true);
  CHECK(body.record.succeeded());
  CHECK(body.text() == "am I");
  CHECK(body.record.n_out == 20);
}

TEST_CASE("MindIE's Triton API keeps the count and the reason in details") {
  const Answer answer(Kind::triton,
                      {R"({"text_output":"live","details":{"generated_tokens":1}})",
                       R"({"text_output":" in","details":{"finish_reason":"length","generated_tokens":2}})"});
  CHECK(answer.record.succeeded());
  CHECK(answer.text() == "live in");
  CHECK(answer.record.n_out == 2);
  CHECK(answer.record.finish_reason == "length");
}

TEST_CASE("LMDeploy: the request of /generate") {
  CHECK(body_of(Kind::lmdeploy, full_shape(), hello()) == json::parse(R"({"prompt":"Hi","stream":true,"max_tokens":128,
    "ignore_eos":true,"temperature":0.5,"top_p":0.9})"));
  CHECK(make_dialect(Kind::lmdeploy)->path({}) == "/generate");
}

TEST_CASE("LMDeploy: pieces of text with a running count, then [DONE]") {
  const Answer answer(
      Kind::lmdeploy,
      {R"({"text":"He","output_ids":[1,2],"meta_info":{"prompt_tokens":4,"completion_tokens":2,"finish_reason":null}})",
       R"({"text":"","output_ids":[3],"meta_info":{"prompt_tokens":4,"completion_tokens":3,"finish_reason":null}})",
       R"({"text":"llo","output_ids":[4],"meta_info":{"prompt_tokens":4,"completion_tokens":4,"finish_reason":null}})",
       R"({"text":"","output_ids":[],"meta_info":{"prompt_tokens":4,"completion_tokens":4,"finish_reason":{"type":"stop"}}})",
       "[DONE]"});
  CHECK(answer.record.succeeded());
  CHECK(answer.text() == "Hello");
  CHECK(answer.record.tokens.size() == 2);
  CHECK(answer.record.tokens[0].tokens == 2);
  CHECK(answer.record.tokens[1].tokens == 2);  // the one that was held back came with it
  CHECK(answer.record.k_first == 2);
  CHECK(answer.record.n_out == 4);
  CHECK(answer.record.prompt_tokens == 4);
  CHECK(answer.record.finish_reason == "stop");
}

TEST_CASE("LMDeploy's shape with all of the text so far is kept once, and said") {
  std::vector<std::string> frames;
  std::string text;
  for (int i = 1; i <= 6; ++i) {
    text += "w" + std::to_string(i) + " ";
    frames.push_back(R"({"text":")" + text + R"(","meta_info":{"completion_tokens":)" + std::to_string(i) +
                     R"(,"finish_reason":)" + (i == 6 ? R"({"type":"length"})" : "null") + "}}");
  }
  std::vector<std::string_view> views(frames.begin(), frames.end());
  views.push_back("[DONE]");
  const Answer answer(Kind::lmdeploy, views);
  CHECK(answer.text() == "w1 w2 w3 w4 w5 w6 ");
  CHECK(answer.record.flags.has(event::Flag::cumulative_text));
  CHECK(answer.record.n_out == 6);
}

TEST_CASE("TGI: an adapter goes into the parameters") {
  dataset::Prompt prompt = hello();
  prompt.model = "sql";
  CHECK(body_of(Kind::tgi, full_shape(), prompt).at_pointer("/parameters/adapter_id") == "sql");
  CHECK(body_of(Kind::openai_responses, full_shape(), prompt).at("model") == "sql");
}

TEST_CASE("errors, and frames of another shape, in the newer dialects") {
  for (const Kind kind : {Kind::openai_responses, Kind::openai_embeddings, Kind::mindie, Kind::lmdeploy}) {
    CHECK(Answer(kind, {R"({"error":{"message":"no","code":"c"}})"}).record.error_message == "no");
    for (const char* frame : {"{}", R"({"data":{}})", R"({"token":3,"text":4,"output":5,"usage":6})",
                              R"({"type":"response.completed","response":7})", R"({"output":[1,null]})"}) {
      CAPTURE(frame);
      const Answer answer(kind, {frame});
      CHECK(answer.text().empty());
      CHECK(answer.record.tokens.empty());
    }
  }
}

}  // namespace scoville::load
