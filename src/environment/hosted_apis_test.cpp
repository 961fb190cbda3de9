#include "environment/hosted_apis.hpp"

#include <doctest/doctest.h>

using scoville::environment::hosted_vendor;

TEST_CASE("the API of a vendor is known by its host name") {
  CHECK(hosted_vendor("api.openai.com") == "openai");
  CHECK(hosted_vendor("API.DeepSeek.com.") == "deepseek");
  CHECK(hosted_vendor("dashscope.aliyuncs.com") == "alibaba");
  CHECK(hosted_vendor("ark.cn-beijing.volces.com") == "volcengine");
  CHECK(hosted_vendor("mine.openai.azure.com") == "azure");
  CHECK(hosted_vendor("bedrock-runtime.us-east-1.amazonaws.com") == "bedrock");
  CHECK(hosted_vendor("api.groq.com") == "groq");
  CHECK(hosted_vendor("api.together.xyz") == "together");
  CHECK(hosted_vendor("api.siliconflow.cn") == "siliconflow");
  CHECK(hosted_vendor("api.moonshot.cn") == "moonshot");
}

TEST_CASE("a machine of one's own is no hosted API, rented from the same cloud or with a name that looks alike") {
  for (const char* host : {"127.0.0.1", "::1", "localhost", "gpu7.lab", "notopenai.com", "openai.com.lab", "",
                           "ec2-1-2-3-4.compute-1.amazonaws.com", "ecs-1.myhuaweicloud.com", "max.ai"}) {
    CAPTURE(host);
    CHECK(hosted_vendor(host).empty());
  }
}
