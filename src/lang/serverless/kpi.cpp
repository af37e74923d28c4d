// Reads a document of KPIs.
#include "lang/serverless/kpi.h"

#include <array>
#include <charconv>

#include "lang/serverless/lint/findings.h"
#include "text/duration.h"
#include "text/findings.h"

namespace pawl::serverless {

namespace {

struct MeasureName {
  KpiSubject subject;
  KpiMeasure measure;
  std::string_view name;  // behind max, min and avg
  bool only_max = false;  // there is no min and avg of it
};

constexpr std::array kMeasures = {
    MeasureName{KpiSubject::kWorkflow, KpiMeasure::kInvoked, "Invoked"},
    MeasureName{KpiSubject::kWorkflow, KpiMeasure::kDuration, "Duration"},
    MeasureName{KpiSubject::kWorkflow, KpiMeasure::kCost, "Cost"},
    MeasureName{KpiSubject::kEvent, KpiMeasure::kConsumed, "Consumed"},
    MeasureName{KpiSubject::kEvent, KpiMeasure::kProduced, "Produced"},
    MeasureName{KpiSubject::kFunction, KpiMeasure::kErrors, "Errors", true},
    MeasureName{KpiSubject::kFunction, KpiMeasure::kRetry, "Retry", true},
    MeasureName{KpiSubject::kFunction, KpiMeasure::kTimeout, "Timeout", true},
    MeasureName{KpiSubject::kFunction, KpiMeasure::kInvoked, "Invoked"},
    MeasureName{KpiSubject::kFunction, KpiMeasure::kCost, "Cost"},
    MeasureName{KpiSubject::kState, KpiMeasure::kTimeout, "Timeout", true},
    MeasureName{KpiSubject::kState, KpiMeasure::kExec, "Exec"},
    MeasureName{KpiSubject::kState, KpiMeasure::kDuration, "Duration"},
    MeasureName{KpiSubject::kState, KpiMeasure::kCost, "Cost"},
};

constexpr std::array<std::pair<std::string_view, KpiBound>, 3> kBounds = {
    {{"max", KpiBound::kMax}, {"min", KpiBound::kMin}, {"avg", KpiBound::kAverage}}};

// What a field like "avgDuration" of a subject is about.
std::optional<std::pair<KpiMeasure, KpiBound>> find_field(KpiSubject subject, std::string_view field) {
  for (const auto& [prefix, bound] : kBounds) {
    if (!field.starts_with(prefix)) continue;
    for (const MeasureName& measure : kMeasures)
      if (measure.subject == subject && measure.name == field.substr(prefix.size()) &&
          (bound == KpiBound::kMax || !measure.only_max))
        return std::pair(measure.measure, bound);
  }
  return std::nullopt;
}

std::optional<double> number_in(const Value& value) {
  if (value.is_number()) return value.as_double();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.as_string();
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size() && number >= 0 && number < 1e300;
  return is_number ? std::optional(number) : std::nullopt;
}

std::optional<Duration> duration_in(const Value& value) {
  const auto duration = value.is_string() ? text::parse_duration(value.as_string()) : fail("SW_DURATION", "");
  if (!duration || duration->is_negative()) return std::nullopt;
  return duration->rest + duration->months * Duration(std::chrono::days(30));
}

class Reader {
 public:
  Reader(const json::Document& document, Diagnostics& diagnostics)
      : root_(document.root), findings_(document.positions, diagnostics) {}

  KpiDocument read() {
    const Place top("");
    if (!root_.is_object()) {
      findings_.report(Code::kFieldType, top, "A document of KPIs must be an object.", "Write an object.");
      return {};
    }
    result_.workflow_id = text_at(root_, "workflowid", top, true);
    for (const json::Member& member : root_.members()) read_member(member, top);
    return std::move(result_);
  }

 private:
  void read_member(const json::Member& member, const Place& top) {
    const std::string_view name = member.key.as_string();
    const Place place(top, name);
    if (name == "workflow") return read_block(KpiSubject::kWorkflow, member.value, place);
    if (name == "events") return read_blocks(KpiSubject::kEvent, member.value, place);
    if (name == "functions") return read_blocks(KpiSubject::kFunction, member.value, place);
    if (name == "states") return read_blocks(KpiSubject::kState, member.value, place);
    if (name == "workflowVersions") return read_versions(member.value, place);
    const bool is_known = name == "extensionid" || name == "workflowid" || name == "currency";
    if (!is_known) report_unknown(place, name);
  }

  void report_unknown(const Place& place, std::string_view name) {
    findings_.report(Code::kUnknownField, place, "The field " + quoted(name) + " is unknown.",
                     "Take it out: it does nothing.", Findings::At::kKey);
  }

  std::string text_at(const Value& object, std::string_view name, const Place& place, bool required) {
    const Value* found = object.find(name);
    const bool is_text = found != nullptr && found->is_string() && !found->as_string().empty();
    if (is_text) return std::string(found->as_string());
    if (found == nullptr && required)
      findings_.report(Code::kMissingField, place, "The field " + quoted(name) + " is required.", "Add it.",
                       Findings::At::kKey);
    if (found != nullptr)
      findings_.report(Code::kFieldType, Place(place, name), quoted(name) + " must be text.", "Write a text.");
    return {};
  }

  void read_versions(const Value& versions, const Place& place) {
    if (!versions.is_array())
      return findings_.report(Code::kFieldType, place, "\"workflowVersions\" must be an array.", "Write an array.");
    for (const Value& version : versions.items())
      if (version.is_string()) result_.versions.emplace_back(version.as_string());
  }

  void read_blocks(KpiSubject subject, const Value& blocks, const Place& place) {
    if (!blocks.is_array())
      return findings_.report(Code::kFieldType, place, quoted(place.last_token()) + " must be an array.",
                              "Write an array.");
    for (size_t index = 0; index < blocks.size(); ++index) read_block(subject, blocks.at(index), Place(place, index));
  }

  void read_block(KpiSubject subject, const Value& block, const Place& place) {
    if (!block.is_object())
      return findings_.report(Code::kFieldType, place, "KPIs must be an object.", "Write an object.");
    const bool is_workflow = subject == KpiSubject::kWorkflow;
    const std::string name = is_workflow ? result_.workflow_id : text_at(block, "for", place, true);
    const KpiWindow window = read_window(block, place);
    for (const json::Member& member : block.members()) {
      const std::string_view field = member.key.as_string();
      const bool is_head = field == "per" || field == (is_workflow ? "workflowid" : "for");
      if (!is_head)
        read_threshold({.subject = subject, .name = name, .field = std::string(field), .per = window}, member.value,
                       Place(place, field));
    }
  }

  KpiWindow read_window(const Value& block, const Place& place) {
    KpiWindow window;
    const Value* per = block.find("per");
    if (per == nullptr) return window;
    const Place here(place, "per");
    const Value* time = per->find("time");
    const Value* instances = per->find("instances");
    const auto length = time == nullptr ? std::optional(kKpiTime) : duration_in(*time);
    const auto count = instances == nullptr ? std::optional(1.0) : number_in(*instances);
    if (!length || *length == Duration::zero())
      findings_.report(Code::kDuration, Place(here, "time"), "The time is no ISO 8601 duration.", "Write P1D.");
    if (!count || *count < 1 || *count > 1e9)
      findings_.report(Code::kNumber, Place(here, "instances"), "The number of instances is no integer from 1.",
                       "Write 1000.");
    else if (instances != nullptr)
      window.instances = static_cast<uint32_t>(*count);
    window.time = length.value_or(kKpiTime);
    return window;
  }

  void read_threshold(Kpi kpi, const Value& value, const Place& place) {
    const auto about = find_field(kpi.subject, kpi.field);
    if (!about) return report_unknown(place, kpi.field);
    std::tie(kpi.measure, kpi.bound) = *about;
    if (kpi.measure == KpiMeasure::kDuration) {
      const auto duration = duration_in(value);
      if (!duration)
        return findings_.report(Code::kDuration, place, "The threshold is no ISO 8601 duration.", "Write PT2M.");
      kpi.threshold = std::chrono::duration<double>(*duration).count();
    } else {
      const auto number = number_in(value);
      if (!number) return findings_.report(Code::kNumber, place, "The threshold is no number from 0.", "Write '500'.");
      kpi.threshold = *number;
    }
    if (result_.kpis.size() == kKpisMax)
      return findings_.report(Code::kTooLarge, place, "There are more KPIs than " + std::to_string(kKpisMax) + ".",
                              "Keep those that somebody looks at.");
    result_.kpis.push_back(std::move(kpi));
  }

  const Value& root_;
  Findings findings_;
  KpiDocument result_;
};

}  // namespace

std::string_view name_of(KpiSubject subject) {
  switch (subject) {
    case KpiSubject::kWorkflow:
      return "workflow";
    case KpiSubject::kEvent:
      return "event";
    case KpiSubject::kFunction:
      return "function";
    case KpiSubject::kState:
      return "state";
  }
  return "";
}

bool is_kpi_document(const Value& root) {
  const Value* id = root.find("extensionid");
  return id != nullptr && id->is_string() && id->as_string() == kKpiExtension;
}

KpiDocument read_kpis(const json::Document& document, Diagnostics& diagnostics) {
  KpiDocument kpis = Reader(document, diagnostics).read();
  text::sort_by_position(diagnostics);
  return kpis;
}

}  // namespace pawl::serverless
