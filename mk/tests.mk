# Unit tests, once plain and once with sanitizers.

TEST_FILES := $(wildcard tb/*/*_test.c tb/gpu/*/*_test.c tb/units/*/*_test.c)
TESTS      := $(patsubst %_test.c,%,$(notdir $(TEST_FILES)))
test_of     = $(patsubst %.c,%,$(filter %/$(1)_test.c,$(TEST_FILES)))
# What tests share; a test links what it uses.
HELPERS := $(filter-out %_test.c,$(foreach f,base driver exec gpu gpu/* gpusched ptx synthetic units units/*,$(wildcard tb/$(f)/*.c)))
MINE  := $(if $(UNIT),$(filter $(UNIT) $(UNIT)_%,$(TESTS)),$(TESTS))
CHECKS_unit-tests := $(MINE:%=$(LOG)/unit-%) $(MINE:%=$(LOG)/sanitized-%)

$(LOG)/unit-cuda_header $(LOG)/sanitized-cuda_header: $(BUILD)/cuda_header.ptx
$(foreach t,driver_nested driver_nested_errors driver_queues driver_footprint driver_wait driver_wait_block driver_wait_cycle,$(LOG)/unit-$(t) $(LOG)/sanitized-$(t)): $(BUILD)/nested.ptx
$(LOG)/unit-driver_nvcc $(LOG)/sanitized-driver_nvcc: $(wildcard tb/driver/nvcc/*.ptx)
# Those that read our configurations.
READ_CONFIGS := experiment experiment_store gpu_base gpu_config gpu_config_key gpu_occupancy gpu_scheduler synthetic
$(READ_CONFIGS:%=$(LOG)/unit-%) $(READ_CONFIGS:%=$(LOG)/sanitized-%): $(wildcard configs/*/*)
$(LOG)/unit-%: $(BUILD)/test/%
	@$(CHECK) $@ $<
$(LOG)/sanitized-%: $(BUILD)/sanitized/%
	@$(CHECK) $@ env ASAN_OPTIONS=detect_leaks=1 $<
# More of the random machines that are run in every mode.
CHECKS_long += $(if $(UNIT),,$(LOG)/exact)
$(LOG)/exact: $(BUILD)/test/gpu_exact
	@$(CHECK) $@ env RUNS=200 $<
# A flavour of the tests. $(1): their folder in BUILD; $(2): that of the objects; $(3): the models' library; $(4): flags.
# A unit's tests do not wait for the GPU model.
define tests
$(BUILD)/$(1)/helpers.a: $(HELPERS:%.c=$(BUILD)/$(2)/%.o)
$(BUILD)/$(1)/helpers_units.a: $(patsubst %.c,$(BUILD)/$(2)/%.o,$(filter tb/base/% tb/units/%,$(HELPERS)))
$(BUILD)/$(1)/helpers.a $(BUILD)/$(1)/helpers_units.a:
	@mkdir -p $$(@D)
	$$(call say,archive)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(BUILD)/$(1)/%: $(BUILD)/$(2)/$$$$(call test_of,$$$$*).o \
		$$$$(addsuffix $$$$(if $$$$(findstring tb/units/,$$$$(call test_of,$$$$*)),_units).a,$(BUILD)/$(1)/helpers $(BUILD)/$(3)) | $(BUILD)/checkout
	$$(call say,link)
	$$(Q)$$(CC) $(4) -o $$@ $$^ -lcmocka $$(LIBS)
endef
$(eval $(call tests,test,c,libgolden))
$(eval $(call tests,sanitized,s,libsanitized,-fsanitize=address -fsanitize=undefined))

# Wrong readings of a unit's page, planted in its golden model: its tests find them all.
READINGS := $(foreach u,$(UNITS),$(call has_section,$(u),readings))
CHECKS_long += $(READINGS:%=$(LOG)/readings-%)
$(LOG)/readings-%: cmodel/units/%.c $$(call cfg_of,$$*) tb/units/readings.sh $(BUILD)/test/helpers.a $(BUILD)/libgolden.a \
		$$(addprefix $(BUILD)/c/,$$(addsuffix .o,$$(basename $$(wildcard $$(addsuffix .c,$$(addprefix tb/units/$$*/$$*_,test states_test random_test second_test))))))
	@$(CHECK) $@ tb/units/readings.sh $(OUT)/readings/$* "$(CC) -std=c11 $(CPPFLAGS) -O2" "$(BUILD)/test/helpers.a $(BUILD)/libgolden.a -lcmocka $(LIBS)" \
		$< $(call cfg_of,$*) $(filter %_test.o,$^)
