// SPDX-License-Identifier: Apache-2.0
// Every deliberate bug of the project: one line each, name, number, what goes wrong.
// Simulation only: doc/faults.md says how they are built and selected. The C side reads this file too
// (sim/kit/fault_list.awk), so keep the form: `define MOEHUB_FAULT_<NAME> <number> // <what goes wrong>
// Numbers: 1-99 common parts, 100-299 hub, 300-499 switch, 500-599 arithmetic. 0 means none.
`ifndef MOEHUB_FAULT_LIST_VH
`define MOEHUB_FAULT_LIST_VH

`define MOEHUB_FAULT_FIFO_LOSES_ITEM         1 // an item that arrives while the FIFO has one free place is accepted and lost
`define MOEHUB_FAULT_FIFO_COUNT_STUCK        2 // count does not fall when an item leaves
`define MOEHUB_FAULT_FIFO_PAYLOAD_UNSTABLE   3 // the payload changes while the output is stalled
`define MOEHUB_FAULT_SKID_WITHDRAWS_VALID    4 // valid falls after a stalled cycle although nobody took the item
`define MOEHUB_FAULT_SKID_READY_LATE         5 // ready stays high for one more item when both places are taken
`define MOEHUB_FAULT_ARBITER_FIXED_PRIORITY  6 // the lowest requester always wins
`define MOEHUB_FAULT_ARBITER_TWO_GRANTS      7 // the wrap-around grant comes beside the masked one
`define MOEHUB_FAULT_MEMORY_READS_NEW        8 // a read of the address being written returns the new word
`define MOEHUB_FAULT_MEMORY_FORGETS_OUTPUT   9 // the read data change without read_enable
`define MOEHUB_FAULT_MEMORY_FLIPS_BIT       10 // bit 0 of every word is flipped on its way into the array (parity notices)
`define MOEHUB_FAULT_FIFO_STUCK             11 // the output of a FIFO never becomes valid (a deadlock for the watchdog)
`define MOEHUB_FAULT_FIFO_DUPLICATES_ITEM   14 // an item that leaves the last place but one stays there too
`define MOEHUB_FAULT_FIFO_READY_IN_RESET    15 // in_ready is high in reset
`define MOEHUB_FAULT_FIFO_VALID_IN_RESET    16 // out_valid is high in reset
`define MOEHUB_FAULT_KIT_EXTRA_RESPONSE     17 // sim/tops/axi_kit.v: a register read gives a write response too
`define MOEHUB_FAULT_KIT_NO_RESPONSE        18 // sim/tops/axi_kit.v: register reads are never answered
`define MOEHUB_FAULT_COUNTERS_READ_LIVE     12 // a counter's snapshot follows the counter
`define MOEHUB_FAULT_FIFO_WITHDRAWS_VALID   19 // a stalled item disappears when another one enters
`define MOEHUB_FAULT_FREE_LIST_GIVES_TWICE  20 // a name that goes straight out is kept as well
`define MOEHUB_FAULT_FREE_LIST_LOSES_NAME   21 // a name that comes back while another waits at the output, and none behind it, is lost
`define MOEHUB_FAULT_FREE_LIST_USED_STUCK   22 // used does not fall
`define MOEHUB_FAULT_MEMORY_FIFO_OVERTAKES  23 // an item that enters while one is inside is written over it
`define MOEHUB_FAULT_MEMORY_FIFO_WITHDRAWS  24 // a stalled output falls when nothing else is inside
`define MOEHUB_FAULT_MEMORY_FIFO_EMPTY_EARLY 25 // empty does not count the item at the output
`define MOEHUB_FAULT_LATCH_OVERWRITTEN      26 // a latched offender is replaced by the next
`define MOEHUB_FAULT_LATCH_CLEAR_WINS       27 // an offender that comes with clear is not latched
`define MOEHUB_FAULT_LITE_WRITE_TWICE       28 // a write whose data come late is done twice
`define MOEHUB_FAULT_LITE_BVALID_DROPS      29 // a write response does not wait for bready
`define MOEHUB_FAULT_LITE_RVALID_DROPS      30 // a read response does not wait for rready
`define MOEHUB_FAULT_LITE_READ_OVERLAPS     31 // a second read is taken while one is under way
`define MOEHUB_FAULT_LITE_READ_EARLY        32 // the answer of a read is taken one cycle early
`define MOEHUB_FAULT_LITE_ERROR_DATA        33 // a refused read gives its data away
`define MOEHUB_FAULT_LITE_WRITE_OPEN        35 // a second write address is taken while a write is under way
`define MOEHUB_FAULT_LITE_WRITE_EARLY       36 // the verdict on a write is taken one cycle early
`define MOEHUB_FAULT_LATCH_CLEAR_IGNORED    37 // clear has no effect
`define MOEHUB_FAULT_LATCH_SURVIVES_RESET   38 // reset leaves the latch as it is
`define MOEHUB_FAULT_FREE_LIST_NEXT_WRONG   39 // next_valid does not know of a name that comes back
`define MOEHUB_FAULT_ARBITER_LOSES_GRANT    40 // a request above the turn is overlooked when the lowest port asks too
`define MOEHUB_FAULT_SKID_PAYLOAD_UNSTABLE  41 // the payload changes when an item enters behind a stalled one
`define MOEHUB_FAULT_LITE_STROBES_IGNORED   42 // write_full is high whatever the strobes
`define MOEHUB_FAULT_LITE_READ_ADDRESS      43 // the address of a read follows the bus while the read is under way
`define MOEHUB_FAULT_MEMORY_PARITY_STAYS     45 // parity_error stays as long as the damaged word is on read_data
`define MOEHUB_FAULT_LITE_READ_CLOSED       44 // after a read no other one is taken for one cycle more
`define MOEHUB_FAULT_COUNTERS_STEP          34 // a counter stops short of its last value

`define MOEHUB_FAULT_TAG_FORWARD_MISSING      100 // a lookup does not see the line that the lookup right before it filled
`define MOEHUB_FAULT_NEXT_SLOT_FORWARD_MISSING 101 // two first touches of a region in consecutive cycles take the same slot
`define MOEHUB_FAULT_REPLACEMENT_IGNORES_HITS 102 // pseudo-LRU: hits do not touch the state; FIFO: hits advance the pointer
`define MOEHUB_FAULT_FILL_WRONG_LINE          103 // a fill is written to the line beside its own
`define MOEHUB_FAULT_EPOCH_NOT_COMPARED       104 // a line of an old epoch hits
`define MOEHUB_FAULT_PORT_ORDER_BROKEN        105 // an answer that need not wait overtakes one of its port that does
`define MOEHUB_FAULT_CAPACITY_OFF_BY_ONE      106 // a region takes one row too many
`define MOEHUB_FAULT_READ_BEFORE_WRITE_ANSWER 107 // an entry is read again although its write has no B response
`define MOEHUB_FAULT_ADDRESS_DROPS_TOP_BIT    108 // the multiplication ignores the top bit of the slot
`define MOEHUB_FAULT_UNMAPPED_NOT_CACHED      109 // an unmapped fill leaves the line's old state behind
`define MOEHUB_FAULT_REPEATED_NOT_DETECTED    110 // a repeated first is never noticed
`define MOEHUB_FAULT_PEER_NOT_CHECKED         111 // every peer may write
`define MOEHUB_FAULT_LENGTH_NOT_CHECKED       112 // offset + length beyond the row is accepted
`define MOEHUB_FAULT_BAD_SLOT_ACCEPTED        113 // a table entry with slot >= capacity is believed
`define MOEHUB_FAULT_IN_FLIGHT_IGNORED        114 // a context changes while it has something in flight
`define MOEHUB_FAULT_CLEAR_KEEPS_LINES        115 // ACKNOWLEDGE_CLEAR leaves the context's lines in the AL-TLB
`define MOEHUB_FAULT_WAITER_LOST              116 // a request that hits a line which waits for its fill is answered with the old state
`define MOEHUB_FAULT_WRITE_WRONG_EPOCH        117 // a table write carries another epoch than the context's
`define MOEHUB_FAULT_EVICTION_NOT_COUNTED     118 // evictions raise no event
`define MOEHUB_FAULT_LATCH_WRONG_ROW          119 // the header of a table read's error names the row beside
`define MOEHUB_FAULT_LARGER_CAUSE_FIRST       120 // of a refused request and a table error in one cycle the latter is the latch's candidate
`define MOEHUB_FAULT_IN_FLIGHT_FORGETS_TABLE  121 // a context whose table operations are unanswered counts as idle
`define MOEHUB_FAULT_READY_HICCUP             122 // request_ready falls for a cycle after the request that takes waiting entry 0
`define MOEHUB_FAULT_EPOCH_WRAPS              123 // ADVANCE from the last epoch goes on with epoch 0
`define MOEHUB_FAULT_HUB_STROBES_IGNORED      124 // a register write with partial strobes takes effect
`define MOEHUB_FAULT_HUB_LATCH_OVERWRITTEN    125 // the error latch keeps the latest offender
`define MOEHUB_FAULT_HUB_INTERRUPT_UNMASKED   126 // the interrupt mask has no effect
`define MOEHUB_FAULT_HUB_BUSY_IGNORED         127 // a command is accepted while one is busy
`define MOEHUB_FAULT_HUB_HIGH_WATER_STUCK     128 // the high-water mark of the pending entries stays 0
`define MOEHUB_FAULT_HUB_WRAP_SILENT          129 // no interrupt when ADVANCE leads to clear_needed
`define MOEHUB_FAULT_MULTIPLY_ADD_LOSES_CARRY 130 // the carry between two chunks of the sum is dropped
`define MOEHUB_FAULT_MULTIPLY_ADD_VALID_EARLY 131 // out_valid comes one cycle before the sum
`define MOEHUB_FAULT_QUEUE_LOSES_BEHIND       132 // a request that joins a list in the cycle in which the list would become empty is lost
`define MOEHUB_FAULT_QUEUE_RESULT_EARLY       133 // a waiting request leaves without its result
`define MOEHUB_FAULT_QUEUE_FORGETS_TURN       134 // the walker never takes the last port's list
`define MOEHUB_FAULT_WALKER_WRITTEN_EARLY     135 // a first counts as written when its read is answered
`define MOEHUB_FAULT_WALKER_DATA_DROPS        136 // a stalled write's wvalid falls
`define MOEHUB_FAULT_WALKER_DATA_UNSTABLE     137 // a stalled write's data are overwritten by the next one's
`define MOEHUB_FAULT_ANSWER_LATE              138 // the first of consecutive answers, and so all of them, come one cycle late
`define MOEHUB_FAULT_INITIALISED_EARLY        139 // the walk that clears the tables ends one cycle early
`define MOEHUB_FAULT_WALKER_UNALIGNED         140 // the last row's entry is addressed two bytes too high
`define MOEHUB_FAULT_ANSWER_OVERFLOWS         141 // a request is started while its answer has no place
`define MOEHUB_FAULT_ANSWER_KEEPS_SLOT        142 // the answer of a refused request names a slot and an address
`define MOEHUB_FAULT_ANSWER_OWN_VALUE         143 // a request that waited is answered with what was known before
`define MOEHUB_FAULT_ANSWER_TWICE             144 // while the next request waits for a place, the last one is answered again
`define MOEHUB_FAULT_BASE_READ_STOLEN         145 // REGION_GET takes the base that an answer reads in its cycle
`define MOEHUB_FAULT_COMMAND_ENABLED_IGNORED  146 // a context changes while it is enabled
`define MOEHUB_FAULT_COMMAND_REFUSED_ACTS     147 // a refused command takes effect all the same
`define MOEHUB_FAULT_COMMAND_FORGETS_SHORT    148 // ACKNOWLEDGE_CLEAR leaves out the context's last region
`define MOEHUB_FAULT_COMMAND_UNSETTLED        149 // a command does not wait until the front is empty
`define MOEHUB_FAULT_COMMAND_OPEN             150 // requests are accepted while a command is under way
`define MOEHUB_FAULT_COMMAND_GET_STUCK        151 // REGION_GET waits for the base for ever
`define MOEHUB_FAULT_COMMAND_FORGETS_OTHER    152 // ACKNOWLEDGE_CLEAR forgets the next slots of context 0, whatever its context
`define MOEHUB_FAULT_COMMAND_WALK_SHORT       153 // the walk after reset leaves out the last region
`define MOEHUB_FAULT_COMMAND_RESULT_TWICE     154 // a result is given twice
`define MOEHUB_FAULT_COMMAND_READY_STAYS      155 // command_ready stays high for a cycle after a command was taken
`define MOEHUB_FAULT_READ_ALLOCATES           156 // a read-lookup with first takes a slot
`define MOEHUB_FAULT_REFUSED_ALLOCATES        157 // a first that is refused takes a slot all the same
`define MOEHUB_FAULT_WALKER_LANE_IGNORED      158 // the entry is taken from, and written to, the lowest lane of the table port
`define MOEHUB_FAULT_PATH_LONG_BURST          159 // a table read asks for two beats
`define MOEHUB_FAULT_HUB_OPERANDS_LIVE        160 // the operands of a running command change with their registers
`define MOEHUB_FAULT_HUB_COUNTER_HALF         161 // the high half of a counter reads as its low half
`define MOEHUB_FAULT_HUB_HOLE_READS           162 // an address outside of the register map reads 0 instead of SLVERR
`define MOEHUB_FAULT_HUB_SNAPSHOT_REFUSED     163 // a refused write to SNAPSHOT copies the counters all the same
`define MOEHUB_FAULT_HUB_CLEAR_WINS           164 // an event in the cycle in which software clears its interrupt bit is lost
`define MOEHUB_FAULT_PENDING_TELLS_BEFORE     165 // a request that the pending table takes right behind another is told under the other's name
`define MOEHUB_FAULT_PENDING_FREED_EARLY      166 // a pending entry is reused while one request still needs its result
`define MOEHUB_FAULT_PENDING_FILL_MISSED      167 // a fill that comes in the cycle in which a request joins those that wait for it is not noted
`define MOEHUB_FAULT_PENDING_WRITE_UNSEEN     168 // a first's table write does not count as in flight
`define MOEHUB_FAULT_PENDING_REFERENCE_KEPT   169 // a reference dropped in the cycle in which another request joins is kept
`define MOEHUB_FAULT_PATH_CLOSES_LATE         170 // requests that follow without a gap are accepted on although a command shuts them out
`define MOEHUB_FAULT_VERDICT_NAMES_BEHIND     171 // a verdict goes to the request behind
`define MOEHUB_FAULT_TAG_NAMES_BEHIND         172 // a lookup is handed on under the name of the request behind
`define MOEHUB_FAULT_TAG_ROW_IGNORED          173 // a lookup hits whatever row its line holds

`define MOEHUB_FAULT_REDUCTION_FORWARD_1          300 // a row written by the flit one cycle ago is read from the memory
`define MOEHUB_FAULT_REDUCTION_FORWARD_2          301 // a row written by the flit two cycles ago is read from the memory
`define MOEHUB_FAULT_REDUCTION_ANSWERED_FORWARD   302 // the packet right before is not seen in the set of ports that have answered
`define MOEHUB_FAULT_REDUCTION_FIRST_READS_OLD    303 // the first contributor adds to what the entry held before
`define MOEHUB_FAULT_REDUCTION_DUPLICATE_ACCEPTED 304 // a port that has answered already is taken again
`define MOEHUB_FAULT_REDUCTION_FOREIGN_ACCEPTED   305 // a port outside of the set is taken
`define MOEHUB_FAULT_REDUCTION_GENERATION_IGNORED 306 // a late partial of an earlier use of the entry is taken
`define MOEHUB_FAULT_REDUCTION_COMPLETE_EARLY     307 // sets of three and more ports complete one answer short
`define MOEHUB_FAULT_REDUCTION_RESULT_FLIT_LOST   308 // a result flit that meets a stall is dropped (never the last of its packet)
`define MOEHUB_FAULT_REDUCTION_FAILURE_LOST       309 // a good partial after a failed one clears the failure
`define MOEHUB_FAULT_REDUCTION_TIMEOUT_LEAVES_OPEN 310 // a timed-out entry still takes partials
`define MOEHUB_FAULT_REDUCTION_FREE_TWICE         311 // the free list hands the last entry out and keeps it
`define MOEHUB_FAULT_REDUCTION_OWN_PORT           312 // a set with the buffer's own port is granted
`define MOEHUB_FAULT_REDUCTION_DRAIN_IGNORED      313 // reservations are granted while draining
`define MOEHUB_FAULT_REDUCTION_COMMIT_BAD_FRAME   314 // the result is sent although its last partial has too many or too few flits
`define MOEHUB_FAULT_REDUCTION_TOO_MANY_PORTS     315 // a set with one port more than MAX_CONTRIBUTORS is granted
`define MOEHUB_FAULT_REDUCTION_LENGTH_UNALIGNED   316 // a length that is no multiple of the element's size is granted
`define MOEHUB_FAULT_REDUCTION_TIMEOUT_COMPLETE   317 // an entry that completes while its timeout is decided gives two results
`define MOEHUB_FAULT_REDUCTION_GENERATION_STUCK   318 // every use of an entry has generation 0
`define MOEHUB_FAULT_REDUCTION_TAIL_ADDED         319 // bytes of the last flit beyond the length are added
`define MOEHUB_FAULT_REDUCTION_SECOND_FLIT        320 // an fp32 result of 16-bit partials repeats its first flit
`define MOEHUB_FAULT_REDUCTION_NO_ROOM            321 // a result goes straight to the result queue whether it has room or not
`define MOEHUB_FAULT_REDUCTION_LATCH_OVERWRITTEN  322 // the error latch keeps the latest offender
`define MOEHUB_FAULT_REDUCTION_FLUSH_GENERATION   323 // FLUSH starts the generations again
`define MOEHUB_FAULT_REDUCTION_READY_DROPS        324 // partial_ready falls for a cycle after a completed result was deferred
`define MOEHUB_FAULT_REDUCTION_TIMEOUT_EARLY      325 // the timeout fires about 64 cycles early
`define MOEHUB_FAULT_REDUCTION_DEFERRED_LOST      326 // a deferred result overtaken by a passing one is never sent
`define MOEHUB_FAULT_REDUCTION_EVENT_LOST         327 // a partial's error is not counted when the next flit follows at once
`define MOEHUB_FAULT_REDUCTION_LATE_FRAME         328 // a packet that ends early is not noticed
`define MOEHUB_FAULT_REDUCTION_RESULT_BUBBLE      329 // a cycle without a flit between two rows of a result
`define MOEHUB_FAULT_REDUCTION_FLUSH_BUSY         330 // FLUSH is not refused while entries are in use
`define MOEHUB_FAULT_REDUCTION_OCCUPANCY          331 // the occupancy rises when an entry comes and another goes
`define MOEHUB_FAULT_REDUCTION_OFFENDER_PORT      332 // the error candidate of a partial does not name its port
`define MOEHUB_FAULT_REDUCTION_INTERRUPT_LOST     333 // a drained buffer raises no interrupt
`define MOEHUB_FAULT_REDUCTION_FORWARD_3          334 // a row written by the flit three cycles ago is read from the memory
`define MOEHUB_FAULT_REDUCTION_NO_ENTRY           335 // a reservation is accepted although no entry is left
`define MOEHUB_FAULT_REDUCTION_RECORD_BEHIND      336 // a record carries the names of the reservation behind it
`define MOEHUB_FAULT_REDUCTION_REFUSED_KEEPS      337 // a refused reservation keeps the entry that was put aside for it
`define MOEHUB_FAULT_REDUCTION_PARTIALS_WAIT      338 // partials wait while a grant does
`define MOEHUB_FAULT_REDUCTION_FLUSH_FORGETS_PACKET 339 // the rest of a packet that is half in when FLUSH runs counts as a new packet
`define MOEHUB_FAULT_REDUCTION_BEYOND_ADDED       340 // flits beyond the payload's last are added
`define MOEHUB_FAULT_REDUCTION_PASSED_WAITS       341 // a result that has passed waits as well
`define MOEHUB_FAULT_REDUCTION_ROWS_MIXED         342 // a waiting result sends between two flits of a passing one
`define MOEHUB_FAULT_REDUCTION_READ_FIRST_ROW     343 // every row of a waiting result is its first
`define MOEHUB_FAULT_REDUCTION_TIMEOUT_NEVER      344 // a timeout of one cycle means never
`define MOEHUB_FAULT_REDUCTION_REFUSED_OPENS      345 // a refused reservation opens entry 0
`define MOEHUB_FAULT_REDUCTION_ROOM_LEAKS         346 // dropped rows keep their places in the result queue
`define MOEHUB_FAULT_REDUCTION_ROW_STUCK          347 // every flit of a packet goes to the row of its first
`define MOEHUB_FAULT_REDUCTION_TIMEOUT_AT_ONCE    348 // an entry that is visited right after TIMEOUT_SET from 0 times out at once
`define MOEHUB_FAULT_REDUCTION_COMMAND_BUSY       349 // a command is taken while one is under way
`define MOEHUB_FAULT_REDUCTION_OPERAND_LIVE       350 // a command waiting to be taken follows COMMAND_DATA
`define MOEHUB_FAULT_REDUCTION_WRITE_ACCEPTED     351 // a write to a read-only word of the header is answered OKAY
`define MOEHUB_FAULT_REDUCTION_HEADER_ROTATED     352 // the words of LATCH_HEADER are read one further
`define MOEHUB_FAULT_REDUCTION_READ_UNALIGNED     353 // the two lowest address bits of a counter are ignored
`define MOEHUB_FAULT_REDUCTION_HIGH_WATER         354 // the high-water mark falls with the occupancy
`define MOEHUB_FAULT_REDUCTION_PARAMETER_ROTATED  355 // parameters are read one further
`define MOEHUB_FAULT_REDUCTION_COUNTER_HALVES     356 // the halves of a counter are read the other way round
`define MOEHUB_FAULT_REDUCTION_GRANT_PLACES       357 // one more reservation is accepted than there are places for grants
`define MOEHUB_FAULT_REDUCTION_REFUSAL_NAMES      358 // a refused reservation's grant names an entry
`define MOEHUB_FAULT_REDUCTION_REFUSAL_LOST       359 // a refusal right before another one gives no grant
`define MOEHUB_FAULT_REDUCTION_ALWAYS_PASSES      360 // any number of results pass one that waits

`define MOEHUB_FAULT_DECOMPOSE_SUBNORMAL_POSITION  500 // exponent field 0 has a position of its own, one below field 1
`define MOEHUB_FAULT_DECOMPOSE_NAN_IS_INFINITY     501 // a NaN counts as an infinity of its sign
`define MOEHUB_FAULT_ACCUMULATE_CARRY_IN           502 // a negative piece is inverted, but the one is not added
`define MOEHUB_FAULT_ACCUMULATE_SHORT_MOVE         503 // stored bins that should move down by two move by one
`define MOEHUB_FAULT_ACCUMULATE_LAST_SPECIAL       504 // a later infinity or NaN replaces an earlier one
`define MOEHUB_FAULT_ACCUMULATE_FIRST_KEEPS_SPECIAL 505 // the empty state keeps the special of what was stored
`define MOEHUB_FAULT_ACCUMULATE_NEAR_TOP           506 // the previous cycle's top bin is taken from the memory
`define MOEHUB_FAULT_ACCUMULATE_NEAR_BINS          507 // the previous cycle's bins are taken from the memory
`define MOEHUB_FAULT_ACCUMULATE_FAR                508 // the state of two cycles ago is taken from the memory
`define MOEHUB_FAULT_FINALIZE_TRUNCATES            509 // no rounding
`define MOEHUB_FAULT_FINALIZE_HALF_UP              510 // ties are rounded away from zero
`define MOEHUB_FAULT_FINALIZE_STICKY_LOST          511 // what lies below the shifter's 25 bits does not count in a tie
`define MOEHUB_FAULT_FINALIZE_SUBNORMAL_SHIFT      512 // a subnormal result is shifted on until it has a leading one
`define MOEHUB_FAULT_FINALIZE_OVERFLOW             513 // overflow leaves the exponent field as it came
`define MOEHUB_FAULT_FINALIZE_STALL_LOSES          514 // the shift stage goes on while enable is low
`define MOEHUB_FAULT_DECOMPOSE_SPECIAL_ADDS        515 // an infinity or NaN adds its significand to the bins
`define MOEHUB_FAULT_FINALIZE_NAN_IS_INFINITY      516 // a NaN leaves as an infinity
`define MOEHUB_FAULT_ACCUMULATE_SIGN_EARLY         517 // an element has the sign of the one behind it

`endif
