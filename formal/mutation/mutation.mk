# SPDX-License-Identifier: Apache-2.0
# Mutation testing: small changes of the RTL that benches and proofs must notice (formal/mutation/README.md).
#   BLOCK  one block; COUNT mutants of each; SEED of the sample; SECONDS for one mutant
#
#   MUTATIONS += NAME            a block
#   MUTATE_NAME_MODULE           its module
#   MUTATE_NAME_COUNT            mutants (default 50)
#   MUTATE_NAME_OWN              1: none in its submodules, which are blocks of this table themselves; or a regular expression:
#                                none in these instances
#   MUTATE_NAME_SEEN             wires inside it that the bench looks at
#   MUTATE_NAME_BENCH, _CONFIG   bench and configuration (sim/sim.mk); the module is taken out of it with the parameters that
#                                it has there
#   MUTATE_NAME_QUICK, _LONG     arguments of the bench's two stages
#   MUTATE_NAME_PROOF            top of a harness: its assertions are a stage, after `quick` and before `long`
#   MUTATE_NAME_PROOF_FILES, _PARAMETERS, _DEPTH
#   MUTATE_NAME_COVER            a cover statement of it that must be reached: a stage of its own
#   MUTATE_NAME_DEEP             CYCLES LABEL: one of its assertions alone, in more cycles: a stage of its own
MUTATE_DIR ?= build/mutate
MUTATE_SECONDS := $(or $(SECONDS),300)
MUTATE_SEED := $(or $(SEED),1)
MUTATE_TARGET := 95

MUTATIONS += fifo
MUTATE_fifo_MODULE := moehub_fifo
MUTATE_fifo_BENCH := queue
MUTATE_fifo_CONFIG := fifo-5
MUTATE_fifo_QUICK := --seed 1 --events 5000
MUTATE_fifo_LONG := --seed 2 --events 200000
MUTATE_fifo_PROOF := formal_fifo
MUTATE_fifo_PROOF_FILES := formal/common/formal_fifo.v formal/common/formal_stream_assume.v formal/common/formal_stream_assert.v
MUTATE_fifo_PARAMETERS := WIDTH=40 DEPTH=5
MUTATE_fifo_DEPTH := 14

MUTATIONS += skid_buffer
MUTATE_skid_buffer_MODULE := moehub_skid_buffer
MUTATE_skid_buffer_BENCH := queue
MUTATE_skid_buffer_CONFIG := skid-5
MUTATE_skid_buffer_QUICK := --seed 1 --events 5000
MUTATE_skid_buffer_LONG := --seed 2 --events 200000

MUTATIONS += arbiter
MUTATE_arbiter_MODULE := moehub_arbiter
MUTATE_arbiter_BENCH := arbiter
MUTATE_arbiter_CONFIG := arbiter-5
MUTATE_arbiter_QUICK := --seed 1 --events 5000
MUTATE_arbiter_LONG := --seed 2 --events 200000

MUTATIONS += memory
MUTATE_memory_MODULE := moehub_memory_1r1w
MUTATE_memory_BENCH := memory
MUTATE_memory_CONFIG := memory-5
MUTATE_memory_QUICK := --seed 1 --events 5000
MUTATE_memory_LONG := --seed 2 --events 200000
# Only a damaged word shows that parity works: memory words of a proof start with anything.
MUTATE_memory_PROOF := formal_memory_1r1w
MUTATE_memory_PROOF_FILES := formal/common/formal_memory_1r1w.v
MUTATE_memory_PARAMETERS := DEPTH=5 WIDTH=37 PARITY=1
MUTATE_memory_DEPTH := 6
MUTATE_memory_COVER := damaged

# These have no bench of their own: their proofs, without one the design's registers around them.
MUTATIONS += memory_fifo
MUTATE_memory_fifo_MODULE := moehub_memory_fifo
MUTATE_memory_fifo_PROOF := formal_memory_fifo
MUTATE_memory_fifo_PROOF_FILES := $(addprefix formal/common/,formal_memory_fifo.v formal_stream_assert.v) \
	$(addprefix rtl/common/,moehub_memory_fifo.v moehub_memory_1r1w.v)
MUTATE_memory_fifo_PARAMETERS := DEPTH=3 WIDTH=3
MUTATE_memory_fifo_DEPTH := 16

MUTATIONS += free_list
MUTATE_free_list_MODULE := moehub_free_list
MUTATE_free_list_PROOF := formal_free_list
MUTATE_free_list_PROOF_FILES := formal/common/formal_free_list.v \
	$(addprefix rtl/common/,moehub_free_list.v moehub_memory_fifo.v moehub_memory_1r1w.v)
MUTATE_free_list_PARAMETERS := ENTRIES=3
MUTATE_free_list_DEPTH := 16

MUTATIONS += error_latch
MUTATE_error_latch_MODULE := moehub_error_latch
MUTATE_error_latch_PROOF := formal_error_latch
MUTATE_error_latch_PROOF_FILES := formal/common/formal_error_latch.v rtl/common/moehub_error_latch.v
MUTATE_error_latch_PARAMETERS := WIDTH=3
MUTATE_error_latch_DEPTH := 8

MUTATIONS += axi_lite_slave
MUTATE_axi_lite_slave_MODULE := moehub_axi_lite_slave
MUTATE_axi_lite_slave_PROOF := formal_axi_lite_slave
MUTATE_axi_lite_slave_PROOF_FILES := $(addprefix formal/common/,formal_axi_lite_slave.v formal_stream_assume.v \
	formal_stream_assert.v) rtl/common/moehub_axi_lite_slave.v
MUTATE_axi_lite_slave_PARAMETERS := READ_LATENCY=2
MUTATE_axi_lite_slave_DEPTH := 20

# What has proofs and no bench of its own, without its submodules. Files are those of the proofs' block: words "BLOCK|FILE".
MUTATE_PROOF_WORDS := $(shell awk '$$1 == "block" { for (i = 4; i <= NF; i++) print $$2 "|" $$i }' formal/*/*.proofs)
mutate_proof_files = $(patsubst $(1)|%,%,$(filter $(1)|%,$(MUTATE_PROOF_WORDS)))
# $(call mutate_stage,BLOCK,CYCLES,PARAMETER=VALUE ...): the block's proof is a stage
define MUTATE_STAGE
MUTATE_$(1)_PROOF := formal_$(1)
MUTATE_$(1)_PROOF_FILES := $(call mutate_proof_files,$(1))
MUTATE_$(1)_PARAMETERS := $(3)
MUTATE_$(1)_DEPTH := $(2)
endef
mutate_stage = $(eval $(call MUTATE_STAGE,$(strip $(1)),$(2),$(3)))
# $(call mutate_proved,BLOCK,CYCLES,PARAMETER=VALUE ...): the only one
define MUTATE_PROVED
MUTATIONS += $(1)
MUTATE_$(1)_MODULE := moehub_$(1)
MUTATE_$(1)_OWN := 1
$(call MUTATE_STAGE,$(1),$(2),$(3))
endef
mutate_proved = $(eval $(call MUTATE_PROVED,$(strip $(1)),$(2),$(3)))
# Registers without their bus and their counters, blocks of this table themselves: every access and every bit of a counter is an
# input then. The blocks' own mutants are those outside of their bank.
$(call mutate_proved,csr_bank,8)
$(call mutate_proved,hub_csr,8,CONTEXTS=2)
$(call mutate_proved,switch_csr,12)
$(call mutate_proved,switch_port_csr,12)
$(call mutate_proved,switch_plane_csr,12,PORTS=33)
$(call mutate_proved,hub_way_csr,12)
$(call mutate_proved,hub_control_csr,10)

# The lane of a reduction is these two.
define MUTATE_LANE
MUTATIONS += $(1)
MUTATE_$(1)_MODULE := moehub_$(1)
MUTATE_$(1)_BENCH := lane
MUTATE_$(1)_CONFIG := lane-32
MUTATE_$(1)_QUICK := --seed 1 --events 20000
MUTATE_$(1)_LONG := --seed 2 --events 1000000
endef
$(foreach m,accumulate finalize,$(eval $(call MUTATE_LANE,$(m))))

# What has a bench of its own that compares every cycle: ends of a link, stores, what is around a switch's crossbars.
# $(call MUTATE_BENCH,BLOCK,CONFIGURATION[,BENCH])
define MUTATE_BENCH
MUTATIONS += $(1)
MUTATE_$(1)_MODULE := moehub_$(1)
MUTATE_$(1)_BENCH := $(or $(3),$(1))
MUTATE_$(1)_CONFIG := $(2)
MUTATE_$(1)_QUICK := --seed 1 $(BENCH_$(or $(3),$(1))_ARGS)
MUTATE_$(1)_LONG := --seed 2 --events 4000000
endef
$(eval $(call MUTATE_BENCH,header_check,header-check-hub))
$(eval $(call MUTATE_BENCH,packet_check,packet-check-odd))
$(eval $(call MUTATE_BENCH,link_sender,link-sender))
$(eval $(call MUTATE_BENCH,link_receiver,link,link))
$(eval $(call MUTATE_BENCH,packet_store,packet-store-odd))
$(eval $(call MUTATE_BENCH,request_unit,shared-request-unit-odd))
$(eval $(call MUTATE_BENCH,crossbar,stored-crossbar-four))
MUTATE_crossbar_LONG := --seed 2 --events 200000
$(eval $(call MUTATE_BENCH,egress,egress-odd))
$(eval $(call MUTATE_BENCH,result_packer,result-packer-2))
$(eval $(call MUTATE_BENCH,response_output,response-output-most))
$(eval $(call MUTATE_BENCH,port_state,port-state))
$(eval $(call MUTATE_BENCH,plane_state,plane-state-3))
$(eval $(call MUTATE_BENCH,counter_memory,counter-memory-odd))

# The blocks of the whole hub that have benches of their own. LONG is of some minutes at most.
# $(call MUTATE_HUB_BENCH,BLOCK,CONFIGURATION,EVENTS[,BENCH])
define MUTATE_HUB_BENCH
$(call MUTATE_BENCH,$(1),$(2),$(4))
MUTATE_$(1)_LONG := --seed 2 --events $(3)
endef
$(eval $(call MUTATE_HUB_BENCH,way,watched-way-odd,2000000))
# Ends of the link and egress are blocks of this table.
MUTATE_way_OWN := u_receiver|u_sender|u_egress
$(eval $(call MUTATE_HUB_BENCH,pre_reduce,pre-reduce-odd,2000000))
# Its lanes are accumulate and finalize.
MUTATE_pre_reduce_OWN := u_lanes
$(eval $(call MUTATE_HUB_BENCH,reduce_request,reduce-request-odd,1000000))
$(eval $(call MUTATE_HUB_BENCH,asker,asker-requests-odd,1000000))
$(eval $(call MUTATE_HUB_BENCH,packet_queue,packet-queue-37,1000000))
$(eval $(call MUTATE_HUB_BENCH,question_arbiter,question-arbiter-3,1000000))
# Parts of tile tracker and packet manager: the benches look at wires between them. moehub_final_reduce only joins blocks of
# this table.
MUTATE_TRACKER := tiles tokens arrival ready notifier
$(foreach p,$(MUTATE_TRACKER),\
	$(eval $(call MUTATE_HUB_BENCH,tile_tracker_$(p),tile-tracker-odd,600000,tile_tracker)))
# Its arbiter is a block of this table.
MUTATE_tile_tracker_ready_OWN := u_turn
MUTATE_tile_tracker_notifier_OWN := u_turn|u_beats|u_tiles
# Of the parameters that its proof has, too: there all of a notify is seen, and when it is told.
MUTATE_tile_tracker_notifier_CONFIG := tile-tracker-small
$(call mutate_stage,tile_tracker_notifier,18,LINKS=2 GPUS=4 CONTEXTS=3 TILE_WIDTH=6 ADDRESS_WIDTH=48)
# Timeouts of all bits are seen in its proof.
$(eval $(call MUTATE_HUB_BENCH,tile_tracker_timers,tile-tracker-least,600000,tile_tracker))
$(call mutate_stage,tile_tracker_timers,24,CONTEXTS=1 GPUS=2)
MUTATE_MANAGER := rows choice ready way pipeline bytes
$(foreach p,$(MUTATE_MANAGER),\
	$(eval $(call MUTATE_HUB_BENCH,packet_manager_$(p),packet-manager-odd,1500000,packet_manager)))
# Memories, an arbiter, and the counts of entries, are blocks of this table.
MUTATE_packet_manager_bytes_OWN := u_turn|u_byte
MUTATE_packet_manager_pipeline_OWN := u_map|u_words|u_over|u_counts
MUTATE_packet_manager_pipeline_SEEN := is_store waits no_slot is_discard s5_line_q
# Ages of all bits are seen by the bench, what is asked for and when by its proof.
$(eval $(call MUTATE_HUB_BENCH,packet_manager_hand,packet-manager-two,1000000,packet_manager))
$(call mutate_stage,packet_manager_hand,40,LINKS=2)
# Of more rows and lines, each whole with one store: so many are ready at once that there is something to choose.
MUTATE_packet_manager_choice_CONFIG := packet-manager-four
# FIFO and memory are blocks of this table.
MUTATE_packet_manager_ready_OWN := u_entered|u_bits
# Arbiter and FIFOs are blocks of this table: which way comes first, and places that are never filled here, are seen there.
MUTATE_packet_manager_choice_OWN := u_turn|u_entered
# Of a reduce: which answer comes, and which request leaves.
MUTATE_REDUCE := answer issue
$(foreach p,$(MUTATE_REDUCE),\
	$(eval $(call MUTATE_HUB_BENCH,reduce_$(p),reduce-request-odd,1000000,reduce_request)))
# Sums of 32 bits fill in a bench of this part alone.
$(eval $(call MUTATE_HUB_BENCH,packet_manager_close,packet-close-odd,400000))

MUTATIONS += address_path
MUTATE_address_path_MODULE := moehub_address_path
MUTATE_address_path_COUNT := 200
MUTATE_address_path_BENCH := address_path
MUTATE_address_path_CONFIG := hub-path-three
# A deadlock of this small configuration shows long before the bench's own limit, which is made for the largest.
MUTATE_address_path_QUICK := --seed 1 --events 5000 --watchdog 50000
MUTATE_address_path_LONG := --seed 3 --events 15000 --watchdog 50000

MUTATIONS += reduction_buffer
MUTATE_reduction_buffer_MODULE := moehub_reduction_buffer
MUTATE_reduction_buffer_COUNT := 200
MUTATE_reduction_buffer_BENCH := reduction_buffer
MUTATE_reduction_buffer_CONFIG := reduction-seventeen
MUTATE_reduction_buffer_QUICK := --seed 1 --events 5000
MUTATE_reduction_buffer_LONG := --seed 2 --events 60000

# Groups of lines: the whole buffer with all that can hold a group; and what gives them back, of which the sample of the whole has
# little.
define MUTATE_GROUPS
MUTATIONS += $(1)
MUTATE_$(1)_MODULE := $(2)
MUTATE_$(1)_BENCH := reduction_buffer
MUTATE_$(1)_CONFIG := reduction-groups-eight
MUTATE_$(1)_QUICK := --seed 1 --events 50000
MUTATE_$(1)_LONG := --seed 2 --events 400000
endef
$(eval $(call MUTATE_GROUPS,reduction_buffer_groups,moehub_reduction_buffer))
$(eval $(call MUTATE_GROUPS,reduction_groups,moehub_reduction_groups))
MUTATE_reduction_groups_PROOF := formal_reduction_groups
MUTATE_reduction_groups_PROOF_FILES := formal/switch/formal_reduction_groups.v \
	$(addprefix rtl/switch/,moehub_reduction_groups.v moehub_reduction_flags.v)
MUTATE_reduction_groups_PARAMETERS := ENTRIES=24 REQUEST_LINES=8
MUTATE_reduction_groups_DEPTH := 10

# The tile tracker's smaller parts; their arbiters, muxes and memories are blocks of this table.
$(call mutate_proved,tile_tracker_settle,22,CONTEXTS=2)
$(call mutate_proved,tile_tracker_walk,22,CONTEXTS=2)
MUTATE_tile_tracker_walk_DEEP := 270 is_number
$(call mutate_proved,tile_tracker_set,50)
$(call mutate_proved,tile_tracker_ring,16)
$(call mutate_proved,tile_tracker_turns,24)
$(call mutate_proved,tile_tracker_token_turns,14)
$(call mutate_proved,tile_tracker_command,14)
$(call mutate_proved,tile_tracker_report,6)
# Parts that say when, or which.
$(call mutate_proved,packet_manager_order,8,ROWS=3)
$(call mutate_proved,packet_manager_links,6,LINKS=3)
$(call mutate_proved,packet_manager_lists,8,ROWS=3 LINKS=2)
$(call mutate_proved,packet_manager_ring,11,STORE_BYTES=16)
$(call mutate_proved,packet_manager_counts,9,ROWS=3)
$(call mutate_proved,packet_manager_leave,31,ROWS=3)
$(call mutate_proved,packet_manager_lines,17,LINES=4)
MUTATE_packet_manager_lines_DEEP := 24 owed_most
$(call mutate_proved,packet_manager_entries,14,CONTEXTS=3 ROWS=3)
$(call mutate_proved,packet_manager_report,4,CONTEXTS=3)
$(call mutate_proved,way_check,10,GPUS=3 CONTEXTS=2)
$(call mutate_proved,hub_operands,6)
$(call mutate_proved,fullest_inputs,12,PORTS=2 PLACES=40)
$(call mutate_proved,hungry_head,32,PORTS=2 WATCH=3)
# Of lists of more than a flit.
$(eval $(call MUTATE_HUB_BENCH,list_check,reduce-request-three,1000000,reduce_request))
# Registers by their benches, without their bank: what the window's own table has, and what it tells and is told.
$(eval $(call MUTATE_HUB_BENCH,packet_manager_csr,hub-packet-manager-csr-odd,1000000))
$(eval $(call MUTATE_HUB_BENCH,tile_tracker_csr,hub-tile-tracker-csr-most,1000000))
$(foreach p,packet_manager_csr tile_tracker_csr,$(eval MUTATE_$(p)_OWN := u_bank))
# A context of a hub: which commands it takes, and what becomes of it.
$(eval $(call MUTATE_HUB_BENCH,hub_context,watched-control-five,1000000,hub_control))
$(eval $(call MUTATE_HUB_BENCH,hub_contexts,watched-control-five,1000000,hub_control))
MUTATE_hub_contexts_OWN := u_operands|u_context
# Events and offenders, where they leave the address path.
$(eval $(call MUTATE_HUB_BENCH,hub_report,hub-path-three,15000,address_path))
# Of the whole hub and switch, what goes to several ways, or comes to several readers; packers; what is counted and told.
$(call mutate_proved,notice_arbiter,12,LINKS=2)
$(call mutate_proved,list_port,12)
$(call mutate_proved,completed_writes,18,WRITES=2)
# Its queues are blocks of this table.
MUTATE_completed_writes_OWN := u_records|u_errors
$(call mutate_proved,switch_port_report,6)
$(call mutate_proved,axi_lite_decoder,14)
$(call mutate_proved,packet_join,14,WIDTH=2)
$(call mutate_proved,own_partials,16,LINKS=2)
$(call mutate_proved,partial_packer,16)

# ---- how it is built and run -----------------------------------------------------------------
mutate_count = $(or $(COUNT),$(MUTATE_$(1)_COUNT),50)
mutate_folder = $(MUTATE_DIR)/$(1)/$(MUTATE_SEED)-$(call mutate_count,$(1))
mutate_rtl = $(wildcard rtl/*/$(MUTATE_$(1)_MODULE).v)
# $(call mutate_refute,NAME,FOLDER,RTL FILE,CYCLES,WHAT)
mutate_refute = formal/mutation/refute $(2) @ $(4) $(5) $(MUTATE_$(1)_PROOF) "$(MUTATE_$(1)_PARAMETERS)" \
	$(filter-out $(3),$(MUTATE_$(1)_PROOF_FILES)) $(2)/mutants.v
MUTATE_TOOLS := formal/mutation/mutants .ci/tools/face

# $(call MUTATE,NAME,FOLDER,RTL FILE,CONFIGURATION)
define MUTATE
# What is mutated, as a configuration, so that mutants of another choice are not kept.
mutated-$(1).top := $(MUTATE_$(1)_MODULE)
mutated-$(1).parameters := $(4) $(MUTATE_$(1)_OWN) $(MUTATE_$(1)_SEEN) $(MUTATE_$(1)_PARAMETERS)
$(2)/mutants.v: $(3) $(MUTATE_$(1)_PROOF_FILES) $(if $(4),build/configurations/$(4) $($(4).sources)) \
		build/configurations/mutated-$(1) $(RTL_HEADERS) $(MUTATE_TOOLS)
	@echo "  MUTATE $(1)"
	@formal/mutation/mutants $(2) $(MUTATE_$(1)_MODULE) $(call mutate_count,$(1)) $(MUTATE_SEED) \
		"$(or $(MUTATE_$(1)_OWN),0)" "$(MUTATE_$(1)_SEEN)" $(if $(4),$($(4).top) "$($(4).parameters)" $($(4).sources),\
		$(MUTATE_$(1)_PROOF) "$(MUTATE_$(1)_PARAMETERS)" $(MUTATE_$(1)_PROOF_FILES))

$(if $(4),
mutate-$(1).top := $($(4).top)
mutate-$(1).parameters := $($(4).parameters)
mutate-$(1).sources := $(filter-out $(3),$($(4).sources)) $(2)/mutants.v formal/mutation/number.v
$$(eval $$(call SIM_PROGRAM,$(MUTATE_$(1)_BENCH),mutate-$(1),$(2)/sim,-Wno-UNOPTFLAT,-DDUT_MUTANTS,\
	build/sim/obj,build/lib/libmoehub.a,)))

.PHONY: mutate-$(1)
mutate-$(1): $(2)/mutants.v $(if $(4),$(2)/sim/run)
	@rm -f $(2)/stages
	@$(if $(4),printf 'quick\t%s\n' '$(2)/sim/run --mutant @ $(MUTATE_$(1)_QUICK)' >> $(2)/stages)
	@$(if $(MUTATE_$(1)_PROOF),printf 'proof\t%s\n' \
		'$(call mutate_refute,$(1),$(2),$(3),$(MUTATE_$(1)_DEPTH),-)' >> $(2)/stages)
	@$(if $(MUTATE_$(1)_DEEP),printf 'deep\t%s\n' '$(call mutate_refute,$(1),$(2),$(3),$(firstword \
		$(MUTATE_$(1)_DEEP)),assert:$(lastword $(MUTATE_$(1)_DEEP)))' >> $(2)/stages)
	@$(if $(MUTATE_$(1)_COVER),printf 'cover\t%s\n' \
		'$(call mutate_refute,$(1),$(2),$(3),$(MUTATE_$(1)_DEPTH),$(MUTATE_$(1)_COVER))' >> $(2)/stages)
	@$(if $(4),printf 'long\t%s\n' '$(2)/sim/run --mutant @ $(MUTATE_$(1)_LONG)' >> $(2)/stages)
	@formal/mutation/run $(1) $(2) $(MUTATE_$(1)_MODULE) $(call mutate_count,$(1)) $(MUTATE_SEED) $(MUTATE_SECONDS) \
		$(JOBS) $(MUTATE_$(1)_PROOF_FILES) $(if $(4),$(2)/sim/run)
endef
$(foreach m,$(MUTATIONS),$(eval $(call MUTATE,$(m),$(call mutate_folder,$(m)),$(call mutate_rtl,$(m)),$(MUTATE_$(m)_CONFIG))))

MUTATE_BLOCKS := $(or $(BLOCK),$(MUTATIONS))
.PHONY: mutate
mutate: tools ## Mutation testing: small changes of the RTL that benches and proofs must notice (BLOCK= COUNT= SEED= SECONDS=)
	@test -z "$(filter-out $(MUTATIONS),$(MUTATE_BLOCKS))" || { echo "mutate: there are: $(MUTATIONS)"; exit 2; }
	@for block in $(MUTATE_BLOCKS); do $(MAKE) --no-print-directory mutate-$$block || exit 1; done
	@formal/mutation/report $(MUTATE_DIR) $(MUTATE_TARGET) $(MUTATE_BLOCKS)

# The tool on a small block, and the tool's own test.
TEST_ITEMS += mutate
TEST_mutate = $(MAKE) mutate BLOCK=fifo COUNT=5 SEED=1 MUTATE_DIR=build/mutate-smoke && \
	formal/tests/mutation build/mutate-smoke/fifo/1-5
