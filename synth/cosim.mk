# SPDX-License-Identifier: Apache-2.0
# Co-simulation of mapped netlists: the benches of sim/, shortened, compare the netlists that `make synth` left with the C model.
#
#   $(call synth_cosim,NAME,BENCH,TOP MODULE,FILE LIST,PARAMETER=VALUE ...,NETLISTS,ARGUMENTS)
#
# NETLISTS are configurations of configurations.mk: each takes the place of the RTL module that it was made from. RTL files that
# remain (a bench's wrapper around the netlist, memories outside it) are those of FILE LIST that netlist-NAME.rtl names.
# A second program of each has a deliberate bug in its first netlist, eight gates inverted: the bench must catch it.
define SYNTH_COSIM
SYNTH_COSIMS += $(1)
$(foreach v,$(1) $(1)-broken,netlist-$(v).top := $(3)
netlist-$(v).list := $(4)
netlist-$(v).parameters := $(5)
netlist-$(v).optimise := -O0
netlist-$(v).parallel := 1
)
netlist-$(1).sources := $(netlist-$(1).rtl) $(foreach n,$(6),$(SYNTH_DIR)/$(n)/cosim/model.v)
netlist-$(1)-broken.sources := $$(subst $(firstword $(6))/cosim/,$(firstword $(6))/cosim-broken/,$$(netlist-$(1).sources))
$(foreach v,$(1) $(1)-broken,
$$(eval $$(call SIM_PROGRAM,$(2),netlist-$(v),$(SYNTH_DIR)/cosim/$(v),--output-split 20000,,\
	build/sim/obj,build/lib/libmoehub.a,)))
# One after the other: most of the second program is the first one's, and comes out of ccache.
$(SYNTH_DIR)/cosim/$(1)-broken/run: | $(SYNTH_DIR)/cosim/$(1)/run
.PHONY: synth-cosim-run-$(1)
synth-cosim-run-$(1): $(SYNTH_DIR)/cosim/$(1)/run $(SYNTH_DIR)/cosim/$(1)-broken/run
	@.ci/tools/run_bench 0 $(SYNTH_DIR)/cosim/$(1).log $(SYNTH_DIR)/cosim/$(1)/run --seed 1 $(7)
	@.ci/tools/run_bench 1,3 $(SYNTH_DIR)/cosim/$(1)-broken.log $(SYNTH_DIR)/cosim/$(1)-broken/run --seed 1 $(7)
endef
synth_cosim = \
	$(eval $(call SYNTH_COSIM,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4)),$(strip $(5)),$(strip $(6)),$(strip $(7))))

# A netlist as Verilator reads it: gates from the Liberty functions, memories, and the RTL module's face.
$(SYNTH_DIR)/%/cosim/model.v: $(SYNTH_DIR)/%/netlist.v $(wildcard synth/flow/cosim*) .ci/tools/face
	@synth/flow/cosim $(SYNTH_DIR) $* cosim 0
$(SYNTH_DIR)/%/cosim-broken/model.v: $(SYNTH_DIR)/%/netlist.v $(wildcard synth/flow/cosim*) .ci/tools/face
	@synth/flow/cosim $(SYNTH_DIR) $* cosim-broken 1
$(SYNTH_DIR)/%/netlist.v:
	@echo "no netlist of $*: make synth CONFIG=$*"; exit 1

$(call synth_cosim,fifo,queue,moehub_fifo,rtl/common.f,DEPTH=4 WIDTH=40,fifo,--events 20000)
$(call synth_cosim,skid-buffer,queue,moehub_skid_buffer,rtl/common.f,WIDTH=40,skid-buffer,--events 20000)
$(call synth_cosim,arbiter,arbiter,moehub_arbiter,rtl/common.f,PORTS=16,arbiter,--events 20000)
$(call synth_cosim,memory,memory,moehub_memory_1r1w,rtl/common.f,DEPTH=512 WIDTH=32 PARITY=4,memory,--events 20000)
# Each lane with the finaliser, eight of both.
LANE_RTL := sim/tops/lane.v rtl/common/moehub_memory_1r1w.v
define LANE_COSIM
netlist-$(1).rtl := $(LANE_RTL)
$$(call synth_cosim,$(1),lane,lane,sim/tops/lane.f,$(2),$(1) finalize,--events 20000)
endef
$(foreach l,lane-bf16 lane-bf16-plain lane-fp32 lane-fp32-plain,$(eval $(call LANE_COSIM,$(l),$(synth-$(l).parameters))))
$(call synth_cosim,hub-512,address_path,moehub_address_path,rtl/hub.f,$(HUB_512),hub-512,--events 5000)
$(call synth_cosim,hub-small,address_path,moehub_address_path,rtl/hub.f,$(HUB_SMALL),hub-small,--events 5000)
$(call synth_cosim,hub-nvl32,address_path,moehub_address_path,rtl/hub.f,$(HUB_NVL32),hub-nvl32,--events 5000)
$(call synth_cosim,reduction-64k,reduction_buffer,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),\
	reduction-64k,--events 5000)
$(call synth_cosim,reduction-512,reduction_buffer,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_512),\
	reduction-512,--events 5000)

# Netlists of blocks, in the RTL of what is around them: NAME, BENCH, TOP, LIST, PARAMETERS, PREFIX, BLOCKS.
define BLOCKS_COSIM
netlist-$(1).rtl := $(filter-out $(addprefix %/,$(7:%=%.v)),$(call list_sources,$(4)))
$$(call synth_cosim,$(1),$(2),$(3),$(4),$(5),$(foreach b,$(7),$(call synth_block,$(6),$(b))),--events 5000)
endef
blocks_cosim = $(eval $(call BLOCKS_COSIM,$(strip $(1)),$(strip $(2)),$(strip $(3)),$(strip $(4)),$(5),$(strip $(6)),$(7)))
# A block that holds others of the list gets a program of its own.
$(call blocks_cosim,hub-parts,address_path,moehub_address_path,rtl/hub.f,$(HUB_512),hub,$(filter-out moehub_al_tlb,$(HUB_BLOCKS)))
$(call blocks_cosim,hub-al-tlb,address_path,moehub_address_path,rtl/hub.f,$(HUB_512),hub,moehub_al_tlb)
$(call blocks_cosim,switch-parts,reduction_buffer,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),\
	switch,$(filter-out moehub_result_queue,$(REDUCTION_BLOCKS)))
$(call blocks_cosim,switch-result-queue,reduction_buffer,moehub_reduction_buffer,rtl/switch.f,$(REDUCTION_64K),\
	switch,moehub_result_queue)
$(call blocks_cosim,hub-csr,hub_address_unit,moehub_hub_address_unit,rtl/hub.f,$(HUB_512),hub,moehub_hub_csr)
$(call blocks_cosim,switch-csr,switch_reduction_unit,moehub_switch_reduction_unit,rtl/switch.f,$(REDUCTION_64K),\
	switch,moehub_switch_csr)
$(call blocks_cosim,switch-counter-memory,switch_reduction_unit,moehub_switch_reduction_unit,rtl/switch.f,$(REDUCTION_64K),\
	switch,moehub_counter_memory)

# The ends of a link, and a packet store; a link's receiver and sender around the RTL of its stores.
$(call synth_cosim,link-sender,link_sender,moehub_link_sender,rtl/common.f,,link-sender,--events 20000)
$(call synth_cosim,packet-store,packet_store,moehub_packet_store,rtl/common.f,,packet-store,--events 20000)
netlist-link-ends.rtl := $(filter-out %/moehub_link_sender.v %/moehub_link_receiver.v,$(call list_sources,sim/tops/link.f))
$(call synth_cosim,link-ends,link,link,sim/tops/link.f,$(synth-link-receiver.parameters),\
	link-receiver link-sender,--events 200000)

# The crossbars of a plane between their stores: whole ones of 8 ports, NAME-parts what `make synth-plane` maps of one. A whole
# port, and its blocks, in a plane of 8.
CROSSBAR_TOP_stores    :=
CROSSBAR_TOP_requests  := LONGEST=5 SHORTEST=1 TARGET_QUEUE=0
CROSSBAR_TOP_responses := LONGEST=17 SHORTEST=1 TARGET_QUEUE=0
define CROSSBAR_COSIM
netlist-$(1).rtl := $(filter-out %/moehub_crossbar.v,$(call list_sources,sim/tops/crossbar.f))
$$(call synth_cosim,$(1),crossbar,crossbar,sim/tops/crossbar.f,$(synth-$(1).parameters) $(2),$(1),--events 5000)
endef
$(eval $(call CROSSBAR_COSIM,crossbar-8))
$(eval $(call CROSSBAR_COSIM,crossbar-requests-8,$(CROSSBAR_TOP_requests)))
$(eval $(call CROSSBAR_COSIM,crossbar-responses-8,$(CROSSBAR_TOP_responses)))
$(foreach p,$(PLANE_PORTS),$(foreach c,$(PLANE_CROSSBARS),$(call blocks_cosim,plane-$(p)-$(c)-parts,crossbar,crossbar,\
	sim/tops/crossbar.f,PORTS=$(p) $(PLANE_$(c)) $(CROSSBAR_TOP_$(c)),plane-$(p)-$(c),$(PLANE_BLOCKS_$(c)))))
netlist-switch-port.rtl := $(filter-out %/moehub_switch_port.v,$(call list_sources,rtl/switch.f))
$(call synth_cosim,switch-port,switch_plane,moehub_switch_top,rtl/switch.f,$(SWITCH_PORT),switch-port,--events 5000)
$(call blocks_cosim,port-parts,switch_plane,moehub_switch_top,rtl/switch.f,$(SWITCH_PORT),port,$(PORT_BLOCKS))

# What a plane has beside its crossbars: ports, their state, both kinds of registers behind the decoder. At some hundred cycles a
# second the bench's scenarios would take an hour and more: a layer of a token a port goes through.
PLANE_PARTS_MODULES := $(addprefix moehub_,switch_port plane_state switch_plane_csr axi_lite_decoder)
define PLANE_PARTS_COSIM
netlist-plane-$(1)-parts.rtl := $(filter-out $(addprefix %/,$(PLANE_PARTS_MODULES:%=%.v)),$(call list_sources,rtl/switch.f))
$$(call synth_cosim,plane-$(1)-parts,switch_plane,moehub_switch_top,rtl/switch.f,PORTS=$(1),\
	$(addprefix plane-$(1)-,port state registers decoder),--rate 1 --phase fused)
endef
$(foreach p,$(PLANE_PORTS),$(eval $(call PLANE_PARTS_COSIM,$(p))))

# Layers through whole netlists: hubs of gates at a switch in RTL, and a switch of gates between hubs of gates, two GPUs with
# every buffer at its smallest; hubs of gates with the defaults, eight GPUs, which take more than 10,000 cycles to be set up.
LAYER_NETLISTS_ARGS := --hidden 256 --topk 2 --stall mixed --tile-shift 1 --latency 20 --memory-least 5 --memory-most 30 \
	--watchdog 100000
# $(call HUB_NETLIST,NAME,SUFFIX,PARAMETERS): the hub of a layer, whole-hub-NAME's netlist.
define HUB_NETLIST
netlist-layer-hub-$(1)$(2).top := hub
netlist-layer-hub-$(1)$(2).list := sim/tops/hub.f
netlist-layer-hub-$(1)$(2).parameters := $(3)
netlist-layer-hub-$(1)$(2).optimise := -O0
netlist-layer-hub-$(1)$(2).parallel := 1
netlist-layer-hub-$(1)$(2).sources := sim/tops/hub.v $(SYNTH_DIR)/whole-hub-$(1)/cosim$(2)/model.v
netlist-whole-hub-$(1)$(2).models := hub:netlist-layer-hub-$(1)$(2)
netlist-whole-hub-$(1).rtl := $(call list_sources,rtl/switch.f)
endef
$(eval $(call HUB_NETLIST,least,,$(layer-hub-least.parameters)))
$(eval $(call HUB_NETLIST,least,-broken,$(layer-hub-least.parameters)))
$(eval $(call HUB_NETLIST,1,,$(synth-whole-hub-1.parameters)))
$(eval $(call HUB_NETLIST,1,-broken,$(synth-whole-hub-1.parameters)))
$(foreach n,whole-switch-least whole-switch-least-broken,$(eval netlist-$(n).models := hub:netlist-layer-hub-least))
$(call synth_cosim,whole-hub-least,layer,moehub_switch_top,rtl/switch.f,$(layer-least.parameters),,\
	$(LAYER_NETLISTS_ARGS) --experts 4 --tokens 4)
$(call synth_cosim,whole-switch-least,layer,moehub_switch_top,rtl/switch.f,$(layer-least.parameters),whole-switch-least,\
	$(LAYER_NETLISTS_ARGS) --experts 4 --tokens 4)
$(call synth_cosim,whole-hub-1,layer,moehub_switch_top,rtl/switch.f,PORTS=8,,$(LAYER_NETLISTS_ARGS) --experts 8 --tokens 1)

# A plane of 8 whose every gate is of the netlist of the whole.
$(call synth_cosim,whole-switch-8,switch_plane,moehub_switch_top,rtl/switch.f,$(synth-whole-switch-8.parameters),whole-switch-8,\
	--rate 1 --phase fused)

# Those of the parts of planes and of whole netlists run where CONFIG names them.
SYNTH_COSIM_RUN = $(or $(CONFIG),$(filter-out plane-% whole-%,$(SYNTH_COSIMS)))
.PHONY: synth-cosim synth-cosim-check
synth-cosim-check:
	@test -z "$(filter-out $(SYNTH_COSIMS),$(SYNTH_COSIM_RUN))" || { echo "synth-cosim: there are: $(SYNTH_COSIMS)"; exit 2; }
synth-cosim: synth-cosim-check ## Benches against mapped netlists (after make synth; CONFIG=)
	@$(MAKE) --no-print-directory -j$(JOBS) $(SYNTH_COSIM_RUN:%=synth-cosim-run-%)
	@printf '%s\n' $(SYNTH_COSIM_RUN:%=$(SYNTH_DIR)/cosim/%.log) > $(SYNTH_DIR)/cosim/logs
	@.ci/tools/count_events 1 $(SYNTH_DIR)/cosim/logs

# A small netlist, in a folder of its own: test items run side by side.
TEST_ITEMS += synth-cosim-fifo
TEST_synth-cosim-fifo = $(MAKE) synth CONFIG=fifo EFFORT=1 SYNTH_DIR=build/synth-cosim-smoke && \
	$(MAKE) synth-cosim CONFIG=fifo SYNTH_DIR=build/synth-cosim-smoke
