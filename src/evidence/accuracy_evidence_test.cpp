#include "evidence/accuracy_evidence.hpp"

#include <doctest/doctest.h>

namespace scoville::evidence {
namespace {

// Files in the form of the tools' own documentation and sources; the values are made up.
const std::string kTensors =
    "NPU Name,Bench Name,NPU Dtype,Bench Dtype,NPU Tensor Shape,Bench Tensor "
    "Shape,Cosine,EucDist,MaxAbsErr,MaxRelativeErr,"
    "One Thousandth Err Ratio,Five Thousandths Err Ratio,NPU max,NPU l2norm,Bench l2norm,Accuracy Reached or "
    "Not,Err_message,"
    "NPU_Stack_Info\n"
    "Functional.linear.0.forward.input.0,Functional.linear.0.forward.input.0,torch.bfloat16,torch.bfloat16,\"[2, 4]\","
    "\"[2, 4]\",1.0,0,0,0,1,1,1,10,10,Yes,,\"a\nb\"\n"
    "Functional.linear.0.forward.output.0,Functional.linear.0.forward.output.0,torch.bfloat16,torch.bfloat16,\"[2, "
    "4]\","
    "\"[2, 4]\",0.9999,0.029,0.01,0.5,0.4,0.9,1,10,10,Yes,,\n"
    "Functional.silu.0.forward.output.0,Functional.silu.0.forward.output.0,torch.bfloat16,torch.bfloat16,\"[2, "
    "4]\",\"[2, 4]\","
    "0.7,6,3,unsupported,0.1,0.2,1,10,10,No,off,\n";

Result<AccuracyEvidence> read(std::vector<FileText> files) { return read_accuracy(files); }

TEST_CASE(
    "msProbe's comparison of tensors: relative L2 from its distance and norm, the first output that does not reach") {
  const Result<AccuracyEvidence> found = read({{"compare_result_1.csv", kTensors}});
  REQUIRE(found);
  const ProbedRun& run = found->layers.at(0);
  CHECK(run.by == ProbedBy::tensors);
  CHECK(run.files.at(0).name == "compare_result_1.csv");
  CHECK(*run.tensors[1].rel_l2 == doctest::Approx(0.0029));
  CHECK(run.tensors[0].look == numerics::Look::none);
  CHECK(run.tensors[1].look == numerics::Look::bf16);
  CHECK(run.tensors[2].look == numerics::Look::wrong);
  CHECK_FALSE(run.tensors[2].max_relative);
  CHECK(run.tensors[2].message == "off");
  CHECK(run.first_over() == 2);
}

TEST_CASE("msProbe's comparison of statistics and of checksums") {
  const std::string statistics =
      "NPU Name,Bench Name,NPU Dtype,NPU Tensor Shape,Max diff,L2norm diff,NormRelativeErr,Bench "
      "l2norm,Result,Err_message\n"
      "Module.a.forward.0.input.0,x,f,[4],0.5,1,10%,10,Warning,\n"
      "Module.a.forward.0.output.0,x,f,[4],nan,5,N/A,10,Error,\n";
  const Result<AccuracyEvidence> found = read({{"s.csv", statistics}});
  REQUIRE(found);
  CHECK(found->layers[0].by == ProbedBy::statistics);
  CHECK(*found->layers[0].tensors[0].norm_change == doctest::Approx(0.1));
  CHECK_FALSE(found->layers[0].tensors[0].is_over);  // a warning is theirs to give
  CHECK(*found->layers[0].tensors[1].norm_change == doctest::Approx(0.5));
  CHECK(found->layers[0].first_over() == 1);
  const std::string checksums =
      "NPU Name,Bench Name,NPU MD5,BENCH MD5,Result\na.output,a.output,1,1,Pass\nb.output,b.output,1,2,Different\n";
  CHECK(read({{"m.csv", checksums}})->layers[0].first_over() == 1);
}

TEST_CASE("two dumps of statistics are held against each other; one alone says that it waits for the other") {
  const auto dump = [](const std::string& norm) {
    return R"({"task": "statistics", "level": "L1", "framework": "pytorch", "dump_data_dir": null, "data": {
      "Functional.silu.0.forward": {
        "input_args": [{"type": "torch.Tensor", "dtype": "torch.bfloat16", "shape": [2, 4], "Max": 3, "Min": 0, "Mean": 1, "Norm": 10}],
        "input_kwargs": {"inplace": {"type": "bool", "value": false}},
        "output": [{"type": "torch.Tensor", "dtype": "torch.bfloat16", "shape": [2, 4], "Max": 3, "Min": 0, "Mean": 1, "Norm": )" +
           norm + "}]}}}";
  };
  const Result<AccuracyEvidence> found = read({{"npu/dump.json", dump("12")}, {"gpu/dump.json", dump("10")}});
  REQUIRE(found);
  const ProbedRun& run = found->layers.at(0);
  REQUIRE(run.tensors.size() == 2);
  CHECK(run.tensors[1].name == "Functional.silu.0.forward.output.0");
  CHECK(*run.tensors[1].norm_change == doctest::Approx(0.2));
  CHECK(run.first_over() == 1);
  CHECK(run.files.size() == 2);
  CHECK(read({{"npu/dump.json", dump("NaN")}, {"gpu/dump.json", dump("10")}})->layers[0].first_over() == 1);
  CHECK(read({{"npu/dump.json", dump("1")}}).error().message.find("npu/dump.json") == 0);
}

TEST_CASE("lm-eval: each metric with its standard error and sample count, of 0.4's names and of older ones") {
  const std::string results = R"({"results": {
      "arc_easy": {"alias": "arc_easy", "acc,none": 0.656, "acc_stderr,none": 0.0097, "acc_norm,none": 0.59, "acc_norm_stderr,none": "N/A"},
      "gsm8k": {"exact_match,strict-match": 0.4, "exact_match_stderr,strict-match": 0.01}},
    "versions": {"arc_easy": 1.0}, "n-samples": {"arc_easy": {"original": 2376, "effective": 100}}, "model_name": "org/model"})";
  const Result<AccuracyEvidence> found = read({{"results_1.json", results}});
  REQUIRE(found);
  const TaskScores& scores = found->tasks.at(0);
  CHECK(scores.tool == "lm-eval");
  REQUIRE(scores.scores.size() == 3);
  CHECK(scores.scores[0].metric == "acc,none");
  CHECK(scores.scores[0].value == 0.656);
  CHECK(*scores.scores[0].standard_error == 0.0097);
  CHECK(*scores.scores[0].samples == 100);
  CHECK(scores.scores[0].model == "org/model");
  CHECK_FALSE(scores.scores[1].standard_error);
  CHECK(scores.scores[2].metric == "exact_match,strict-match");
  const Result<AccuracyEvidence> old =
      read({{"r.json", R"({"results": {"piqa": {"acc": 0.7, "acc_stderr": 0.01}}, "versions": {"piqa": 0}})"}});
  CHECK(*old->tasks[0].scores[0].standard_error == 0.01);
}

TEST_CASE("OpenCompass: a column for each model; its single results by the names of folder and file") {
  const std::string summary =
      "dataset,version,metric,mode,model-a,model-b\nceval-physics,963fa8,accuracy,gen,26.32,-\ngsm8k,1d7fe4,accuracy,"
      "gen,82.00 (7/8),80\n";
  const Result<AccuracyEvidence> found = read({{"summary.csv", summary}});
  REQUIRE(found);
  const std::vector<TaskScore>& scores = found->tasks.at(0).scores;
  REQUIRE(scores.size() == 3);
  CHECK(scores[0].value == 26.32);
  CHECK(scores[0].model == "model-a");
  CHECK(*scores[1].samples == 8);
  CHECK(scores[2].model == "model-b");
  const Result<AccuracyEvidence> single =
      read({{"results/model-a/gsm8k.json", R"({"accuracy": 56.7, "details": {}})"}});
  CHECK(single->tasks[0].scores[0].task == "gsm8k");
  CHECK(single->tasks[0].scores[0].model == "model-a");
}

TEST_CASE("other files, cut off rows and files without a score are refused by name") {
  CHECK(read({{"x.json", R"({"a": 1})"}}).error().message.find("x.json") == 0);
  CHECK(read({{"x.txt", "hello"}}).error().message.find("x.txt") == 0);
  CHECK(read({{"t.csv", kTensors + "a,b\n"}}).error().message.find("6") != std::string::npos);  // the line
  CHECK(read({{"r.json", R"({"results": {"a": {"alias": "a"}}, "versions": {}})"}}).error().message.find("lm-eval") !=
        std::string::npos);
  CHECK(read({{"r.json", R"({"results": {"a": 3}, "versions": {}})"}}).error().message.find("results.a") !=
        std::string::npos);
}

}  // namespace
}  // namespace scoville::evidence
