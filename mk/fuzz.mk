# Fuzzing, and how fast the model runs.

# make fuzz SECONDS=3600: first the reader, then what executes; their corpora grow under build/fuzz. Other
# compilers have no libFuzzer.
SECONDS ?= 60
CLANG   ?= clang
FUZZED  := $(filter $(BUILD)/c/cmodel/%,$(OBJECTS)) $(GENERATED)
FUZZER  := -O1 -g -fno-sanitize-recover=all -fsanitize=address,undefined
# Comparisons are not followed: most of PTX is right already.
COVERAGE := -fsanitize-coverage=inline-8bit-counters,pc-table
$(BUILD)/f/tb/fuzz/%.o: COVERAGE :=
FUZZ_FLAGS = $(FUZZER) $(COVERAGE)
$(BUILD)/f/%: CC := $(CLANG)
$(eval $(call flavour,f,fuzz,FUZZ_FLAGS))
FUZZ_RUN := ASAN_OPTIONS=allocator_may_return_null=1 $(BUILD)/exec_fuzz -max_len=16384 -timeout=20 -rss_limit_mb=2048
FUZZ_SEEDS := tb/fuzz/exec tb/fuzz/ptx $(BUILD)/workloads
$(eval $(call library,libfuzzed,f,$(FUZZED)))
$(BUILD)/exec_fuzz: $(BUILD)/f/tb/fuzz/exec_fuzz.o $(BUILD)/f/tb/fuzz/ptx_mutate.o $(BUILD)/libfuzzed.a
	$(call say,link)
	$(Q)$(CLANG) $(FUZZER) -fsanitize=fuzzer -o $@ $^ -lyaml -lcyaml -lm -ldl
$(BUILD)/ptx_fuzz: tb/fuzz/ptx_fuzz.c $(wildcard cmodel/ptx/*.[ch] cmodel/ptx/*/*.[ch] cmodel/base/*.h) cmodel/base/fault.c $(GEN)/ptx_grammar.c $(GEN)/ptx_scanner.c
	$(call say,fuzz)
	$(Q)$(CLANG) -std=c11 -w $(FUZZER) -fsanitize=fuzzer $(CPPFLAGS) -I$(GEN) -o $@ $(filter %.c,$^) -lm
.PHONY: fuzz
fuzz: $(BUILD)/ptx_fuzz $(BUILD)/exec_fuzz $(PTX)
	@mkdir -p $(BUILD)/fuzz/ptx $(BUILD)/fuzz/exec
	$< -max_total_time=$(SECONDS) -max_len=8192 -timeout=20 -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/ptx tb/fuzz/ptx
	$(FUZZ_RUN) -max_total_time=$(SECONDS) -artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/exec $(FUZZ_SEEDS)
# From the seeds alone, for so many seconds; by a seed that is drawn, and printed, unless it is given.
CHECKS_long += $(LOG)/fuzz_exec-60
$(LOG)/fuzz_exec-%: $(BUILD)/exec_fuzz $(PTX) $(wildcard tb/fuzz/*/*) FORCE
	@rm -rf $(OUT)/fuzz_exec-$* && mkdir -p $(OUT)/fuzz_exec-$*
	@$(CHECK) $@ env $(FUZZ_RUN) -seed=$(if $(filter file,$(origin SEED)),0,$(SEED)) -max_total_time=$* -print_final_stats=1 \
		-artifact_prefix=$(OUT)/fuzz_exec-$*/ $(OUT)/fuzz_exec-$* $(FUZZ_SEEDS)

.PHONY: bench
bench: $(GPUSCHED)
	@$(GPUSCHED) bench
	@tb/run/count.sh $(GPUSCHED)
