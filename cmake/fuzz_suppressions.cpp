// What the fuzzers pass over, linked into each of them.
// libfyaml 0.7 itself loses 4 KiB over a single-quoted scalar with more than fifty doubled quotes. What text/
// forgets to free, text_test finds.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libfyaml"; }
