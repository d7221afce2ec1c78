# gpusched: the only build entry. `make` lists the targets; mk has one file per topic.
#
# A unit is added by its own files, named after it; only runs of the GPU model name the units
# in its paths.
#
# A check is a log under $(LOG): it is made again only when something it depends on has
# changed. What depends on RTL or logs is under OUT, so that a run on other RTL has a
# place of its own: make UNIT=claso RTL=other OUT=build/other. Each unit that is checked must
# be in RTL; parts of a unit that are not are ours.

# Relative, so that the checkout may stand in a folder of any name, and be moved.
BUILD  ?= build
OUT    ?= $(BUILD)
CYCLES ?= 500000
SEED   ?= 1
MODE   ?= mixed

# In this order: each uses what those before it have defined.
TOPICS := tools units build kernels tests lint drift results lockstep conformance area systemc examples prove package runs fuzz checks
MAKEFILES_OURS := Makefile $(TOPICS:%=mk/%.mk)

.PHONY: package-checks help run deps all man lint unit-tests runs drift lockstep conformance netlist systemc dpi examples planted prove package \
	install uninstall sabotage check test count new nightly night-checks night-count ledger checks docs clean
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
.DEFAULT_GOAL := help

help:
	@echo 'make run           each mechanism over the baseline of its paper, RTL in lockstep: out/report.html'
	@echo 'make deps          installs the Debian packages that are missing'
	@echo 'make check         what one runs all the time, in a few minutes'
	@echo 'make test          everything below; ends with: N passed, N failed'
	@echo "                   ONLY='unit-claso lint_%': only these logs"
	@echo 'make nightly       the checks that take longer, counted likewise; writes docs/results/trust.md'
	@echo
	@echo 'make all           the programs'
	@echo 'make install       into PREFIX=/usr/local, below DESTDIR; make uninstall removes it'
	@echo 'make man           their manual pages: man -M build/man gpusched'
	@echo 'make package       file lists, tops with an active-low reset and cores for FuseSoC, in build/package'
	@echo 'make lint          C, shell and Verilog; no warning allowed'
	@echo 'make unit-tests    golden models and machinery on their own'
	@echo 'make runs          the GPU model: every workload and GPU, the same bytes in every mode'
	@echo 'make drift         port tables and their paths against the elaborated RTL'
	@echo 'make lockstep      golden models against RTL, every port and register, every cycle'
	@echo 'make conformance   vectors replayed under Icarus and Verilator; leaves the kit'
	@echo 'make netlist       the netlist that is measured, replayed; area and timing within their limits'
	@echo 'make systemc       both as SystemC modules, side by side'
	@echo 'make dpi           golden models called from SystemVerilog'
	@echo 'make examples      the commands of docs/examples print what its pages show'
	@echo 'make planted       defects planted in the RTL, found and reported'
	@echo 'make sabotage      checks that no longer check are noticed'
	@echo
	@echo 'make area          area and timing of the units in standard cells, as a table; LIBERTY=FILE.lib'
	@echo 'make results       runs the experiments, and writes docs/results'
	@echo 'make silicon       the CUDA programs for a real GPU: build/silicon; results-silicon compares the model with an H100'
	@echo 'make fidelity      what each GPU does, beside published figures: docs/results/machine.md'
	@echo 'make results-perf-sat  Perf-Sat and LCS beside every number of CTAs: docs/results/perf-sat.md'
	@echo 'make results-onac      ONAC and Seq-Det beside the oracle: docs/results/onac.md'
	@echo 'make results-bcs  block CTA scheduling on three GPUs: docs/results/bcs.md'
	@echo 'make results-warp-policies  round robin and greedy-then-oldest warps: docs/results/warp-policies.md'
	@echo 'make results-claims  every claim of the papers, ours, and a verdict: docs/results/claims.md'
	@echo 'make results-sweep  the two sweeps of docs/sweep.md, their tables and pictures'
	@echo 'make results-workloads  our kernels beside the tables of the papers: docs/results/workloads.md'
	@echo 'make new           the files of a new unit: UNIT=tally TABLE=FILE, with its port table'
	@echo 'make prove         properties proved by induction'
	@echo 'make same          a module does what it did before: UNIT=claso OLD=REVISION or FILE'
	@echo 'make docs          writes what is generated: tables of the pages, heads of the modules'
	@echo 'make fuzz          the PTX reader and the executor under libFuzzer, SECONDS=60 each'
	@echo 'make bench         how fast the GPU model runs'
	@echo 'make bench-lockstep  and how much slower with RTL in the shadow, REPEATS=7'
	@echo 'make bench-throttles  and with each throttle, in instructions of the host'
	@echo 'make ledger        tb/ledger.txt, of what each check has checked, after make test'
	@echo 'make clean         removes build/'
	@echo
	@echo 'Each takes UNIT=claso, and lockstep, conformance and systemc also take'
	@echo 'PARAMS="N_CORE=15 N_KERNEL=4" CYCLES=1000000 SEED=7 MODE=mixed'

# The first thing to try: what is missing is installed, the table and out/report.html are made. The experiments run one
# after the other: each uses all cores by itself.
run:
	@tb/deps.sh $(RUN_PACKAGES)
	@$(MAKE) --no-print-directory -j$(shell nproc) first
	@for name in first-claso first-bcs first-icc first-ctas first-onac first-laperm; do \
		$(GPUSCHED) experiment $$name -o out --csv=out/$$name.csv || exit; \
		$(GPUSCHED) report out/$$name.sqlite -o out/$$name.html > out/$$name.txt || exit; done
	@docs/results/first/first.sh throttle out $(GPUSCHED) medium --rtl=shadow
	@docs/results/first/first.sh html out > out/report.html
	@docs/results/first/first.sh text out
	@echo 'page      out/report.html'

include $(TOPICS:%=mk/%.mk)
