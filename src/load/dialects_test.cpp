#include "load/dialects.hpp"

#include <doctest/doctest.h>

#include "base/json.hpp"

namespace scoville::load {
namespace {

/// Everything asked for that a shape can ask for.
plan::RequestShape full_shape() {
  plan::RequestShape shape;
  shape.model = "m";
  shape.max_tokens = 128;
  shape.ignore_eos = true;
  shape.n = 2;
  shape.temperature = 0.5;
  shape.top_p = 0.9;
  return shape;
}

plan::RequestShape bare_shape() {
  plan::RequestShape shape;
  shape.model = "m";
  return shape;
}

json::value body_of(plan::Dialect kind, const plan::RequestShape& shape, const dataset::Prompt& prompt) {
  return json::parse(make_dialect(kind)->body(prompt, shape));
}

json::value body_of(plan::Dialect kind, const plan::RequestShape& shape) {
  dataset::Prompt prompt;
  prompt.text = "Hi \"there\"\n";
  return body_of(kind, shape, prompt);
}

/// One frame as its dialect reads it. Keeps the bytes that the views look at.
struct Read {
  Read(plan::Dialect kind, std::string_view frame) : bytes(std::string(frame) + std::string(64, ' ')) {
    const auto json = reader.read(std::string_view(bytes).substr(0, frame.size()));
    REQUIRE(json.has_value());
    make_dialect(kind)->interpret(*json, chunk);
  }
  const ChoiceDelta& only() const {
    REQUIRE(chunk.choices.size() == 1);
    return chunk.choices.front();
  }
  std::string bytes;
  JsonReader reader;
  Chunk chunk;
};

using Kind = plan::Dialect;

constexpr Kind kAll[] = {Kind::openai, Kind::openai_completions, Kind::ollama_chat, Kind::ollama_generate, Kind::tgi,
                         Kind::triton};

}  // namespace

TEST_CASE("chat completions: the request asks for all that was asked for") {
  CHECK(body_of(Kind::openai, full_shape()) == json::parse(R"({
    "model": "m", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 128, "ignore_eos": true,
    "n": 2, "temperature": 0.5, "top_p": 0.9, "messages": [{"role": "user", "content": "Hi \"there\"\n"}]})"));
  plan::RequestShape shape = bare_shape();
  shape.include_usage = false;
  CHECK(body_of(Kind::openai, shape) == json::parse(R"({
    "model": "m", "stream": true, "messages": [{"role": "user", "content": "Hi \"there\"\n"}]})"));
}

TEST_CASE("completions: the prompt is text, the rest as in chat") {
  CHECK(body_of(Kind::openai_completions, full_shape()) == json::parse(R"({
    "model": "m", "stream": true, "stream_options": {"include_usage": true}, "max_tokens": 128, "ignore_eos": true,
    "n": 2, "temperature": 0.5, "top_p": 0.9, "prompt": "Hi \"there\"\n"})"));
}

TEST_CASE("Ollama: limits and sampling stand in options") {
  CHECK(body_of(Kind::ollama_chat, full_shape()) == json::parse(R"({
    "model": "m", "stream": true, "options": {"num_predict": 128, "temperature": 0.5, "top_p": 0.9},
    "messages": [{"role": "user", "content": "Hi \"there\"\n"}]})"));
  CHECK(body_of(Kind::ollama_generate, bare_shape()) ==
        json::parse(R"({"model": "m", "stream": true, "prompt": "Hi \"there\"\n"})"));
}

TEST_CASE("TGI and Triton: the native members") {
  CHECK(body_of(Kind::tgi, full_shape()) == json::parse(R"({"inputs": "Hi \"there\"\n", "stream": true, "parameters": {
    "details": true, "decoder_input_details": false, "max_new_tokens": 128, "ignore_eos_token": true,
    "temperature": 0.5, "top_p": 0.9}})"));
  CHECK(body_of(Kind::triton, full_shape()) == json::parse(R"({
    "text_input": "Hi \"there\"\n", "stream": true, "max_tokens": 128, "temperature": 0.5, "top_p": 0.9})"));
}

TEST_CASE("the limit goes under the name that the server takes") {
  plan::RequestShape shape = full_shape();
  shape.max_tokens_field = "max_completion_tokens";
  const json::value body = body_of(Kind::openai, shape);
  CHECK(body.at("max_completion_tokens") == 128);
  CHECK_FALSE(body.as_object().contains("max_tokens"));
}

TEST_CASE("in every dialect --extra-body adds members, and wins over ours") {
  for (const Kind kind : kAll) {
    plan::RequestShape shape = full_shape();
    shape.extra_body = R"({"stream": false, "chat_template_kwargs": {"enable_thinking": false}})";
    const json::value body = body_of(kind, shape);
    CHECK(body.at("stream") == false);
    CHECK(body.at_pointer("/chat_template_kwargs/enable_thinking") == false);
  }
}

TEST_CASE("a prompt's own limit and its messages go before the plan's") {
  dataset::Prompt prompt;
  prompt.max_tokens = 7;
  prompt.messages_json = R"([{"role":"system","content":"s"},{"role":"user","content":"u"}])";
  const json::value chat = body_of(Kind::openai, full_shape(), prompt);
  CHECK(chat.at("max_tokens") == 7);
  CHECK(chat.at("messages") == json::parse(prompt.messages_json));
  CHECK(body_of(Kind::ollama_chat, full_shape(), prompt).at("messages") == json::parse(prompt.messages_json));
  CHECK(body_of(Kind::tgi, full_shape(), prompt).at_pointer("/parameters/max_new_tokens") == 7);
}

TEST_CASE("each dialect has its path; Triton's holds the model") {
  const std::string_view paths[] = {"/v1/chat/completions", "/v1/completions",  "/api/chat",
                                    "/api/generate",        "/generate_stream", "/v2/models/m/generate_stream"};
  for (std::size_t i = 0; i < std::size(kAll); ++i) CHECK(make_dialect(kAll[i])->path(bare_shape()) == paths[i]);
}

TEST_CASE("how a dialect's stream ends") {
  const auto ends = [](Kind kind) {
    const auto made = make_dialect(kind);
    return std::tuple(made->has_done_marker(), made->has_end_frame(), made->is_line_delimited());
  };
  CHECK(ends(Kind::openai) == std::tuple(true, false, false));
  CHECK(ends(Kind::openai_completions) == std::tuple(true, false, false));
  CHECK(ends(Kind::ollama_chat) == std::tuple(false, true, true));
  CHECK(ends(Kind::ollama_generate) == std::tuple(false, true, true));
  CHECK(ends(Kind::tgi) == std::tuple(false, false, false));
  CHECK(ends(Kind::triton) == std::tuple(false, false, false));
}

TEST_CASE("chat: every channel with text is a token event, only content is answer text") {
  const auto delta = [](const std::string& members) {
    const Read read(Kind::openai, R"({"choices":[{"index":0,"delta":{)" + members + "}}]}");
    const ChoiceDelta& only = read.only();
    return std::tuple(std::string(only.answer), std::string(only.reasoning), only.has_token);
  };
  CHECK(delta(R"("content":"a")") == std::tuple("a", "", true));
  CHECK(delta(R"("role":"assistant","content":"")") == std::tuple("", "", false));
  CHECK(delta(R"("content":null)") == std::tuple("", "", false));
  CHECK(delta(R"("content":[{"type":"text","text":"a"},{"type":"text","text":"b"}])") == std::tuple("ab", "", true));
  CHECK(delta(R"("content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}])") ==
        std::tuple("", "h", true));
  for (const char* name : {"reasoning_content", "reasoning", "thinking"}) {
    CHECK(delta('"' + std::string(name) + R"(":"h")") == std::tuple("", "h", true));
  }
  CHECK(delta(R"("reasoning_content":"h","reasoning":"h")") == std::tuple("", "h", true));  // told twice, said once
  CHECK(delta(R"("refusal":"no")") == std::tuple("", "", true));
  CHECK(delta(R"("tool_calls":[{"index":0,"function":{"name":"f"}}])") == std::tuple("", "", true));
  CHECK(delta(R"("tool_calls":[{"index":0,"function":{"arguments":""}}])") == std::tuple("", "", false));
  CHECK(delta(R"("function_call":{"arguments":"{"})") == std::tuple("", "", true));
}

TEST_CASE("chat: texts that come in parts stay apart when several choices come in one frame") {
  std::string frame = R"({"choices":[)";
  for (int i = 0; i < 40; ++i) {
    const std::string text(static_cast<std::size_t>(i + 1), 'x');
    frame += (i ? "," : "") + std::string(R"({"index":)") + std::to_string(i) + R"(,"delta":{"content":["a",")" + text +
             R"("]}})";
  }
  const Read read(Kind::openai, frame + "]}");
  REQUIRE(read.chunk.choices.size() == 40);
  for (std::size_t i = 0; i < 40; ++i) CHECK(read.chunk.choices[i].answer == "a" + std::string(i + 1, 'x'));
}

TEST_CASE("chat: usage, cached tokens, exact lists, finish reason, llama.cpp's timings") {
  const Read read(Kind::openai, R"({"choices":[{"index":1,"delta":{"content":"a"},"finish_reason":"stop",
    "logprobs":{"content":[{"token":"x"},{"token":"y"}]}}],"emit_ns":42,
    "usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":8}},
    "timings":{"prompt_n":1,"cache_n":8,"predicted_n":4,"predicted_ms":50.0}})");
  CHECK(read.only().index == 1);
  CHECK(read.only().exact_tokens == 2);
  CHECK(read.only().has_finish);
  CHECK(read.only().finish_reason == "stop");
  CHECK(read.chunk.prompt_tokens == 9);
  CHECK(read.chunk.completion_tokens == 4);
  CHECK(read.chunk.cached_tokens == 8);
  CHECK(read.chunk.emit_ns == 42);
  REQUIRE(read.chunk.server.has_value());
  CHECK(read.chunk.server->decode_tokens_per_s == doctest::Approx(80.0));  // 4 tokens in 50 ms
  CHECK(read.chunk.server_decode_s == doctest::Approx(0.05));
  const Read empty(Kind::openai, R"({"choices":[{"index":0,"delta":{},"finish_reason":""}],"usage":null})");
  CHECK_FALSE(empty.only().has_finish);
  CHECK_FALSE(empty.chunk.completion_tokens.has_value());
}

TEST_CASE("chat: the one body of a server that did not stream reads as a message") {
  const Read read(
      Kind::openai,
      R"({"choices":[{"index":0,"message":{"role":"assistant","content":"all"},"finish_reason":"length"}]})");
  CHECK(read.only().answer == "all");
  CHECK(read.only().finish_reason == "length");
}

TEST_CASE("completions: text, token ids, logprobs") {
  const Read read(Kind::openai_completions,
                  R"({"choices":[{"index":0,"text":" a","token_ids":[1,2,3],"finish_reason":null}]})");
  CHECK(read.only().answer == " a");
  CHECK(read.only().exact_tokens == 3);
  CHECK_FALSE(read.only().has_finish);
  CHECK(Read(Kind::openai_completions, R"({"choices":[{"text":"a","logprobs":{"tokens":["a","b"]}}]})")
            .only()
            .exact_tokens == 2);
}

TEST_CASE("Ollama: a line a token, and counters in the last one") {
  CHECK(Read(Kind::ollama_chat, R"({"message":{"role":"assistant","content":"a"},"done":false})").only().answer == "a");
  CHECK(Read(Kind::ollama_chat, R"({"message":{"content":"","thinking":"h"},"done":false})").only().reasoning == "h");
  CHECK(Read(Kind::ollama_generate, R"({"response":"a","done":false})").only().has_token);
  CHECK_FALSE(Read(Kind::ollama_generate, R"({"response":"a","done":false})").chunk.is_end);
  const Read last(Kind::ollama_generate, R"({"response":"","done":true,"done_reason":"stop","prompt_eval_count":5,
    "eval_count":20,"eval_duration":500000000})");
  CHECK(last.chunk.is_end);
  CHECK_FALSE(last.only().has_token);
  CHECK(last.only().finish_reason == "stop");
  CHECK(last.chunk.prompt_tokens == 5);
  CHECK(last.chunk.completion_tokens == 20);
  CHECK(last.chunk.server->decode_tokens_per_s == doctest::Approx(40.0));  // 20 in half a second
}

TEST_CASE("Ollama: a decode time of 0 gives no rate") {
  const Read last(Kind::ollama_chat, R"({"done":true,"eval_count":20,"eval_duration":0})");
  CHECK_FALSE(last.chunk.server->decode_tokens_per_s.has_value());
  CHECK(last.chunk.server_decode_s == 0.0);
}

TEST_CASE("TGI: one token an object; the special one was generated, but is no text") {
  const Read token(Kind::tgi, R"({"token":{"id":5,"text":"A","special":false},"generated_text":null,"details":null})");
  CHECK(token.only().answer == "A");
  CHECK(token.only().exact_tokens == 1);
  const Read last(Kind::tgi, R"({"token":{"id":2,"text":"</s>","special":true},"generated_text":"A",
    "details":{"finish_reason":"eos_token","generated_tokens":2,"input_length":7}})");
  CHECK(last.only().answer.empty());
  CHECK(last.only().has_token);
  CHECK(last.only().finish_reason == "eos_token");
  CHECK(last.chunk.completion_tokens == 2);
  CHECK(last.chunk.prompt_tokens == 7);
}

TEST_CASE("Triton: text_output, and its own words for the end") {
  const Read read(Kind::triton, R"({"model_name":"m","text_output":"a","output_token_ids":[1,2]})");
  CHECK(read.only().answer == "a");
  CHECK(read.only().exact_tokens == 2);
  CHECK_FALSE(read.only().has_finish);
  CHECK(Read(Kind::triton, R"({"text_output":"","triton_final_response":true})").only().has_finish);
}

TEST_CASE("in every dialect an error object is told from an answer, whatever its form") {
  for (const Kind kind : kAll) {
    const auto error = [&](std::string_view frame) {
      const Read read(kind, frame);
      CHECK(read.chunk.choices.empty());
      return std::tuple(read.chunk.is_error, read.chunk.error_message, read.chunk.error_code, read.chunk.error_param);
    };
    CHECK(error(R"({"error":{"message":"no","type":"t","param":"p","code":"c"}})") == std::tuple(true, "no", "c", "p"));
    CHECK(error(R"({"error":{"message":"no","code":400,"param":null}})") == std::tuple(true, "no", "400", ""));
    CHECK(error(R"({"error":{"msg":"no","type":"t"}})") == std::tuple(true, "no", "t", ""));
    CHECK(error(R"({"error":"no","error_type":"generation"})") == std::tuple(true, "no", "generation", ""));
    CHECK(error(R"({"object":"error","message":"no","code":40303})") == std::tuple(true, "no", "40303", ""));
  }
  CHECK_FALSE(Read(Kind::openai, R"({"error":null,"choices":[{"delta":{"content":"a"}}]})").chunk.is_error);
}

TEST_CASE("frames of another shape say nothing, and break nothing") {
  for (const Kind kind : kAll) {
    for (const char* frame : {"{}", "[]", "1", "\"x\"", R"({"choices":{}})", R"({"choices":[1,null,"x"]})",
                              R"({"choices":[{"index":-3,"delta":[]}]})", R"({"choices":[{"index":9999}]})",
                              R"({"message":1,"response":2,"token":3,"text_output":4,"usage":5,"details":6})"}) {
      CAPTURE(frame);
      const Read read(kind, frame);
      for (const ChoiceDelta& each : read.chunk.choices) CHECK(each.answer.empty());
      CHECK_FALSE(read.chunk.completion_tokens.has_value());
    }
  }
}

TEST_CASE(
    "a body that a row of a batch file gives is sent as it is, but streamed, and with the run's model where it names "
    "none") {
  dataset::Prompt prompt;
  prompt.body_json = R"({"messages":[{"role":"user","content":"u"}],"temperature":0.1,"stream":false})";
  for (const Kind kind : {Kind::openai, Kind::openai_completions, Kind::openai_responses, Kind::openai_embeddings}) {
    const json::object body = body_of(kind, full_shape(), prompt).as_object();
    CHECK(body.at("messages").at(0).at("content") == "u");
    CHECK(body.at("temperature") == 0.1);
    CHECK(body.at("model") == "m");
    CHECK(body.at("stream") == (kind != Kind::openai_embeddings));
    const bool has_options = kind == Kind::openai || kind == Kind::openai_completions;
    CHECK(body.contains("stream_options") == has_options);
  }
  prompt.body_json = R"({"model":"own","input":"x"})";
  CHECK(body_of(Kind::openai_embeddings, full_shape(), prompt).at("model") == "own");
}

}  // namespace scoville::load
