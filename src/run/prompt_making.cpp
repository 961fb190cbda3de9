#include "run/prompt_making.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "dataset/conversations.hpp"
#include "dataset/detect_counter.hpp"
#include "dataset/dialogue_rows.hpp"
#include "dataset/grouped_prompts.hpp"
#include "dataset/jsonl.hpp"
#include "dataset/probe_counter.hpp"
#include "dataset/rows_report.hpp"
#include "dataset/synthetic.hpp"
#include "dataset/trace_prompts.hpp"
#include "dataset/vocabulary.hpp"
#include "text/catalogue.hpp"

namespace scoville::run {
namespace {

using dataset::Dataset;
using dataset::Dialogues;
using dataset::LengthModel;
using dataset::Workload;
using text::Msg;
using text::say;

constexpr std::size_t kProbeWords = 128, kProbeCheckWords = 64;  // real generations are slow: few and short
constexpr std::size_t kMostCounts = 1024;                        // of recorded texts

Error invalid(std::string sentence) { return {ErrorCode::invalid_argument, std::move(sentence)}; }

/// Where no count can be had: one token a word is assumed, and said to be.
LengthModel assumed_model() {
  LengthModel model;
  const auto words = dataset::vocabulary();
  model.offset = 1;
  model.words.assign(words.begin(), words.end());
  model.method = "assumed";
  model.knows_template = false;
  return model;
}

/// Whether a list of messages has a part that is no text.
bool has_more_than_text(const std::string& messages_json) {
  json::error_code fault;
  const json::value messages = json::parse(messages_json, fault);
  if (fault || !messages.is_array()) return false;
  for (const json::value& each : messages.get_array()) {
    const json::object* const message = each.if_object();
    const json::value* const content = message ? message->if_contains("content") : nullptr;
    if (!content || !content->is_array()) continue;
    for (const json::value& part : content->get_array()) {
      const json::value* const type = part.is_object() ? part.get_object().if_contains("type") : nullptr;
      if (type && type->is_string() && type->get_string() != "text") return true;
    }
  }
  return false;
}

/// One run's prompts in the making.
class Making {
 public:
  Making(const PromptPlan& plan, const ServerAccess& server) : plan_(plan), server_(server) {}

  Result<MadePrompts> run() {
    if (!plan_.file && !plan_.generated) return synthetic();
    if (plan_.generated) return of_lengths(*plan_.generated, plan_.generated_description, /*is_generated=*/true);
    if (const dataset::BatchPrompts* requests = plan_.file->batch()) return of_batch(*requests);
    if (auto left_out = dataset::left_out_warning(plan_.file->name, plan_.file->bad(), plan_.file->rows())) {
      if (!std::holds_alternative<dataset::JsonlRows>(plan_.file->content)) warn(std::move(*left_out));
    }
    if (const Workload* lengths = plan_.file->workload()) return of_file(*lengths);
    if (const auto* dialogues = std::get_if<Dialogues>(&plan_.file->content)) return of_dialogues(*dialogues);
    return of_rows(std::get<dataset::JsonlRows>(plan_.file->content));
  }

 private:
  void warn(dataset::Warning warning) { made_.warnings.push_back(std::move(warning)); }

  const std::string& name() const { return plan_.file->name; }

  std::optional<std::uint32_t> context_limit() const {
    if (plan_.context_limit || !server_.context) return plan_.context_limit;
    return server_.context();
  }

  Result<LengthModel> find_lengths() {
    auto counter = dataset::detect_counter(server_.post, server_.model, server_.api);
    if (!counter) return counter.error();
    std::span<const std::string_view> words = dataset::vocabulary();
    dataset::SolveOptions solving;
    if (!*counter) {
      *counter = std::make_unique<dataset::ProbeCounter>(server_.usage_of);
      words = words.first(std::min(kProbeWords, words.size()));
      solving.check_words = kProbeCheckWords;
    }
    Result<LengthModel> model = dataset::solve(**counter, words, solving);
    if (!model && model.error().code == ErrorCode::unsupported) return assumed_model();
    if (!model) return model;
    if (!model->check_prompt.empty()) {
      if (const Result<std::int64_t> usage = server_.usage_of(model->check_prompt)) model->confirm(*usage);
    }
    return model;
  }

  /// The model of lengths, and what is to be said of it.
  Result<LengthModel> lengths() {
    Result<LengthModel> model = find_lengths();
    if (!model) return model;
    for (dataset::Warning& each : model->warnings()) warn(std::move(each));
    made_.token_method = model->method;
    made_.length_is_exact = model->is_exact && model->is_confirmed;
    made_.fixed_tokens = model->offset;
    return model;
  }

  Result<MadePrompts> synthetic() {
    Result<LengthModel> model = lengths();
    if (!model) return model.error();
    dataset::SyntheticOptions options;
    if (plan_.input) options.input = *plan_.input;
    options.output = plan_.output;
    options.pairs = plan_.pairs;
    options.seed = plan_.seed;
    options.salt = plan_.salt;
    Result<dataset::SyntheticPrompts> prompts = dataset::SyntheticPrompts::create(std::move(*model), options);
    if (!prompts) return prompts.error();
    made_.source = std::make_unique<dataset::SyntheticPrompts>(std::move(*prompts));
    if (plan_.images.per_request > 0) {
      made_.source =
          std::make_unique<dataset::ImagePrompts>(std::move(made_.source), plan_.images, plan_.seed, plan_.salt);
      made_.length_is_exact = false;
    }
    if (plan_.inputs_per_request > 1)
      made_.source = std::make_unique<dataset::GroupedPrompts>(std::move(made_.source), plan_.inputs_per_request);
    return std::move(made_);
  }

  Result<MadePrompts> of_lengths(Workload workload, const text::Phrase& description, bool is_generated) {
    Result<LengthModel> model = lengths();
    if (!model) return model.error();
    dataset::TraceOptions options;
    options.name = is_generated ? description.said() : name();
    options.description = description;
    options.api = server_.api;
    options.seed = plan_.seed;
    options.salt = plan_.salt;
    options.is_generated = is_generated;
    auto prompts = std::make_unique<dataset::TracePrompts>(std::move(*model), std::move(workload), std::move(options));
    for (dataset::Warning& each : prompts->warnings()) warn(std::move(each));
    made_.source = std::move(prompts);
    return std::move(made_);
  }

  Result<MadePrompts> of_file(Workload workload) {
    if (plan_.output_tokens) {
      for (auto& chain : workload.chains) {
        for (auto& turn : chain.turns) turn.output_tokens = *plan_.output_tokens;
      }
    }
    if (plan_.prunes_like_vllm) {
      const std::size_t before = workload.chains.size();
      const std::size_t pruned = std::erase_if(workload.chains, [](const dataset::WorkloadChain& chain) {
        return dataset::vllm_prunes(chain.turns.front().input_tokens, chain.turns.front().output_tokens);
      });
      if (Status left = check_pruned(before, pruned, workload.chains.size()); !left) return left.error();
    }
    if (const auto limit = context_limit()) {
      const auto dropped = dataset::drop_too_long(workload, *limit);
      if (Status left = check_dropped(dropped, *limit, workload.chains.size()); !left) return left.error();
    }
    const std::uint64_t requests = dataset::requests_of(workload);
    const std::string_view format = dataset::name_of(plan_.file->format);
    const text::Phrase description =
        requests == workload.chains.size()
            ? text::phrase(Msg::workload_prompts, name(), format, requests)
            : text::phrase(Msg::workload_conversations, name(), format, workload.chains.size(), requests);
    return of_lengths(std::move(workload), description, /*is_generated=*/false);
  }

  Result<MadePrompts> of_rows(dataset::JsonlRows rows) {
    if (!server_.takes_images) drop_images(rows);
    dataset::JsonlOptions options;
    options.context_limit = context_limit();
    options.output_tokens = plan_.output_tokens;
    options.api = server_.api;
    Result<dataset::JsonlPrompts> prompts = dataset::JsonlPrompts::create(name(), std::move(rows), options);
    if (!prompts) return prompts.error();
    for (dataset::Warning& each : prompts->warnings()) warn(std::move(each));
    made_.source = std::make_unique<dataset::JsonlPrompts>(std::move(*prompts));
    return std::move(made_);
  }

  Result<MadePrompts> of_batch(const dataset::BatchPrompts& requests) {
    for (dataset::Warning& each : requests.warnings()) warn(std::move(each));
    made_.source = std::make_unique<dataset::BatchPrompts>(requests);
    return std::move(made_);
  }

  Result<MadePrompts> of_dialogues(Dialogues dialogues) {
    if (Status sendable = drop_unsendable(dialogues); !sendable) return sendable.error();
    if (Status chosen = choose(dialogues, context_limit()); !chosen) return chosen.error();
    std::size_t turns = 0;
    for (const auto& row : dialogues.rows) turns += row.turns.size();
    dataset::ConversationOptions options;
    const std::string_view format = dataset::name_of(plan_.file->format);
    options.description = turns == dialogues.rows.size()
                              ? text::phrase(Msg::first_turn_prompts, dialogues.rows.size(), name(), format)
                              : text::phrase(Msg::conversation_prompts, dialogues.rows.size(), name(), format, turns);
    options.api = server_.api;
    options.think = plan_.think;
    made_.source = std::make_unique<dataset::ConversationPrompts>(std::move(dialogues), std::move(options));
    return std::move(made_);
  }

  void drop_images(dataset::JsonlRows& rows) {
    std::erase_if(rows.rows, [&](const dataset::JsonlRow& row) {
      const bool has_more = has_more_than_text(row.messages_json);
      if (has_more) rows.bad.push_back({row.line, std::nullopt, say(Msg::images_need_chat)});
      return has_more;
    });
  }

  /// Images and the like do not go to every API.
  Status drop_unsendable(Dialogues& dialogues) {
    if (server_.takes_images) return Done{};
    std::vector<dataset::BadLine> bad;
    std::erase_if(dialogues.rows, [&](const dataset::Dialogue& row) {
      const bool has_more =
          std::any_of(row.turns.begin(), row.turns.end(), [](const auto& turn) { return turn.has_more_than_text; });
      if (has_more) bad.push_back({row.line, std::nullopt, say(Msg::images_need_chat)});
      return has_more;
    });
    if (dialogues.rows.empty()) return dataset::unusable(name(), bad);
    if (auto left_out = dataset::left_out_warning(name(), bad, dialogues.rows.size())) warn(std::move(*left_out));
    return Done{};
  }

  /// Finds the lengths of as many rows as will be used, and leaves out those that are not to be: others then take
  /// their place.
  Status choose(Dialogues& dialogues, std::optional<std::uint32_t> limit) {
    if (plan_.output_tokens) dataset::fix_outputs(dialogues, *plan_.output_tokens);
    dataset::LengthsWanted wanted;
    wanted.outputs = !plan_.output_tokens;
    wanted.inputs = limit || plan_.prunes_like_vllm;
    wanted.rows = plan_.rows ? plan_.rows : dialogues.rows.size();
    if (!wanted.outputs && !wanted.inputs) return Done{};
    auto counter = dataset::detect_counter(server_.post, server_.model, server_.api);
    if (!counter) return counter.error();
    dataset::TextLengths lengths(counter->get(), kMostCounts);
    std::size_t pruned = 0;
    std::vector<std::uint64_t> dropped;
    for (std::size_t before = 0; before != dialogues.rows.size();) {
      before = dialogues.rows.size();
      dataset::find_lengths(dialogues, wanted, lengths);
      if (plan_.prunes_like_vllm) pruned += dataset::prune_like_vllm(dialogues);
      const auto too_long = limit ? dataset::drop_too_long(dialogues, *limit) : std::vector<std::uint64_t>();
      dropped.insert(dropped.end(), too_long.begin(), too_long.end());
    }
    const std::size_t left = dialogues.rows.size();
    if (Status some = check_pruned(pruned + std::min(left, wanted.rows), pruned, left); !some) return some;
    if (Status some = check_dropped(dropped, limit.value_or(0), left); !some) return some;
    if (lengths.estimated() > 0) {
      warn(dataset::make_warning("output_lengths_estimated", Msg::output_lengths_estimated, name(), lengths.estimated(),
                                 lengths.estimated() + lengths.counted()));
    }
    return Done{};
  }

  /// Of `rows` that were looked at; `left`: those in the data set.
  Status check_pruned(std::size_t rows, std::size_t pruned, std::size_t left) {
    if (pruned == 0) return Done{};
    if (left == 0) return invalid(say(Msg::jsonl_unusable, name(), say(Msg::rows_all_pruned)));
    warn(dataset::make_warning("rows_pruned", Msg::rows_pruned, name(), pruned, rows));
    return Done{};
  }

  Status check_dropped(const std::vector<std::uint64_t>& dropped, std::uint32_t limit, std::size_t left) {
    if (left == 0) return invalid(say(Msg::jsonl_unusable, name(), say(Msg::jsonl_all_too_long, limit)));
    if (auto too_long = dataset::too_long_warning(name(), dropped, limit)) warn(std::move(*too_long));
    return Done{};
  }

  const PromptPlan& plan_;
  const ServerAccess& server_;
  MadePrompts made_;
};

}  // namespace

Result<MadePrompts> make_prompts(const PromptPlan& plan, const ServerAccess& server) {
  Result<MadePrompts> made = Making(plan, server).run();
  if (made && !plan.adapters.names.empty())
    made->source = std::make_unique<dataset::LoraSpread>(std::move(made->source), plan.adapters, plan.seed);
  return made;
}

}  // namespace scoville::run
