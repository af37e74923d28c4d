// Builtins on numbers: the C library's functions, and jq's own.
#include <algorithm>
#include <cmath>

#include "expr/jq/natives.h"
#include "expr/jq/numbers.h"

namespace pawl::jq::internal {

namespace {

Value noted(Context& context, double result) {
  Value number = number_of(result);
  if (!std::isfinite(result)) context.made_special = true;
  return number;
}

Value not_a_number(Context& context, const Value& value) {
  return context.raise(described(value) + " number required");
}

template <double (*kFunction)(double)>
Value unary(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return not_a_number(context, a.input());
  return noted(context, kFunction(a.input().as_double()));
}

// Integers are what they are, however large.
template <double (*kFunction)(double)>
Value rounding(Context& context, const Arguments& a) {
  if (a.input().is_number() && a.input().is_int64()) return a.input();
  return unary<kFunction>(context, a);
}

template <double (*kFunction)(double, double)>
Value binary(Context& context, const Arguments& a) {
  for (const size_t i : {1, 2})
    if (!a[i].is_number()) return not_a_number(context, a[i]);
  return noted(context, kFunction(a[1].as_double(), a[2].as_double()));
}

Value fma_of(Context& context, const Arguments& a) {
  for (const size_t i : {1, 2, 3})
    if (!a[i].is_number()) return not_a_number(context, a[i]);
  return noted(context, std::fma(a[1].as_double(), a[2].as_double(), a[3].as_double()));
}

double gamma_of(double x) { return std::lgamma(x); }
double exp10_of(double x) { return std::pow(10.0, x); }
double pow10_of(double x) { return std::pow(10.0, x); }
double significand_of(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  return x / std::exp2(std::floor(std::log2(std::abs(x))));
}
// Anything that is no int as the nearest one; NaN as 0.
int int_of(double x) { return std::isnan(x) ? 0 : static_cast<int>(std::clamp(x, -1e6, 1e6)); }
double ldexp_of(double x, double exponent) { return std::ldexp(x, int_of(exponent)); }
double scalb_of(double x, double exponent) {
  const bool is_whole = std::isinf(exponent) || exponent == std::trunc(exponent);
  return is_whole ? x * std::exp2(exponent) : NAN;
}

template <double (*kFunction)(double)>
double wrapped(double x) {
  return kFunction(x);
}

#define PAWL_JQ_UNARY(name) {#name, 0, unary<wrapped<static_cast<double (*)(double)>(std::name)>>}
#define PAWL_JQ_ROUNDING(name) {#name, 0, rounding<wrapped<static_cast<double (*)(double)>(std::name)>>}

Value pair(Value first, Value second) {
  json::ArrayBuilder two(2);
  two.push(std::move(first));
  two.push(std::move(second));
  return two.build();
}

Value frexp_of(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return not_a_number(context, a.input());
  int exponent = 0;
  const double fraction = std::frexp(a.input().as_double(), &exponent);
  return pair(noted(context, fraction), Value::integer(std::isfinite(fraction) ? exponent : 0));
}

Value modf_of(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return not_a_number(context, a.input());
  double whole = 0;
  const double fraction = std::modf(a.input().as_double(), &whole);
  return pair(noted(context, fraction), noted(context, whole));
}

Value lgamma_r_of(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return not_a_number(context, a.input());
  int sign = 0;
  const double logarithm = ::lgamma_r(a.input().as_double(), &sign);
  return pair(noted(context, logarithm), Value::integer(sign));
}

// A Bessel function of an order: the C library takes a step for each order below it.
template <double (*kFunction)(int, double)>
Value of_order(Context& context, const Arguments& a) {
  for (const size_t i : {1, 2})
    if (!a[i].is_number()) return not_a_number(context, a[i]);
  const int order = int_of(a[1].as_double());
  if (!context.spend_steps(static_cast<uint64_t>(std::abs(order)))) return Value();
  return noted(context, kFunction(order, a[2].as_double()));
}

Value infinite(Context& context, const Arguments&) { return noted(context, INFINITY); }
Value nan_value(Context& context, const Arguments&) { return noted(context, NAN); }

Value is_infinite(Context&, const Arguments& a) {
  return Value::boolean(a.input().is_number() && std::isinf(a.input().as_double()));
}
Value is_not_a_number(Context&, const Arguments& a) {
  return Value::boolean(a.input().is_number() && is_nan(a.input()));
}
Value is_normal(Context&, const Arguments& a) {
  return Value::boolean(a.input().is_number() && std::isnormal(a.input().as_double()));
}

// Of an integer exactly.
Value absolute(Context& context, const Arguments& a) {
  if (!a.input().is_number()) return not_a_number(context, a.input());
  if (!a.input().is_int64()) return noted(context, std::fabs(a.input().as_double()));
  return a.input().as_double() < 0 ? negate_number(a.input()) : a.input();
}

Value yes(Context&, const Arguments&) { return Value::boolean(true); }
Value no(Context&, const Arguments&) { return Value::boolean(false); }

constexpr Native kNatives[] = {
    PAWL_JQ_ROUNDING(floor),
    PAWL_JQ_ROUNDING(ceil),
    PAWL_JQ_ROUNDING(round),
    PAWL_JQ_ROUNDING(trunc),
    PAWL_JQ_ROUNDING(rint),
    PAWL_JQ_ROUNDING(nearbyint),
    PAWL_JQ_UNARY(sqrt),
    PAWL_JQ_UNARY(cbrt),
    PAWL_JQ_UNARY(sin),
    PAWL_JQ_UNARY(cos),
    PAWL_JQ_UNARY(tan),
    PAWL_JQ_UNARY(asin),
    PAWL_JQ_UNARY(acos),
    PAWL_JQ_UNARY(atan),
    PAWL_JQ_UNARY(sinh),
    PAWL_JQ_UNARY(cosh),
    PAWL_JQ_UNARY(tanh),
    PAWL_JQ_UNARY(asinh),
    PAWL_JQ_UNARY(acosh),
    PAWL_JQ_UNARY(atanh),
    PAWL_JQ_UNARY(exp),
    PAWL_JQ_UNARY(exp2),
    PAWL_JQ_UNARY(expm1),
    PAWL_JQ_UNARY(log),
    PAWL_JQ_UNARY(log2),
    PAWL_JQ_UNARY(log10),
    PAWL_JQ_UNARY(log1p),
    PAWL_JQ_UNARY(logb),
    PAWL_JQ_UNARY(tgamma),
    PAWL_JQ_UNARY(lgamma),
    {"fabs", 0, absolute},
    {"j0", 0, unary<::j0>},
    {"j1", 0, unary<::j1>},
    {"y0", 0, unary<::y0>},
    {"y1", 0, unary<::y1>},
    {"jn", 2, of_order<::jn>},
    {"yn", 2, of_order<::yn>},
    {"gamma", 0, unary<gamma_of>},
    {"exp10", 0, unary<exp10_of>},
    {"pow10", 0, unary<pow10_of>},
    {"significand", 0, unary<significand_of>},
    {"pow", 2, binary<::pow>},
    {"atan2", 2, binary<::atan2>},
    {"fmod", 2, binary<::fmod>},
    {"fmin", 2, binary<::fmin>},
    {"fmax", 2, binary<::fmax>},
    {"fdim", 2, binary<::fdim>},
    {"hypot", 2, binary<::hypot>},
    {"copysign", 2, binary<::copysign>},
    {"drem", 2, binary<::remainder>},
    {"nextafter", 2, binary<::nextafter>},
    {"nexttoward", 2, binary<::nextafter>},
    {"ldexp", 2, binary<ldexp_of>},
    {"scalb", 2, binary<scalb_of>},
    {"scalbln", 2, binary<ldexp_of>},
    {"fma", 3, fma_of},
    {"frexp", 0, frexp_of},
    {"modf", 0, modf_of},
    {"lgamma_r", 0, lgamma_r_of},
    {"infinite", 0, infinite},
    {"nan", 0, nan_value},
    {"isinfinite", 0, is_infinite},
    {"isnan", 0, is_not_a_number},
    {"isnormal", 0, is_normal},
    {"erf", 0, unary<::erf>},
    {"erfc", 0, unary<::erfc>},
    {"remainder", 2, binary<::remainder>},
    {"have_literal_numbers", 0, yes},
    {"have_decnum", 0, no},
};

#undef PAWL_JQ_UNARY
#undef PAWL_JQ_ROUNDING

}  // namespace

std::span<const Native> math_natives() { return kNatives; }

}  // namespace pawl::jq::internal
