#include "environment/hosted_apis.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>

namespace scoville::environment {
namespace {

struct HostedApi {
  std::string_view suffix;  ///< of the host name: itself, or what follows a dot
  std::string_view vendor;
};

/// In the order of the vendors' names. A name that a user may give to a machine of his own does not belong here.
constexpr HostedApi kHostedApis[] = {
    {"dashscope.aliyuncs.com", "alibaba"},
    {"dashscope-intl.aliyuncs.com", "alibaba"},
    {"dashscope-us.aliyuncs.com", "alibaba"},
    {"pai-eas.aliyuncs.com", "alibaba"},
    {"anthropic.com", "anthropic"},
    {"anyscale.com", "anyscale"},
    {"openai.azure.com", "azure"},
    {"services.ai.azure.com", "azure"},
    {"inference.ai.azure.com", "azure"},
    {"models.ai.azure.com", "azure"},
    {"baichuan-ai.com", "baichuan"},
    {"qianfan.baidubce.com", "baidu"},
    {"aip.baidubce.com", "baidu"},
    {"baseten.co", "baseten"},
    {"amazonaws.com", "bedrock"},
    {"cerebras.ai", "cerebras"},
    {"cloudflare.com", "cloudflare"},
    {"cohere.ai", "cohere"},
    {"cohere.com", "cohere"},
    {"databricks.com", "databricks"},
    {"azuredatabricks.net", "databricks"},
    {"deepinfra.com", "deepinfra"},
    {"deepseek.com", "deepseek"},
    {"fireworks.ai", "fireworks"},
    {"models.github.ai", "github"},
    {"googleapis.com", "google"},
    {"groq.com", "groq"},
    {"endpoints.huggingface.cloud", "huggingface"},
    {"router.huggingface.co", "huggingface"},
    {"api-inference.huggingface.co", "huggingface"},
    {"myhuaweicloud.com", "huawei"},
    {"modelarts-maas.com", "huawei"},
    {"hyperbolic.xyz", "hyperbolic"},
    {"lambda.ai", "lambda"},
    {"lambdalabs.com", "lambda"},
    {"lingyiwanwu.com", "lingyiwanwu"},
    {"minimax.chat", "minimax"},
    {"minimax.io", "minimax"},
    {"minimaxi.com", "minimax"},
    {"mistral.ai", "mistral"},
    {"modelscope.cn", "modelscope"},
    {"moonshot.ai", "moonshot"},
    {"moonshot.cn", "moonshot"},
    {"nebius.com", "nebius"},
    {"novita.ai", "novita"},
    {"integrate.api.nvidia.com", "nvidia"},
    {"octoai.cloud", "octoai"},
    {"openai.com", "openai"},
    {"openrouter.ai", "openrouter"},
    {"perplexity.ai", "perplexity"},
    {"ppinfra.com", "ppio"},
    {"replicate.com", "replicate"},
    {"runpod.ai", "runpod"},
    {"sambanova.ai", "sambanova"},
    {"sensenova.cn", "sensenova"},
    {"siliconflow.cn", "siliconflow"},
    {"siliconflow.com", "siliconflow"},
    {"xf-yun.com", "spark"},
    {"stepfun.com", "stepfun"},
    {"hunyuan.cloud.tencent.com", "tencent"},
    {"lkeap.cloud.tencent.com", "tencent"},
    {"tencentcloudapi.com", "tencent"},
    {"together.ai", "together"},
    {"together.xyz", "together"},
    {"volces.com", "volcengine"},
    {"bytepluses.com", "volcengine"},
    {"x.ai", "xai"},
    {"bigmodel.cn", "zhipu"},
    {"z.ai", "zhipu"},
};

/// Of the clouds that also rent machines, only the names of their model APIs.
bool is_api_of_cloud(std::string_view host, const HostedApi& api) {
  if (api.suffix == "amazonaws.com") {
    return host.starts_with("bedrock") || host.starts_with("runtime.sagemaker") || host.find(".sagemaker") != host.npos;
  }
  if (api.suffix == "myhuaweicloud.com") {
    return host.find("modelarts") != host.npos || host.find("maas") != host.npos || host.find("pangu") != host.npos;
  }
  return true;
}

bool is_under(std::string_view host, std::string_view suffix) {
  return host.ends_with(suffix) && (host.size() == suffix.size() || host[host.size() - suffix.size() - 1] == '.');
}

}  // namespace

std::string_view hosted_vendor(std::string_view host) {
  std::string name(host);
  while (name.ends_with('.')) name.pop_back();
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); });
  const auto* const found = std::find_if(std::begin(kHostedApis), std::end(kHostedApis), [&](const HostedApi& each) {
    return is_under(name, each.suffix) && is_api_of_cloud(name, each);
  });
  return found == std::end(kHostedApis) ? std::string_view() : found->vendor;
}

}  // namespace scoville::environment
