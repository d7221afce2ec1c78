# Kernels of the CUDA workloads, and a plain interpreter that counts their instructions.

# The toolkit's headers and library are not needed: sim/workloads/include is in their place.
ARCH  := sm_35
NVPTX  = clang -x cuda --cuda-gpu-arch=$(ARCH) -nocudainc -nocudalib --cuda-device-only -std=c++17 \
	-O2 -S -Wall -Werror -Wno-unknown-cuda-version -Xclang -target-feature -Xclang +ptx63 \
	-Isim/workloads/include
$(BUILD)/saxpy.ptx: tb/run/saxpy.cu
$(BUILD)/cuda_header.ptx: tb/workloads/cuda_header.cu
$(BUILD)/nested.ptx: tb/run/nested.cu
$(BUILD)/waits.ptx $(BUILD)/waits_sm35.ptx: tb/run/waits.cu
$(BUILD)/waits.ptx: ARCH := sm_70
$(BUILD)/saxpy.ptx $(BUILD)/cuda_header.ptx $(BUILD)/nested.ptx $(BUILD)/waits.ptx $(BUILD)/waits_sm35.ptx: $(wildcard sim/workloads/include/*.h)
	@mkdir -p $(@D)
	$(call say,ptx)
	$(Q)$(NVPTX) -o $@ $(filter %.cu,$^)
$(BUILD)/workloads/%.ptx: sim/workloads/$$*/$$*.cu $$(wildcard sim/workloads/$$*/*.h) \
		$(wildcard sim/workloads/include/*.h)
	@mkdir -p $(@D)
	$(call say,ptx)
	$(Q)$(NVPTX) -o $@ $<

# A plain interpreter of PTX, which counts instructions: for workloads, and for kernels of nvcc, which
# the model's driver runs as well.
PLAIN         := $(BUILD)/plain
PLAIN_KERNELS := $(BUILD)/plain-nvcc
NVCC_KERNELS  := $(BUILD)/model-nvcc
PLAIN_OBJECTS := $(patsubst %.c,$(BUILD)/c/%.o,$(wildcard tb/plain/plain_*.c))
KERNEL_OBJECTS := $(patsubst %.c,$(BUILD)/c/%.o,$(wildcard tb/plain/nvcc_*.c))
$(PLAIN): LINK := -Wl,--wrap=gsp_launch
$(PLAIN): $(PLAIN_OBJECTS) $(BUILD)/libgolden.a
$(PLAIN_KERNELS): $(filter-out %_main.o,$(PLAIN_OBJECTS)) $(KERNEL_OBJECTS) $(BUILD)/libgolden.a
$(NVCC_KERNELS): $(KERNEL_OBJECTS) $(BUILD)/libgolden.a
$(PLAIN) $(PLAIN_KERNELS) $(NVCC_KERNELS): | $(BUILD)/checkout
	$(program)

# The workloads on an NVIDIA GPU: with libcuda's functions below theirs, which are found when it runs. And kernels that
# measure the GPU.
SILICON := $(BUILD)/silicon
.PHONY: silicon
silicon: $(SILICON) $(BUILD)/machine.ptx $(PTX)
SILICON_OBJECTS := $(patsubst %.c,$(BUILD)/c/%.o,$(wildcard tb/silicon/silicon*.c))
$(SILICON): $(SILICON_OBJECTS) $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(program)
# A libcuda for its tests, on the golden model: what it links must not be taken for the program's.
GOLDEN_CUDA := $(BUILD)/golden_cuda/libcuda.so.1
$(SILICON) $(GOLDEN_CUDA): LINK := -Wl,--as-needed
$(GOLDEN_CUDA): LINK += -shared -Wl,-Bsymbolic -Wl,--exclude-libs,ALL
$(GOLDEN_CUDA): $(BUILD)/c/tb/silicon/golden_cuda.o $(BUILD)/libgolden.a
	@mkdir -p $(@D)
	$(program)
$(BUILD)/machine.ptx: tb/silicon/machine.cu $(wildcard sim/workloads/include/*.h)
	@mkdir -p $(@D)
	$(call say,ptx)
	$(Q)$(NVPTX) -o $@ $<

# gpusched, with SMs that stop to take CTAs and take them again.
SETS := $(BUILD)/gpusched-sets
# The same, with a golden model that is upset.
UPSET := $(BUILD)/gpusched-upset
$(SETS) $(UPSET): LINK := -Wl,--wrap=gpu_open
$(SETS) $(UPSET): $(BUILD)/gpusched-%: $(BUILD)/c/sim/gpusched/command/main.o $(BUILD)/c/tb/run/%.o $(BUILD)/c/tb/run/sampled.o $(BUILD)/libgolden.a | $(BUILD)/checkout
	$(program)
