# Compilers with their flags, what is said while they run, and the Debian packages that are needed.

CC       := gcc
CXX      := g++
CFLAGS   ?= -O3 -g -DNDEBUG
# Verilated models take a fifth less time than with -O1, and half as long again to compile.
CXXFLAGS ?= -O3
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
# Folders of C files. Includes carry their path from cmodel or sim; tests' own from here.
FOLDERS  := $(sort $(patsubst %/,%,$(dir $(wildcard cmodel/*/*.[ch] cmodel/*/*/*.[ch] sim/*/*.[ch] sim/gpusched/*/*.[ch] \
	sim/gpusched/*/*/*.[ch]))))
# tb/base/rows: tables of units that are only there to be tested.
INCLUDES := -Icmodel -Isim -I. -Itb/base/rows
DEFINES  := -D_POSIX_C_SOURCE=200809L
CPPFLAGS += $(DEFINES) $(INCLUDES)
VERILATED = $(shell verilator -getenv VERILATOR_ROOT)/include
# V=1 shows the commands.
Q := $(if $(V),,@)
say = $(if $(V),,@printf '%-9s %s\n' $(1) '$(patsubst $(BUILD)/%,%,$@)' >&2)
# Builds use all cores unless told otherwise.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc)
endif

# To build and run; and to check everything.
RUN_PACKAGES := gcc g++ make clang verilator flex bison zlib1g-dev libcyaml-dev libyaml-dev libjansson-dev libsqlite3-dev libzstd-dev nettle-dev
PACKAGES := $(RUN_PACKAGES) clang-format clang-tidy iverilog yosys z3 opensta qflow-tech-osu018 \
	libsystemc-dev libcmocka-dev bats shellcheck sqlite3 strace libxml2-utils gnuplot-nox valgrind help2man man-db groff-base slurm-wlm munge

deps:
	@tb/deps.sh $(PACKAGES)

# The tools of the checks as they are installed: the path, size and time of each.
INSTALLED := $(BUILD)/installed
$(INSTALLED): FORCE
	@mkdir -p $(@D)
	@tb/installed.sh > $@.now && if cmp -s $@.now $@; then rm $@.now; else mv $@.now $@; fi
