#pragma once

#include <memory>

#include "load/dialect.hpp"

namespace scoville::load {

std::unique_ptr<Dialect> make_openai_chat();
std::unique_ptr<Dialect> make_openai_completions();
std::unique_ptr<Dialect> make_ollama_chat();
std::unique_ptr<Dialect> make_ollama_generate();
std::unique_ptr<Dialect> make_tgi();
std::unique_ptr<Dialect> make_triton();
std::unique_ptr<Dialect> make_openai_responses();
std::unique_ptr<Dialect> make_openai_embeddings();
std::unique_ptr<Dialect> make_mindie();
std::unique_ptr<Dialect> make_lmdeploy();

}  // namespace scoville::load
