# Unit tests, once plain and once with sanitizers.

TEST_FILES := $(wildcard tb/*/*_test.c tb/units/*/*_test.c)
TESTS      := $(patsubst %_test.c,%,$(notdir $(TEST_FILES)))
test_of     = $(patsubst %.c,%,$(filter %/$(1)_test.c,$(TEST_FILES)))
MINE  := $(if $(UNIT),$(filter $(UNIT) $(UNIT)_%,$(TESTS)),$(TESTS))
CHECKS_unit-tests := $(MINE:%=$(LOG)/unit-%) $(MINE:%=$(LOG)/sanitized-%)

$(LOG)/unit-cuda_header $(LOG)/sanitized-cuda_header: $(BUILD)/cuda_header.ptx
$(LOG)/unit-%: $(BUILD)/test/%
	@$(CHECK) $@ $<
$(LOG)/sanitized-%: $(BUILD)/sanitized/%
	@$(CHECK) $@ env ASAN_OPTIONS=detect_leaks=1 $<
$(BUILD)/test/%: $(BUILD)/c/$$(call test_of,$$*).o $(BUILD)/libgolden.a | $(BUILD)/checkout
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) -o $@ $^ -lcmocka $(LIBS)
$(BUILD)/sanitized/%: $(BUILD)/s/$$(call test_of,$$*).o $(BUILD)/libsanitized.a | $(BUILD)/checkout
	@mkdir -p $(@D)
	$(call say,link)
	$(Q)$(CC) -fsanitize=address,undefined -o $@ $^ -lcmocka $(LIBS)

# Wrong readings of a unit's page, planted in its golden model: its tests find them all.
READINGS := $(foreach u,$(UNITS),$(call has_section,$(u),readings))
CHECKS_long += $(READINGS:%=$(LOG)/readings-%)
$(LOG)/readings-%: cmodel/units/%.c $$(call cfg_of,$$*) tb/units/readings.sh $(BUILD)/libgolden.a \
		$$(addsuffix .o,$$(addprefix $(BUILD)/c/tb/units/$$*/$$*_,test states_test random_test))
	@$(CHECK) $@ tb/units/readings.sh $(OUT)/readings/$* "$(CC) -std=c11 $(CPPFLAGS) -O2" "$(BUILD)/libgolden.a -lcmocka $(LIBS)" \
		$< $(call cfg_of,$*) $(filter %_test.o,$^)
