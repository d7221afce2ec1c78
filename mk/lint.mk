# Lint: C, shell and Verilog; no warning allowed.

# All that C files include, but what is generated.
TESTING  := $(filter-out tb/canary tb/dpi,$(patsubst %/,%,$(sort $(dir $(wildcard tb/*/*.[ch] tb/gpu/*/*.[ch] tb/units/*/*.[ch])))))
INCLUDED := $(wildcard $(FOLDERS:%=%/*.h) $(FOLDERS:%=%/*.def) $(TESTING:%=%/*.h) tb/base/rows/*/* sim/workloads/*/*.h)
HEADERS := $(filter-out %/unit_declare.h %/unit_define.h %/unit_rows.h,$(wildcard $(FOLDERS:%=%/*.h)))
C_FILES := $(SOURCES) $(wildcard $(TESTING:%=%/*.c) docs/examples/*/*.c)
SCRIPTS := $(wildcard cmodel/*/*.sh tb/*.sh tb/*/*.sh tb/*/*.bats tb/cli/helper.bash docs/*/*.sh docs/*/*/*.sh) .ci/run
TIDY := $(foreach f,$(sort $(patsubst %/,%,$(dir $(SOURCES)))),$(LOG)/lint_tidy-$(subst /,.,$(f)))
CHECKS_lint := $(DAY_CASES:%=$(LOG)/lint-%) $(UNITS:%=$(LOG)/cfg-%) $(if $(UNIT),,$(addprefix $(LOG)/lint_,clang dpi example headers format shell floors lib) $(TIDY)) \
	$(patsubst %,$(LOG)/lint-%,$(foreach p,$(LIB_PARTS),$(call sizes_in,$(p),$(call proofs,$(p)))))
CHECKS_long += $(patsubst %,$(LOG)/lint-%,$(foreach p,$(LIB_PARTS),$(call sizes_in,$(p),$(call night_proofs,$(p)))))

# A unit is whole, and what its checks are given can be read.
$(LOG)/cfg-%: tb/units/$$*/$$*.cfg $(TOOL) tb/units/cfg.sh tb/cfg.sh \
		$$(wildcard cmodel/units/$$*.[ch] cmodel/units/$$*_ports.def rtl/*/$$*.v tb/units/$$*/* docs/units/$$*.md)
	@$(CHECK) $@ tb/units/cfg.sh $(TOOL) $<

# Tools that say nothing when all is well must find a planted mistake too.
SILENT := tb/silent.sh tb/canary/
# $(call silent,CHECK,CANARY)
define silent
$(LOG)/$(1): tb/silent.sh tb/canary/$(2)
endef
$(foreach c,lint_clang lint_dpi lint_analyzer $(notdir $(TIDY)),$(eval $(call silent,$(c),warning.c)))
$(foreach c,lint_analyzer $(notdir $(TIDY)),$(eval $(call silent,$(c),tidy.c)))
$(eval $(call silent,lint_headers,alone.h))
$(eval $(call silent,lint_format,format.c))
$(eval $(call silent,lint_shell,script.bash))
# Once for all of these checks, and again when a tool has changed.
LINT_TOOLS := $(OUT)/lint-tools
$(LINT_TOOLS): tb/lint_tools.sh tb/canary/lint.v tb/canary/drive.v $(INSTALLED)
	@rm -f $@ && tb/lint_tools.sh && touch $@
$(LOG)/lint-%: $$(call verilog,$$*) $$(call parts,$$*) $(LIB) tb/lint.sh $(LINT_TOOLS)
	@$(CHECK) $@ tb/lint.sh $< $(call params,$*)
# What clang-tidy does not read, which has all of clang's warnings too.
NOT_TIDIED := $(filter-out $(SOURCES),$(C_FILES))
$(LOG)/lint_clang: $(NOT_TIDIED) $(INCLUDED)
	@$(CHECK) $@ $(SILENT)warning.c $(NOT_TIDIED) -- clang -std=c11 $(WARNINGS) $(CPPFLAGS) $(LISTS) -fsyntax-only {}
$(LOG)/lint_dpi: tb/dpi/unit_dpi.c $(INCLUDED)
	@$(CHECK) $@ $(SILENT)warning.c $< -- clang -std=c11 $(WARNINGS) $(CPPFLAGS) -DUNIT=$(firstword $(ALL_UNITS)) \
		-I$(VERILATED)/vltstd -fsyntax-only {}
$(LOG)/lint_lib: docs/lib.md $(wildcard rtl/lib/*.v rtl/formal/*.v tb/lib/*.cfg) tb/lib/parts.sh tb/cfg.sh tb/verilog.sh
	@$(CHECK) $@ tb/lib/parts.sh rtl/lib tb/lib $<
$(LOG)/lint_example: docs/examples/vectors-icarus/coalesced_cache.v tb/lint.sh tb/verilog.sh $(LINT_TOOLS)
	@$(CHECK) $@ tb/lint.sh $< N_LINE=6 LINE_W=8
# A folder at a time: cmodel/gpu is lint_tidy-cmodel.gpu. By day the analyzer sees a twentieth of the paths of a function
# that it sees by default, and at night a quarter: by day it takes half of the time.
# $(call tidy,FILES,NODES)
tidy = @$(CHECK) $@ $(SILENT)tidy.c,tb/canary/warning.c $(1) -- clang-tidy --quiet {} -- -std=c11 $(WARNINGS) $(CPPFLAGS) $(LISTS) \
	-Xclang -analyzer-config -Xclang max-nodes=$(2)
$(LOG)/lint_tidy-%: .clang-tidy $$(wildcard $$(subst .,/,$$*)/*.c) $(INCLUDED)
	$(call tidy,$(wildcard $(subst .,/,$*)/*.c),12000)
CHECKS_long += $(if $(UNIT),,$(LOG)/lint_analyzer)
$(LOG)/lint_analyzer: .clang-tidy $(SOURCES) $(INCLUDED)
	$(call tidy,$(SOURCES),50000)
$(LOG)/lint_headers: $(HEADERS) $(INCLUDED) tb/headers.sh
	@$(CHECK) $@ $(SILENT)alone.h $(HEADERS) -- tb/headers.sh $(CC) -std=c11 $(WARNINGS) $(CPPFLAGS) -- {}
$(LOG)/lint_floors: $(SOURCES) $(INCLUDED) $(wildcard cmodel/ptx/read/*.[yl]) $(BUILD)/libgolden.a tb/floors.sh tb/floors.awk tb/canary/floors.txt
	@$(CHECK) $@ tb/floors.sh $(BUILD) $(filter cmodel/% sim/%,$(filter %.c %.h %.def %.y %.l,$^))
$(LOG)/lint_format: .clang-format $(C_FILES) $(HEADERS) $(wildcard $(TESTING:%=%/*.h) tb/dpi/*.c docs/examples/*/*.cpp)
	@$(CHECK) $@ $(SILENT)format.c $(filter-out tb/canary/%,$(filter %.c %.h %.cpp,$^)) -- clang-format --dry-run -Werror {}
$(LOG)/lint_shell: $(SCRIPTS)
	@$(CHECK) $@ $(SILENT)script.bash $(SCRIPTS) -- shellcheck {}
