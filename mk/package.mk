# Packaging: what other projects take. Core files and Bender.yml are kept by hand, and compared with the Verilog; lists
# of files, and tops with an active-low reset, are written.

PACKAGE  := $(BUILD)/package
# A unit is written when its list is.
PACKAGED := $(UNITS:%=$(PACKAGE)/%.f)
$(PACKAGE)/%.f: $$(call verilog,$$*) $$(wildcard rtl/*/*.v) $(TOOL) $(addprefix tb/package/,write.sh files.sh top.awk) tb/conformance/replay.v
	$(call say,package)
	$(Q)tb/package/write.sh $(PACKAGE) $(TOOL) $*
package: $(PACKAGED)
	@printf '%s\n' $(foreach u,$(UNITS),$(addprefix $(PACKAGE)/$(u),.f _top.f _sim.f .core))

# They are of our Verilog, whatever RTL is.
CHECKS_package-checks := $(if $(RTL),,$(UNITS:%=$(LOG)/package-%) $(if $(UNIT),,$(addprefix $(LOG)/package_,cores noticed reset)))
FLAT := $(BUILD)/flat
$(FLAT): tb/package/flat.c $(FLAGS)
	$(call say,compile)
	$(Q)$(CC) -std=c11 $(WARNINGS) $(CPPFLAGS) -O1 -o $@ $< -lyaml
CORES := $(wildcard rtl/*/*.core)
$(LOG)/package-%: $(PACKAGE)/%.f $(TOOL) $(LIB) tb/package/unit.sh tb/package/files.sh tb/drift/xml_ports.awk
	@$(CHECK) $@ tb/package/unit.sh $(OUT)/package-$* $(PACKAGE) $(TOOL) $*
# By day one of three tools takes the files of a core, at night each of them.
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/package_all)
$(LOG)/package_cores $(LOG)/package_all: $(FLAT) $(PACKAGED) $(CORES) Bender.yml $(wildcard rtl/*/*.v) tb/package/cores.sh tb/package/files.sh
	@$(CHECK) $@ tb/package/cores.sh $(OUT)/$(@F) $(FLAT) $(if $(filter %_all,$@),all,one) $(CORES) $(UNITS:%=$(PACKAGE)/%.core)
$(LOG)/package_noticed: $(FLAT) $(TOOL) $(CORES) Bender.yml $(wildcard rtl/*/*.v tb/package/*) tb/verilog.sh tb/drift/xml_ports.awk tb/conformance/replay.v
	@$(CHECK) $@ tb/package/noticed.sh $(OUT)/package-noticed $(FLAT) $(TOOL)
$(LOG)/package_reset: rtl/lib/reset_sync.v tb/package/reset_bench.v tb/package/reset.sh
	@$(CHECK) $@ tb/package/reset.sh $(OUT)/package-reset $< tb/package/reset_bench.v
