# Golden models and the programs that run them; their installation.

TOOL     := $(BUILD)/gpusched-unit
GPUSCHED := $(BUILD)/gpusched
# A folder of sim/workloads with host part and kernels of its own name has CUDA workloads.
PROGRAMS := $(foreach w,$(notdir $(patsubst %/,%,$(wildcard sim/workloads/*/))),\
	$(if $(and $(wildcard sim/workloads/$(w)/$(w).c),$(wildcard sim/workloads/$(w)/$(w).cu)),$(w)))
PTX      := $(PROGRAMS:%=$(BUILD)/workloads/%.ptx)
HOSTS    := $(foreach w,$(PROGRAMS),$(wildcard sim/workloads/$(w)/*.c))
# FOLDER|NAME of each.
CUDA_OF  := $(shell awk '/^const struct cuda_workload workload_/ { split(FILENAME, part, "/"); sub("workload_", "", $$4); print part[3] "|" $$4 }' \
	/dev/null $(HOSTS))
CUDA     := $(sort $(foreach w,$(CUDA_OF),$(lastword $(subst |, ,$(w)))))
folder_of = $(firstword $(subst |, ,$(filter %|$(1),$(CUDA_OF))))
SOURCES  := $(wildcard $(FOLDERS:%=%/*.c)) $(HOSTS)
OBJECTS  := $(SOURCES:%.c=$(BUILD)/c/%.o)
GENERATED := $(patsubst %,$(BUILD)/c/gen/%.o,ptx_grammar ptx_scanner)
# All but the programs' main functions; a program links what it uses.
MODELS   := $(filter-out %/main.o,$(OBJECTS)) $(GENERATED)
LIBS     := -ldl -lz -lcyaml -lyaml -ljansson -lsqlite3 -lzstd -lnettle -lm -pthread

GEN      := $(BUILD)/gen

all: $(TOOL) $(GPUSCHED) $(PTX)

# No path is compiled in: by this link the programs of a build folder find the sources (places.h).
$(BUILD)/checkout:
	@mkdir -p $(@D)
	@ln -srfn . $@
	@touch $(@D)/FUSESOC_IGNORE # copies of the sources are in here
# What is built must not run on another's data; what is built elsewhere runs on ours.
unexport GPUSCHED_DATA
ifneq ($(OUT),$(BUILD))
export GPUSCHED_DATA := $(if $(filter /%,$(BUILD)),,$(CURDIR)/)$(BUILD)
endif

.PHONY: first
FIRST_RUN = $(shell sed -n -E -e 's/^  - (\{name: )?([a-z0-9_]+).*/\2/p' -e 's/^kernel.//p' configs/experiments/first-*.yaml $(wildcard docs/results/first/first.sh))
first: $(GPUSCHED) $$(sort $$(foreach w,$$(FIRST_RUN),$(BUILD)/workloads/$$(call folder_of,$$(w)).ptx)) $$(RUNTIME)

COMPILE = $(CC) -std=c11 $(WARNINGS) $(CPPFLAGS) -fPIC -MMD -MP -MT '$$(BUILD)/$(@:$(BUILD)/%=%)'
# All is compiled anew when the flags change.
FLAGS   := $(BUILD)/flags
ifneq ($(strip $(file <$(FLAGS))),$(strip $(CFLAGS) $(WARNINGS) $(CPPFLAGS)))
$(shell mkdir -p $(BUILD))
$(file >$(FLAGS),$(CFLAGS) $(WARNINGS) $(CPPFLAGS))
endif
# A flavour of all objects. $(1): its folder in BUILD; $(2): what is said; $(3): the variable with its flags.
define flavour
$(BUILD)/$(1)/%.o: %.c $(FLAGS)
	@mkdir -p $$(@D)
	$$(call say,$(2))
	$$(Q)$$(COMPILE) $$($(3)) -c -o $$@ $$<
$(BUILD)/$(1)/gen/%.o: $(GEN)/%.c $(FLAGS)
	@mkdir -p $$(@D)
	$$(call say,$(2))
	$$(Q)$$(COMPILE) -w -I$(GEN) $$($(3)) -c -o $$@ $$<
endef
SANITIZE := -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=all
$(eval $(call flavour,c,compile,CFLAGS))
$(eval $(call flavour,s,sanitize,SANITIZE))

# Their libraries. $(1): its name; $(2): the folder; $(3): objects, or all of them. One that has not changed stays as it
# is, and so do the programs that are linked with it.
define library
$(BUILD)/$(1).new: $(patsubst $(BUILD)/c/%,$(BUILD)/$(2)/%,$(or $(3),$(MODELS)))
	$$(call say,archive)
	$$(Q)rm -f $$@ && ar rcs $$@ $$^
$(BUILD)/$(1).a: $(BUILD)/$(1).new
	@cmp -s $$< $$@ || cp $$< $$@
endef
$(eval $(call library,libgolden,c))
$(eval $(call library,libsanitized,s))
# What a unit's own tests need, so that they do not wait for the GPU model.
OF_UNITS := $(filter $(foreach f,base units lockstep,$(BUILD)/c/cmodel/$(f)/%),$(MODELS))
$(eval $(call library,libgolden_units,c,$(OF_UNITS)))
$(eval $(call library,libsanitized_units,s,$(OF_UNITS)))

# A program of ours, from these objects and a library.
define program
	$(call say,link)
	$(Q)$(CC) -o $@ $(LINK) $^ $(LIBS)
endef
$(TOOL): $(BUILD)/c/sim/unit/main.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(program)
$(GPUSCHED): $(BUILD)/c/sim/gpusched/command/main.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(program)
# The same with sanitizers, and all assertions.
SANITIZED := $(BUILD)/gpusched-sanitized
$(SANITIZED): $(BUILD)/s/sim/gpusched/command/main.o $(BUILD)/libsanitized.a | $(BUILD)/checkout
	$(program)
$(SANITIZED): LINK := -fsanitize=address -fsanitize=undefined

# Scanner and parser of PTX: generated C, which is not written for our warnings.
$(GEN)/%.c: cmodel/ptx/read/%.y
	@mkdir -p $(@D)
	$(call say,bison)
	$(Q)bison --output=$@ --header=$(@:.c=.h) $< && touch $(@:.c=.h)
$(GEN)/%.c: cmodel/ptx/read/%.l
	@mkdir -p $(@D)
	$(call say,flex)
	$(Q)flex --outfile=$@ $<
$(GEN)/ptx_grammar.h: $(GEN)/ptx_grammar.c ;
$(foreach b,c s f,$(BUILD)/$(b)/gen/ptx_scanner.o): $(GEN)/ptx_grammar.h

# Two files list all units, and all drivers.
LISTS := '-DUNITS(X)=$(foreach u,$(ALL_UNITS),X($(u)))' '-DDRIVERS(X)=$(foreach u,$(DRIVERS),X($(u)))'
LISTS += '-DWORKLOADS(X)=$(foreach w,$(CUDA),X($(w)))'
LISTING := $(foreach b,c s f,$(BUILD)/$(b)/cmodel/units/unit_types.o $(BUILD)/$(b)/cmodel/units/drivers/drivers.o)
$(LISTING): $(wildcard cmodel/units/*_ports.def cmodel/units/drivers/*_driver.c)
CUDA_LIST := $(foreach b,c s,$(BUILD)/$(b)/sim/workloads/workload_list.o)
$(CUDA_LIST): $(HOSTS)
$(LISTING) $(CUDA_LIST): CPPFLAGS += $(LISTS)

# Manual pages, from --help; man finds them beside a program on the PATH.
MAN := $(BUILD)/man/man1
man: $(MAN)/gpusched.1
$(MAN)/gpusched.1: $(GPUSCHED) $(TOOL) tb/man.sh
	$(call say,man)
	$(Q)tb/man.sh $(MAN) $(GPUSCHED) $(TOOL)

# make install PREFIX=/usr DESTDIR=/tmp/package; the program finds its data relative to itself.
PREFIX ?= /usr/local
install: all man package
	@tb/install.sh install $(BUILD) '$(DESTDIR)$(PREFIX)'
uninstall:
	@tb/install.sh uninstall $(BUILD) '$(DESTDIR)$(PREFIX)'
