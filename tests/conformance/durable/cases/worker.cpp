// The worker of all cases: the function that it is asked for is one of them.
#include "cases.h"

int main() { return pawl::durable::serve(pawl::conformance::all_cases().functions()); }
