# Results: one page per experiment.

RESULTS := $(BUILD)/results
# What asks a database for whole results.
export GPUSCHED
$(RESULTS)/%.csv: configs/experiments/%.yaml $(GPUSCHED) $(PTX) FORCE
	@$(GPUSCHED) experiment $< -o $(RESULTS) --csv=$@
$(RESULTS)/laperm-levels-seeds.txt: configs/experiments/laperm-levels-seeds.yaml $(GPUSCHED) $(PTX) FORCE
	@mkdir -p $(@D)
	@$(GPUSCHED) experiment $< -o $(@D) --table > $@
# One after the other: each uses all cores by itself.
results:
	@$(MAKE) --no-print-directory results-claso
	@$(MAKE) --no-print-directory results-perf-sat
	@$(MAKE) --no-print-directory results-onac
	@$(MAKE) --no-print-directory results-laperm
	@$(MAKE) --no-print-directory results-icc
	@$(MAKE) --no-print-directory results-bcs
	@$(MAKE) --no-print-directory results-warp-policies
	@$(MAKE) --no-print-directory results-sensitivity
	@$(MAKE) --no-print-directory results-sweep
	@$(MAKE) --no-print-directory results-workloads
	@$(MAKE) --no-print-directory results-silicon
	@$(MAKE) --no-print-directory fidelity
	@$(MAKE) --no-print-directory results-area
	@$(MAKE) --no-print-directory results-claims
results-claso: $(RESULTS)/claso.csv $(RESULTS)/claso-grid.csv $(RESULTS)/claso-ctas.csv $(RESULTS)/claso-levels.csv $(RESULTS)/claso-owl.csv $(RESULTS)/claso-coulombic.csv $(RESULTS)/noise-claso-full.txt
	@for base in lrr tl owl dyncta; do \
		tb/drift/document.sh write docs/results/claso.md $$base docs/results/claso/claso.sh $$base $< $(word 6,$^) || exit 1; done
	@tb/drift/document.sh write docs/results/claso.md levels docs/results/claso/claso-levels.sh $(word 4,$^)
	@tb/drift/document.sh write docs/results/claso.md groups docs/results/claso/claso-owl.sh $(word 5,$^)
	@tb/drift/document.sh write docs/results/claso.md memory docs/results/claso/claso-memory.sh $(GPUSCHED) $(OUT)/claso-memory
	@tb/drift/document.sh write docs/results/sensitivity.md noise-claso-full sed 's/^./    &/' $(RESULTS)/noise-claso-full.txt
	@docs/results/sensitivity/bands.sh write claso
	@tb/drift/document.sh write docs/results/claso.md grid docs/results/claso/claso-grid.sh table $(word 2,$^)
	@docs/results/claso/claso-grid.sh chart $(word 2,$^) docs/images/claso-grid.svg
	@tb/drift/document.sh write docs/results/claso.md idle-sms docs/results/claso/claso-ctas.sh table $(RESULTS)/claso-ctas.sqlite scalar_product
	@docs/results/claso/claso-ctas.sh chart $(RESULTS)/claso-ctas.sqlite scalar_product 'Scalar product' docs/images/claso-ctas.svg
	@$(GPUSCHED) report $(RESULTS)/claso.sqlite -o $(RESULTS)/claso.html -q
results-bcs: $(RESULTS)/bcs.csv
	@for gpu in m2090 k20c k20x; do \
		tb/drift/document.sh write docs/results/bcs.md $$gpu docs/results/bcs/bcs.sh $$gpu $< || exit 1; done
results-warp-policies: $(RESULTS)/warp-policies.csv
	@for part in headline speed levels idle load; do \
		tb/drift/document.sh write docs/results/warp-policies.md $$part docs/results/warp-policies/warp-policies.sh $$part $(<:.csv=.sqlite) || exit 1; done
	@docs/results/sensitivity/bands.sh write warp-policies
	@docs/results/warp-policies/warp-policies-chart.sh docs/images/warp-policies.svg $(<:.csv=.sqlite)
ICC_CSV := $(patsubst %,$(RESULTS)/%.csv,icc icc-sizes icc-clusters icc-bandwidth)
PERF_SAT_K20X := perf-sat-k20x perf-sat-k20x-gaussian
PERF_SAT_WALKED := nearest_neighbour_distance srad_extract srad_prepare srad_reduce srad_diffuse srad_update
results-perf-sat: $(patsubst %,$(RESULTS)/%.csv,perf-sat $(PERF_SAT_K20X) lcs)
	@for part in headline counts curves speed saved types; do \
		tb/drift/document.sh write docs/results/perf-sat.md $$part docs/results/perf-sat/perf-sat.sh $$part m2090 $(RESULTS)/perf-sat.sqlite || exit 1; \
		tb/drift/document.sh write docs/results/perf-sat.md k20x-$$part docs/results/perf-sat/perf-sat.sh $$part k20x \
			$(PERF_SAT_K20X:%=$(RESULTS)/%.sqlite) || exit 1; done
	@tb/drift/document.sh write docs/results/perf-sat.md static docs/results/perf-sat/lcs.sh $(RESULTS)/lcs.sqlite
	@docs/results/sensitivity/bands.sh write perf-sat
	@for program in nearest_neighbour srad; do docs/results/perf-sat/perf-sat-walks.sh record $(GPUSCHED) $(RESULTS) $$program || exit 1; done
	@docs/results/perf-sat/perf-sat-walks.sh chart docs/images/perf-sat-walks.svg $(RESULTS) $(PERF_SAT_WALKED)
	@docs/results/perf-sat/perf-sat-chart.sh docs/images/perf-sat.svg m2090 $(RESULTS)/perf-sat.sqlite
	@docs/results/perf-sat/perf-sat-chart.sh docs/images/perf-sat-k20x.svg k20x $(PERF_SAT_K20X:%=$(RESULTS)/%.sqlite)
	@docs/results/perf-sat/perf-sat-cost-chart.sh docs/images/perf-sat-cost.svg m2090 $(RESULTS)/perf-sat.sqlite
	@docs/results/perf-sat/perf-sat-cost-chart.sh docs/images/perf-sat-cost-k20x.svg k20x $(PERF_SAT_K20X:%=$(RESULTS)/%.sqlite)
	@$(GPUSCHED) report $(RESULTS)/perf-sat.sqlite -o $(RESULTS)/perf-sat.html -q
# The oracle is a search: its runs depend on what the runs before them have given.
# Programs, and after how many detections a long run is left: that of a kernel of the table is the last.
ONAC_WALKS := backprop btree dct8x8 lud nearest_neighbour transpose fast_walsh:1 separable_convolution:1 pathfinder:1 hotspot:1 \
    kmeans:2 srad:6 merge_sort:3 texture_convolution dxt_compression
ONAC_WALKED := lud_internal nearest_neighbour_distance kmeans_assign btree_find_range backprop_adjust srad_diffuse dct8x8_forward dct8x8_quantise \
    transpose_tiled transpose_coarse fast_walsh_global convolve_rows merge_intervals pathfinder_rows btree_find_key hotspot backprop_forward \
    texture_rows texture_columns dxt_compress
results-onac: $(patsubst %,$(RESULTS)/%.csv,onac onac-waves oracle-each)
	@docs/results/onac/onac-oracle.sh $(GPUSCHED) $(RESULTS)
	@for program in $(ONAC_WALKS); do docs/results/onac/onac-walks.sh record $(GPUSCHED) $(RESULTS) $${program%:*} $$(echo $$program | sed -n 's/.*://p') || exit 1; done
	@for part in type-a type-b found cost each tries latency waves; do \
		tb/drift/document.sh write docs/results/onac.md $$part docs/results/onac/onac.sh $$part $(RESULTS) || exit 1; done
	@tb/drift/document.sh write docs/results/onac.md walks docs/results/onac/onac-walks.sh table $(RESULTS) $(ONAC_WALKED)
	@docs/results/onac/onac-l2.sh record $(GPUSCHED) $(RESULTS) nearest_neighbour nearest_neighbour_distance 1
	@docs/results/onac/onac-l2.sh record $(GPUSCHED) $(RESULTS) backprop backprop_adjust 2
	@tb/drift/document.sh write docs/results/onac.md l2 docs/results/onac/onac-l2.sh table $(RESULTS) nearest_neighbour_distance backprop_adjust
	@docs/results/sensitivity/bands.sh write onac
	@docs/results/onac/onac-chart.sh $(RESULTS) docs/images $(ONAC_WALKED)
	@$(GPUSCHED) report $(RESULTS)/onac.sqlite -o $(RESULTS)/onac.html -q
results-laperm: $(patsubst %,$(RESULTS)/%.csv,laperm laperm-launch laperm-bound laperm-levels) $(RESULTS)/laperm-levels-seeds.txt
	@for part in headline speed l1 l2 l1-parents l1-children l2-parents l2-children home idle tail; do \
		tb/drift/document.sh write docs/results/laperm.md $$part docs/results/laperm/laperm.sh $$part $(RESULTS)/laperm.sqlite || exit 1; done
	@for part in wait spilled; do \
		tb/drift/document.sh write docs/results/laperm.md $$part docs/results/laperm/laperm-wait.sh $$part $(RESULTS)/laperm.sqlite || exit 1; done
	@tb/drift/document.sh write docs/results/laperm.md launches docs/results/laperm/laperm-launch.sh $(RESULTS)/laperm-launch.sqlite
	@for part in levels levels-l1; do \
		tb/drift/document.sh write docs/results/laperm.md $$part docs/results/laperm/laperm-levels.sh $$part $(RESULTS)/laperm-levels.sqlite || exit 1; done
	@tb/drift/document.sh write docs/results/laperm.md levels-seeds sed '/geometric/d; s/^./    &/' $(RESULTS)/laperm-levels-seeds.txt
	@tb/drift/document.sh write docs/results/laperm.md bound docs/results/laperm/laperm-bound.sh $(RESULTS)/laperm-bound.csv
	@tb/drift/document.sh write docs/results/laperm.md footprint docs/results/laperm/laperm-footprint.sh $(GPUSCHED) $(OUT)/laperm-footprint
	@docs/results/sensitivity/bands.sh write laperm
	@docs/results/laperm/laperm-chart.sh $(RESULTS)/laperm.sqlite docs/images/laperm.svg
	@$(GPUSCHED) report $(RESULTS)/laperm.sqlite -o $(RESULTS)/laperm.html -q
results-icc: $(ICC_CSV) $(patsubst %,$(RESULTS)/icc-%.csv,rows headers answers)
	@docs/results/icc/icc-tables.sh $(ICC_CSV) docs/results/icc.md
	@tb/drift/document.sh write docs/results/icc.md rows docs/results/icc/icc-memory.sh rows $(RESULTS)/icc-rows.csv
	@tb/drift/document.sh write docs/results/icc.md row-hits docs/results/icc/icc-memory.sh row-hits $(RESULTS)/icc-rows.csv
	@for part in headers answers; do \
		tb/drift/document.sh write docs/results/icc.md $$part docs/results/icc/icc-memory.sh $$part $(RESULTS)/icc-$$part.csv || exit 1; done
	@docs/results/sensitivity/bands.sh write icc
	@docs/results/icc/icc-off.sh write
	@docs/results/icc/icc-charts.sh $(ICC_CSV) docs/images
	@for csv in $(ICC_CSV); do $(GPUSCHED) report $${csv%.csv}.sqlite -o $${csv%.csv}.html -q || exit 1; done
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_disagreements)
$(LOG)/document_disagreements: docs/results/icc/icc-off.sh docs/results/icc.md tb/drift/document.sh
	@$(CHECK) $@ docs/results/icc/icc-off.sh check $(OUT)/icc-off
# The page is written even if a unit exceeds its limit, and says so.
results-area:
	@$(MAKE) --no-print-directory area || true
	@docs/results/area/area.sh $(OUT)/area/osu018_stdcells.json docs/results/area.md docs/images
	@tb/drift/document.sh write $(OPERATIONS)
# What the GPUs do, beside what is published of them; a check makes the page's tables again.
MACHINE := docs/results/machine.md $(wildcard docs/results/machine/*) configs/fidelity/machine.yaml
fidelity: $(GPUSCHED)
	@rm -rf $(OUT)/fidelity && mkdir -p $(OUT)/fidelity
	@docs/results/machine/machine.sh measure $(GPUSCHED) $(OUT)/fidelity > $(OUT)/fidelity/measured.tsv
	@docs/results/machine/machine.sh write $(OUT)/fidelity/measured.tsv
	@docs/results/machine/machine.sh headline $(OUT)/fidelity/measured.tsv
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_machine)
$(LOG)/document_machine: $(GPUSCHED) $(MACHINE) $$(CONFIGS) tb/drift/document.sh
	@$(CHECK) $@ docs/results/machine/machine-check.sh $(GPUSCHED) $(OUT)/machine
# Programs on the H100, beside a real one; a check runs those of size medium again.
SILICON_CSV := $(patsubst %,$(RESULTS)/silicon-%.csv,medium paper)
results-silicon: $(SILICON_CSV)
	@docs/results/silicon/silicon.sh measure $(GPUSCHED) $(SILICON_CSV:.csv=.sqlite) > $(RESULTS)/silicon.tsv
	@for part in headline-medium headline-paper machine medium paper nested; do \
		tb/drift/document.sh write docs/results/silicon.md $$part docs/results/silicon/silicon.sh $$part $(RESULTS)/silicon.tsv || exit 1; done
	@docs/results/silicon/silicon-chart.sh $(RESULTS)/silicon.tsv docs/images/silicon.svg
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_silicon)
$(LOG)/document_silicon: $(GPUSCHED) $(PTX) docs/results/silicon.md $(wildcard docs/results/silicon/*) README.md configs/experiments/silicon-medium.yaml $$(CONFIGS) tb/drift/document.sh
	@$(CHECK) $@ docs/results/silicon/silicon-check.sh $(GPUSCHED) $(OUT)/silicon-page
# The pages whose changes of time are marked where they may be noise, by the bands of sensitivity.md; a check marks them again.
BANDED := icc claso perf-sat onac laperm warp-policies
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_bands)
$(LOG)/document_bands: $(wildcard docs/results/sensitivity/bands*) docs/results/sensitivity/ensembles.awk docs/results/sensitivity.md $(BANDED:%=docs/results/%.md)
	@$(CHECK) $@ docs/results/sensitivity/bands.sh check $(OUT)/bands
# Those of the table of `make run`; a check makes it of made-up runs.
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_first)
$(LOG)/document_first: $(GPUSCHED) $(PTX) $(wildcard docs/results/first/* docs/results/sensitivity/*) docs/results/sensitivity.md docs/results/claims.md \
		docs/results/claims/claims.tsv $$(CONFIGS)
	@$(CHECK) $@ docs/results/first/first-check.sh $(GPUSCHED) $(OUT)/first
# A headline as an ensemble, and with each value of its GPU that has no source halved and doubled; a check compares the values
# with the GPU.
SENSITIVE := $(patsubst %,$(RESULTS)/sensitivity-%.csv,bcs claso claso-two-level icc perf-sat lcs onac laperm warp-policies)
$(SENSITIVE): $(RESULTS)/sensitivity-%.csv: docs/results/sensitivity/sensitivity.sh $(GPUSCHED) $(PTX) FORCE
	@mkdir -p $(@D)
	@docs/results/sensitivity/sensitivity.sh experiment $(GPUSCHED) $* > $(@:.csv=.yaml)
	@$(GPUSCHED) experiment $(@:.csv=.yaml) -o $(@D) --csv=$@
NOISY := $(patsubst %,$(RESULTS)/noise-%.txt,bcs claso icc perf-sat perf-sat-k20x onac laperm laperm-groups warp-policies)
$(NOISY): $(RESULTS)/noise-%.txt: docs/results/sensitivity/sensitivity.sh $(wildcard configs/experiments/first-*.yaml configs/experiments/noise-*.yaml) $(GPUSCHED) $(PTX) FORCE
	@mkdir -p $(@D)
	@docs/results/sensitivity/sensitivity.sh noise $* > $(@:.txt=.yaml)
	@$(GPUSCHED) experiment $(@:.txt=.yaml) -o $(@D) --table > $@
# Of some the energy, too.
NOISY_ENERGY := $(patsubst %,$(RESULTS)/noise-%-energy.txt,icc onac)
$(NOISY_ENERGY): $(RESULTS)/noise-%-energy.txt: $(RESULTS)/noise-%.txt
	@$(GPUSCHED) experiment $(<:.txt=.yaml) -o $(@D) --no-run --table=energy.total > $@
# The page of CLASO has the runs of this one.
$(RESULTS)/noise-claso-full.txt: $(RESULTS)/claso.csv
	@$(GPUSCHED) experiment configs/experiments/claso.yaml -o $(@D) --no-run --table > $@
results-sensitivity: $(SENSITIVE) $(NOISY) $(NOISY_ENERGY) $(RESULTS)/noise-claso-full.txt $(RESULTS)/icc.csv $(RESULTS)/onac.csv
	@docs/results/sensitivity/sensitivity.sh write $(GPUSCHED) $(RESULTS)
	@docs/results/sensitivity/bands.sh write $(BANDED)
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_sensitivity)
$(LOG)/document_sensitivity: $(GPUSCHED) docs/results/sensitivity.md $(wildcard docs/results/sensitivity/sensitivity* docs/results/sensitivity/energies*) $$(CONFIGS)
	@$(CHECK) $@ docs/results/sensitivity/sensitivity.sh check $(GPUSCHED) $(OUT)/sensitivity
# The programs of the papers' tables, without timing, beside the tables, and the classes of their kernels, from the pages that have
# ours; a check makes the page's tables again.
WORKLOADS_PAGE := $(patsubst %,docs/results/%.md,workloads perf-sat onac) $(wildcard docs/results/workloads/*)
results-workloads: $(GPUSCHED) $(PTX)
	@rm -rf $(OUT)/papers && mkdir -p $(OUT)/papers
	@docs/results/workloads/workloads.sh measure $(GPUSCHED) $(OUT)/papers > $(OUT)/papers/measured.tsv
	@docs/results/workloads/workloads.sh write $(OUT)/papers/measured.tsv
	@docs/results/workloads/workloads.sh headline $(OUT)/papers/measured.tsv
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_workloads)
$(LOG)/document_workloads: $(GPUSCHED) $(PTX) $(WORKLOADS_PAGE) $$(CONFIGS) tb/drift/document.sh
	@$(CHECK) $@ docs/results/workloads/workloads-check.sh $(GPUSCHED) $(OUT)/papers-check short
# All of the programs take thrice as long.
CHECKS_long += $(if $(UNIT)$(RTL),,$(LOG)/workloads_all)
$(LOG)/workloads_all: $(GPUSCHED) $(PTX) $(WORKLOADS_PAGE) $$(CONFIGS) tb/drift/document.sh
	@$(CHECK) $@ docs/results/workloads/workloads-check.sh $(GPUSCHED) $(OUT)/papers-all
# Every claim of the papers beside what the other pages' tables, the GPUs and the tests say; a check makes the page again.
CLAIMS_PAGE := docs/results/claims.md $(wildcard docs/results/claims/*) $(patsubst %,docs/results/%.md,bcs claso icc laperm onac perf-sat warp-policies workloads) \
	$(shell awk -F '\t' '{ split($$9, w, " ") } w[1] ~ /^(test|file|stated)$$/ && !seen[w[2]]++ { print w[2] }' docs/results/claims/claims.tsv)
results-claims: $(GPUSCHED)
	@docs/results/claims/claims.sh write $(GPUSCHED)
	@docs/results/claims/claims.sh headline $(GPUSCHED)
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_claims)
$(LOG)/document_claims: $(GPUSCHED) $(CLAIMS_PAGE) $$(CONFIGS) tb/drift/document.sh
	@$(CHECK) $@ docs/results/claims/check.sh $(GPUSCHED) $(OUT)/claims-check
# The sweeps of a page, their tables and pictures; a check makes them again.
results-sweep: $(GPUSCHED) $(BUILD)/workloads/kmeans.ptx
	@docs/results/sweep/sweep.sh write $(GPUSCHED) $(OUT)/sweep
CHECKS_drift += $(if $(UNIT)$(RTL),,$(LOG)/document_sweep)
$(LOG)/document_sweep: $(GPUSCHED) $(BUILD)/workloads/kmeans.ptx docs/sweep.md docs/results/sweep/sweep.sh $(wildcard docs/images/sweep-*) $$(CONFIGS) \
		tb/drift/document.sh
	@$(CHECK) $@ docs/results/sweep/sweep.sh check $(GPUSCHED) $(OUT)/sweep
.PHONY: results-sweep fidelity results-bcs results-warp-policies results-sensitivity results-claims results-workloads results results-claso results-perf-sat results-onac results-laperm results-icc results-area
