#include "model/tokenizer_file.hpp"

namespace scoville::torch_probe::model {

Result<std::unique_ptr<Tokenizer>> tokenizer_for(const std::string&, bool is_seeded) {
  return is_seeded ? byte_tokenizer() : id_tokenizer();
}

}  // namespace scoville::torch_probe::model
