#include "lang/asl/lint/fields.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pawl::asl {
namespace {

constexpr TypeSet kPass = only(StateType::kPass);
constexpr TypeSet kTask = only(StateType::kTask);
constexpr TypeSet kChoice = only(StateType::kChoice);
constexpr TypeSet kWait = only(StateType::kWait);
constexpr TypeSet kSucceed = only(StateType::kSucceed);
constexpr TypeSet kFail = only(StateType::kFail);
constexpr TypeSet kParallel = only(StateType::kParallel);
constexpr TypeSet kMap = only(StateType::kMap);
constexpr TypeSet kAll = kEveryType;
constexpr TypeSet kNone = kNoType;
constexpr TypeSet kWorking = kTask | kParallel | kMap;       // those that can fail by what they run
constexpr TypeSet kGoing = kWorking | kPass | kWait;         // those with Next or End
constexpr TypeSet kPassingOn = kGoing | kChoice | kSucceed;  // those with an output

// The specification's tables of state types and fields, for both query languages, and each type's own fields.
constexpr std::array kStateFields = {
    Field{"Type", Kind::kString, kAll, kAll, true},
    Field{"Comment", Kind::kString, kAll, kAll},
    Field{"QueryLanguage", Kind::kString, kAll, kAll},
    Field{"InputPath", Kind::kPath, kPassingOn, kNone},
    Field{"OutputPath", Kind::kPath, kPassingOn, kNone},
    Field{"Output", Kind::kJsonataTemplate, kNone, kPassingOn},
    Field{"Assign", Kind::kAssign, kGoing | kChoice, kGoing | kChoice},
    Field{"Next", Kind::kString, kGoing, kGoing},
    Field{"End", Kind::kBoolean, kGoing, kGoing},
    Field{"ResultPath", Kind::kResultPath, kWorking | kPass, kNone},
    Field{"Parameters", Kind::kTemplate, kWorking | kPass, kNone},
    Field{"Arguments", Kind::kJsonataTemplate, kNone, kTask | kParallel},
    Field{"ResultSelector", Kind::kTemplate, kWorking, kNone},
    Field{"Retry", Kind::kArray, kWorking, kWorking},
    Field{"Catch", Kind::kArray, kWorking, kWorking},
    Field{"Result", Kind::kAny, kPass, kNone},
    Field{"Resource", Kind::kString, kTask, kTask, true},
    Field{"TimeoutSeconds", Kind::kPositiveSeconds, kTask, kTask},
    Field{"TimeoutSecondsPath", Kind::kReferencePath, kTask, kNone},
    Field{"HeartbeatSeconds", Kind::kPositiveSeconds, kTask, kTask},
    Field{"HeartbeatSecondsPath", Kind::kReferencePath, kTask, kNone},
    Field{"Credentials", Kind::kObject, kTask, kTask},
    Field{"Choices", Kind::kArray, kChoice, kChoice, true},
    Field{"Default", Kind::kString, kChoice, kChoice},
    Field{"Seconds", Kind::kSeconds, kWait, kWait},
    Field{"SecondsPath", Kind::kReferencePath, kWait, kNone},
    Field{"Timestamp", Kind::kTimestamp, kWait, kWait},
    Field{"TimestampPath", Kind::kReferencePath, kWait, kNone},
    Field{"Error", Kind::kString, kFail, kFail},
    Field{"ErrorPath", Kind::kPathOrIntrinsic, kFail, kNone},
    Field{"Cause", Kind::kString, kFail, kFail},
    Field{"CausePath", Kind::kPathOrIntrinsic, kFail, kNone},
    Field{"Branches", Kind::kArray, kParallel, kParallel, true},
    Field{"Iterator", Kind::kObject, kMap, kMap},
    Field{"ItemProcessor", Kind::kObject, kMap, kMap},
    Field{"ItemsPath", Kind::kReferencePath, kMap, kNone},
    Field{"Items", Kind::kJsonataTemplate, kNone, kMap},
    Field{"ItemSelector", Kind::kTemplate, kMap, kMap},
    Field{"MaxConcurrency", Kind::kCount, kMap, kMap},
    Field{"MaxConcurrencyPath", Kind::kNumberPath, kMap, kNone},
    Field{"ToleratedFailureCount", Kind::kCount, kMap, kMap},
    Field{"ToleratedFailureCountPath", Kind::kNumberPath, kMap, kNone},
    Field{"ToleratedFailurePercentage", Kind::kPercentage, kMap, kMap},
    Field{"ToleratedFailurePercentagePath", Kind::kNumberPath, kMap, kNone},
    Field{"ItemReader", Kind::kObject, kMap, kMap},
    Field{"ItemBatcher", Kind::kObject, kMap, kMap},
    Field{"ResultWriter", Kind::kObject, kMap, kMap},
    Field{"Label", Kind::kString, kMap, kMap},
};

constexpr std::array kStateTwins = {
    Twins{{"Seconds", "SecondsPath", "Timestamp", "TimestampPath"}, kWait, true},
    Twins{{"TimeoutSeconds", "TimeoutSecondsPath"}, kTask},
    Twins{{"HeartbeatSeconds", "HeartbeatSecondsPath"}, kTask},
    Twins{{"Error", "ErrorPath"}, kFail},
    Twins{{"Cause", "CausePath"}, kFail},
    Twins{{"ItemProcessor", "Iterator"}, kMap, true},
    Twins{{"Parameters", "ItemSelector"}, kMap},
    Twins{{"MaxConcurrency", "MaxConcurrencyPath"}, kMap},
    Twins{{"ToleratedFailureCount", "ToleratedFailureCountPath"}, kMap},
    Twins{{"ToleratedFailurePercentage", "ToleratedFailurePercentagePath"}, kMap},
};

// The model has asked for StartAt and States already.
constexpr std::array kMachineFields = {
    Field{"Comment", Kind::kString, kAll, kAll},       Field{"StartAt", Kind::kString, kAll, kAll},
    Field{"States", Kind::kAny, kAll, kAll},           Field{"Version", Kind::kString, kAll, kAll},
    Field{"QueryLanguage", Kind::kString, kAll, kAll}, Field{"TimeoutSeconds", Kind::kPositiveSeconds, kAll, kAll},
};

constexpr std::array kProcessorFields = {
    Field{"Comment", Kind::kString, kAll, kAll},
    Field{"StartAt", Kind::kString, kAll, kAll},
    Field{"States", Kind::kAny, kAll, kAll},
    Field{"ProcessorConfig", Kind::kObject, kAll, kAll},
};

constexpr std::array kProcessorConfigFields = {
    Field{"Mode", Kind::kString, kAll, kAll},
    Field{"ExecutionType", Kind::kString, kAll, kAll},
};

constexpr std::array kRetrierFields = {
    Field{"ErrorEquals", Kind::kArray, kAll, kAll, true},         Field{"Comment", Kind::kString, kAll, kAll},
    Field{"IntervalSeconds", Kind::kPositiveSeconds, kAll, kAll}, Field{"MaxAttempts", Kind::kSeconds, kAll, kAll},
    Field{"MaxDelaySeconds", Kind::kPositiveSeconds, kAll, kAll}, Field{"BackoffRate", Kind::kRate, kAll, kAll},
    Field{"JitterStrategy", Kind::kString, kAll, kAll},
};

constexpr std::array kCatcherFields = {
    Field{"ErrorEquals", Kind::kArray, kAll, kAll, true}, Field{"Next", Kind::kString, kAll, kAll, true},
    Field{"Comment", Kind::kString, kAll, kAll},          Field{"ResultPath", Kind::kResultPath, kAll, kNone},
    Field{"Output", Kind::kJsonataTemplate, kNone, kAll}, Field{"Assign", Kind::kAssign, kAll, kAll},
};

constexpr std::array kItemBatcherFields = {
    Field{"BatchInput", Kind::kTemplate, kAll, kAll},
    Field{"MaxItemsPerBatch", Kind::kPositive, kAll, kAll},
    Field{"MaxItemsPerBatchPath", Kind::kNumberPath, kAll, kNone},
    Field{"MaxInputBytesPerBatch", Kind::kPositive, kAll, kAll},
    Field{"MaxInputBytesPerBatchPath", Kind::kNumberPath, kAll, kNone},
};

constexpr std::array kItemBatcherTwins = {
    Twins{{"MaxItemsPerBatch", "MaxItemsPerBatchPath"}},
    Twins{{"MaxInputBytesPerBatch", "MaxInputBytesPerBatchPath"}},
};

constexpr std::array kItemReaderFields = {
    Field{"Resource", Kind::kString, kAll, kAll, true},
    Field{"Parameters", Kind::kTemplate, kAll, kNone},
    Field{"Arguments", Kind::kJsonataTemplate, kNone, kAll},
    Field{"ReaderConfig", Kind::kObject, kAll, kAll},
};

constexpr std::array kReaderConfigFields = {
    Field{"InputType", Kind::kString, kAll, kAll},         Field{"Transformation", Kind::kString, kAll, kAll},
    Field{"ManifestType", Kind::kString, kAll, kAll},      Field{"CSVDelimiter", Kind::kString, kAll, kAll},
    Field{"CSVHeaderLocation", Kind::kString, kAll, kAll}, Field{"CSVHeaders", Kind::kArray, kAll, kAll},
    Field{"ItemsPointer", Kind::kString, kAll, kAll},      Field{"MaxItems", Kind::kCount, kAll, kAll},
    Field{"MaxItemsPath", Kind::kNumberPath, kAll, kNone},
};

constexpr std::array kReaderConfigTwins = {Twins{{"MaxItems", "MaxItemsPath"}}};

constexpr std::array kResultWriterFields = {
    Field{"Resource", Kind::kString, kAll, kAll},
    Field{"Parameters", Kind::kTemplate, kAll, kNone},
    Field{"Arguments", Kind::kJsonataTemplate, kNone, kAll},
    Field{"WriterConfig", Kind::kObject, kAll, kAll},
};

constexpr Shape kState{"A state", kStateFields, kStateTwins};
constexpr Shape kMachine{"A state machine", kMachineFields, {}};
constexpr Shape kBranch{"A branch", std::span(kProcessorFields).first<3>(), {}};
constexpr Shape kProcessor{"An item processor", kProcessorFields, {}};
constexpr Shape kProcessorConfig{"A processor's configuration", kProcessorConfigFields, {}};
constexpr Shape kRetrier{"A retrier", kRetrierFields, {}};
constexpr Shape kCatcher{"A catcher", kCatcherFields, {}};
constexpr Shape kItemBatcher{"An item batcher", kItemBatcherFields, kItemBatcherTwins};
constexpr Shape kItemReader{"An item reader", kItemReaderFields, {}};
constexpr Shape kReaderConfig{"A reader's configuration", kReaderConfigFields, kReaderConfigTwins};
constexpr Shape kResultWriter{"A result writer", kResultWriterFields, {}};

}  // namespace

const Field* Shape::find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &Field::name);
  return found == fields.end() ? nullptr : &*found;
}

const Shape& state_shape() { return kState; }
const Shape& machine_shape() { return kMachine; }
const Shape& branch_shape() { return kBranch; }
const Shape& processor_shape() { return kProcessor; }
const Shape& processor_config_shape() { return kProcessorConfig; }
const Shape& retrier_shape() { return kRetrier; }
const Shape& catcher_shape() { return kCatcher; }
const Shape& item_batcher_shape() { return kItemBatcher; }
const Shape& item_reader_shape() { return kItemReader; }
const Shape& reader_config_shape() { return kReaderConfig; }
const Shape& result_writer_shape() { return kResultWriter; }

std::string type_names(TypeSet types) {
  std::vector<std::string_view> names;
  for (unsigned number = 0; number <= static_cast<unsigned>(StateType::kMap); ++number)
    if ((types & (1u << number)) != 0) names.push_back(type_name(static_cast<StateType>(number)));
  std::string out;
  for (size_t index = 0; index < names.size(); ++index) {
    if (index > 0) out += index + 1 == names.size() ? " or " : ", ";
    out += names[index];
  }
  return out;
}

}  // namespace pawl::asl
