#include "trace/ascend_csv.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/file.hpp"
#include "trace/read.hpp"

namespace scoville::trace {
namespace {

OperatorTable table_of(const std::string& text) {
  const std::string path = "trace_csv_test." + std::to_string(getpid()) + ".csv";
  REQUIRE(write_file(path, text).ok());
  Result<OperatorTable> table = read_operators(path);
  std::remove(path.c_str());
  REQUIRE_MESSAGE(table.ok(), table.error().message);
  return *std::move(table);
}

TEST_CASE("op_statistic.csv: sums of each type, with a byte order mark and carriage returns") {
  const OperatorTable table = table_of(
      "\xEF\xBB\xBF"
      "Device_id,OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\r\n"
      "0,Cast,AI_VECTOR_CORE,240,100.5,1,2,3,25\r\n0,MatMulV2,AI_CORE,10,300.0,1,2,3,60\r\n0,NonZero,AI_CPU,1,99.5,1,2,"
      "3,15\r\n");
  CHECK(table.kind == SourceKind::operator_statistic);
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].name == "MatMulV2");
  CHECK(table.rows[0].share == doctest::Approx(0.6));
  CHECK(table.rows[1].calls == 240);
  CHECK(table.rows[2].device == "device_cpu");
  CHECK_FALSE(table.span);
  CHECK_FALSE(table.utilisation);
}

TEST_CASE("kernel_details.csv: times, types and cores, whatever the order of its columns") {
  const OperatorTable table = table_of(
      "Step Id,Device_id,Name,Type,OP State,Accelerator Core,Input Shapes,Start Time(us),Duration(us),Wait Time(us)\n"
      "1,0,aclnnMatmul_MatMulV2,MatMulV2,dynamic,AI_CORE,\"\"\"[2,4096];\n[1]\"\"\",\"100.000\t\",40.5,0\n"
      "1,0,aclnnAdd_Add,N/A,dynamic,N/A,,150,9.5,0\n"
      "1,0,hcom_allReduce_,hcom_allReduce_,N/A,HCCL,,160,20,0\n"
      "1,0,broken,Broken,N/A,AI_CORE,,170,none,0\n"
      "1,0,wait,EVENT_WAIT,N/A,EVENT_WAIT,,170,500,0\n");
  CHECK(table.kind == SourceKind::kernel_list);
  CHECK(table.kernels == 3);
  CHECK(table.span == Nanos(80000));
  CHECK(table.busy == Nanos(70000));
  CHECK(table.shares->communication == doctest::Approx(0.25));
  CHECK(table.rows[0].name == "MatMulV2");
  CHECK(table.rows[0].kernels[0].name == "aclnnMatmul_MatMulV2");
  CHECK(table.rows[2].name == "aclnnAdd_Add");
  CHECK(std::count(table.flags.begin(), table.flags.end(), "rows_left_out") == 1);
}

TEST_CASE("op_summary.csv has other names for the same columns") {
  CHECK(table_of("Device_id,Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us)\n0,a,Add,AI_CORE,0,5\n")
            .busy == Nanos(5000));
  CHECK_FALSE(is_ascend_head("INFO: Name, Type"));
}

}  // namespace
}  // namespace scoville::trace
