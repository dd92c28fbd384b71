// SPDX-License-Identifier: Apache-2.0
// In place of moehub_reduction_buffer in the proof of moehub_final_reduce: any buffer that keeps its contract. Grants, results,
// timeouts and freed groups come at any time and in any order, of any group that is free, with any generation; parts are always
// taken. It does not add: each flit of an OK result is what one flit of a part was, and the result flit's number. Which flit:
// requester[2:0] is its number, requester[3] its port. That moehub_reduction_buffer keeps the contract:
// formal/switch/formal_reduction_*.v.

    localparam FLIT_WIDTH = 8 * FLIT_BYTES;
    localparam GROUPS     = ENTRIES / REQUEST_LINES;
    localparam AT_WIDTH   = `MOEHUB_INDEX_WIDTH(ENTRIES);
    wire                  any_begin      = $anyseq;
    wire                  any_take       = $anyseq;
    wire                  any_drain      = $anyseq;
    wire                  any_grant      = $anyseq;
    wire                  any_late       = $anyseq;
    wire                  any_result     = $anyseq;
    wire                  any_free       = $anyseq;
    wire [7:0]            any_generation = $anyseq;
    wire [AT_WIDTH - 1:0] any_group      = $anyseq; // that is granted
    wire [AT_WIDTH - 1:0] any_freed      = $anyseq;
    wire [AT_WIDTH - 1:0] any_entry      = $anyseq; // whose result leaves
    wire [AT_WIDTH - 1:0] any_timed      = $anyseq;
    wire [15:0]           any_occupancy  = $anyseq;
    wire [161:0]          any_told       = $anyseq;
    wire [`MOEHUB_REDUCTION_EVENTS - 1:0] any_events = $anyseq;
    reg                   initialised_q;
    integer               i;

    // ---- reservations: two at once, granted in their order ----------------------------------------------------------------
    localparam KEPT_WIDTH = 4 + TAG_WIDTH + 2 + 3 + 9 + 2;
    reg  [1:0]              pending_q;
    reg  [KEPT_WIDTH - 1:0] oldest_q;
    reg  [KEPT_WIDTH - 1:0] second_q;
    reg                     offered_q;
    reg  [AT_WIDTH - 1:0]   group_q;
    reg  [7:0]              generation_q;
    reg  [3:0]              verdict;
    always @* begin // doc/reduction_buffer.md section 3
        verdict = 4'd`MOEHUB_STATUS_OK;
        if (reserve_length == 9'd0 || reserve_length > PAYLOAD_BYTES || reserve_length[0]
            || (reserve_element == 2'd`MOEHUB_ELEMENT_FP32 && reserve_length[1])) verdict = 4'd`MOEHUB_STATUS_LENGTH;
        if (reserve_element == 2'd`MOEHUB_ELEMENT_BYTES || (reserve_element == 2'd`MOEHUB_ELEMENT_FP32 && WITH_FP32 == 0))
            verdict = 4'd`MOEHUB_STATUS_TYPE;
        if (reserve_contributors == 3'd0 || reserve_contributors[own_port]) verdict = 4'd`MOEHUB_STATUS_CONTRIBUTORS;
        if (any_drain) verdict = 4'd`MOEHUB_STATUS_DRAINING;
    end
    wire                     takes    = reserve_valid && reserve_ready;
    wire                     grants   = grant_valid && grant_ready;
    wire [2:0]               new_lines = REQUEST_LINES == 1 ? 3'd0 : reserve_lines_less_1;
    wire [KEPT_WIDTH - 1:0]  new_kept =
        {reserve_contributors[1:0], reserve_length, new_lines, reserve_element, reserve_tag, verdict};
    wire [1:0]               stay     = pending_q - {1'b0, grants};
    wire [3:0]               status   = oldest_q[3:0];
    wire                     granted  = grants && status == 4'd`MOEHUB_STATUS_OK;
    assign reserve_ready    = initialised_q && pending_q != 2'd2 && any_take;
    assign grant_valid      = offered_q;
    assign grant_status     = status;
    assign grant_entry      = status == 4'd`MOEHUB_STATUS_OK ? group_q * REQUEST_LINES : 16'd0;
    assign grant_generation = status == 4'd`MOEHUB_STATUS_OK ? generation_q : 8'd0;

    // ---- groups -----------------------------------------------------------------------------------------------------------
    reg  [GROUPS - 1:0]     used_q;    // from its grant on
    reg  [TAG_WIDTH - 1:0]  tag_q [0:GROUPS - 1];
    reg  [7:0]              name_q [0:GROUPS - 1]; // its generation
    reg  [1:0]              element_q [0:GROUPS - 1];
    reg  [2:0]              lines_q [0:GROUPS - 1]; // less one
    reg  [8:0]              length_q [0:GROUPS - 1];
    reg  [1:0]              set_q [0:GROUPS - 1];
    reg  [ENTRIES - 1:0]    waits_q;   // its result has not left
    reg  [ENTRIES - 1:0]    timed_q;
    reg  [ENTRIES - 1:0]    begun_q [0:1]; // by port
    reg  [ENTRIES - 1:0]    ended_q [0:1];
    reg  [ENTRIES - 1:0]    bad_status_q;
    reg  [ENTRIES - 1:0]    bad_type_q;
    reg  [ENTRIES - 1:0]    bad_length_q;
    reg  [FLIT_WIDTH - 1:0] kept_q [0:ENTRIES - 1];
    wire [ENTRIES - 1:0]    of_freed = {REQUEST_LINES{1'b1}} << (any_freed * REQUEST_LINES);
    always @* assume (any_group < GROUPS && any_freed < GROUPS && any_entry < ENTRIES && any_timed < ENTRIES);
    wire                    offers   = !offered_q && pending_q != 2'd0 && any_grant
        && (status != 4'd`MOEHUB_STATUS_OK || !used_q[any_group]);
    assign freed_valid = any_free && used_q[any_freed] && (waits_q & of_freed) == {ENTRIES{1'b0}};
    assign freed_entry = any_freed * REQUEST_LINES;
    always @(posedge clk) begin
        initialised_q <= initialised_q || any_begin;
        pending_q     <= stay + {1'b0, takes};
        if (grants) oldest_q <= second_q;
        if (takes && stay == 2'd0) oldest_q <= new_kept;
        if (takes && stay == 2'd1) second_q <= new_kept;
        offered_q     <= offers || (offered_q && !grants);
        if (offers) group_q <= any_group;
        if (offers) generation_q <= any_generation;
        if (freed_valid) used_q[any_freed] <= 1'b0;
        if (granted) begin
            used_q[group_q] <= 1'b1;
            name_q[group_q] <= generation_q;
            {set_q[group_q], length_q[group_q], lines_q[group_q], element_q[group_q], tag_q[group_q]} <=
                oldest_q[KEPT_WIDTH - 1:4];
        end
        if (rst) begin
            initialised_q <= 1'b0;
            pending_q     <= 2'd0;
            offered_q     <= 1'b0;
            used_q        <= {GROUPS{1'b0}};
        end
    end

    // ---- parts: what the first flit tells counts for its packet -----------------------------------------------------------
    reg                   inside_q;
    reg  [3:0]            number_q; // flits of it, up to 9
    reg                   counts_q;
    reg                   good_q;
    reg  [AT_WIDTH - 1:0] entry_q;
    reg                   port_q;
    wire [AT_WIDTH - 1:0] at        = inside_q ? entry_q : partial_entry[AT_WIDTH - 1:0];
    wire                  port      = inside_q ? port_q : partial_port[0];
    wire [AT_WIDTH - 1:0] of_group  = at / REQUEST_LINES;
    wire [8:0]            its_length = at % REQUEST_LINES == lines_q[of_group] ? length_q[of_group] : PAYLOAD_BYTES;
    wire [3:0]            its_flits = (its_length + 9'd15) >> 4;
    wire [3:0]            number    = inside_q ? number_q : 4'd0;
    wire                  accept    = partial_valid && partial_ready;
    wire                  is_open   = waits_q[at] && !timed_q[at];
    wire                  counts    = inside_q ? counts_q : {16'd0, partial_entry} < ENTRIES && is_open && partial_port < 2'd2
        && partial_generation == name_q[of_group] && set_q[of_group][port] && !begun_q[port][at];
    wire                  told_bad  = partial_status != 4'd0 || partial_element != element_q[of_group]
        || partial_length != its_length;
    wire                  good      = inside_q ? good_q : !told_bad;
    assign partial_ready = initialised_q;

    // ---- timeouts: of a line whose every port has not begun to answer -----------------------------------------------------
    wire [AT_WIDTH - 1:0] timed_group = any_timed / REQUEST_LINES;
    wire [1:0]            timed_begun = {begun_q[1][any_timed], begun_q[0][any_timed]};
    assign timeout_valid = any_late && waits_q[any_timed] && !timed_q[any_timed] && (set_q[timed_group] & ~timed_begun) != 2'd0
        && !(accept && !inside_q && at == any_timed);
    assign timeout_entry = any_timed;

    // ---- results ----------------------------------------------------------------------------------------------------------
    reg                   shows_q;
    reg  [AT_WIDTH - 1:0] shown_q;
    reg  [3:0]            flit_q;
    wire [AT_WIDTH - 1:0] any_entry_group = any_entry / REQUEST_LINES;
    wire [1:0]            any_ended = {ended_q[1][any_entry], ended_q[0][any_entry]};
    wire                  starts = !shows_q && any_result && waits_q[any_entry]
        && (timed_q[any_entry] || (set_q[any_entry_group] & ~any_ended) == 2'd0);
    wire [AT_WIDTH - 1:0] shown_group  = shown_q / REQUEST_LINES;
    wire [8:0]            shown_length = shown_q % REQUEST_LINES == lines_q[shown_group] ? length_q[shown_group] : PAYLOAD_BYTES;
    wire [3:0]            shown_flits  = (shown_length + 9'd15) >> 4;
    wire                  ok           = result_status == 4'd`MOEHUB_STATUS_OK;
    wire                  leaves       = result_valid && result_ready;
    assign result_valid     = shows_q;
    assign result_requester = reserve_requester;
    assign result_tag       = tag_q[shown_group];
    assign result_element   = element_q[shown_group];
    assign result_status    = timed_q[shown_q] ? 4'd`MOEHUB_STATUS_TIMEOUT : bad_status_q[shown_q] ? 4'd`MOEHUB_STATUS_PARTIAL
        : bad_type_q[shown_q] ? 4'd`MOEHUB_STATUS_TYPE : bad_length_q[shown_q] ? 4'd`MOEHUB_STATUS_LENGTH : 4'd`MOEHUB_STATUS_OK;
    assign result_length    = ok ? {1'b0, shown_length} : 10'd0;
    assign result_entry     = shown_q;
    assign result_data      = ok ? kept_q[shown_q] ^ {FLIT_WIDTH / 4{flit_q}} : {FLIT_WIDTH{1'b0}};
    assign result_last      = !ok || flit_q + 4'd1 == shown_flits;

    always @(posedge clk) begin
        if (accept) begin
            inside_q <= !partial_last;
            number_q <= number == 4'd9 ? 4'd9 : number + 4'd1;
            counts_q <= counts;
            good_q   <= good;
            entry_q  <= at;
            port_q   <= port;
            if (counts) begin
                begun_q[port][at] <= 1'b1;
                if (!inside_q && partial_status != 4'd0) bad_status_q[at] <= 1'b1;
                else if (!inside_q && partial_element != element_q[of_group]) bad_type_q[at] <= 1'b1;
                else if (!inside_q && partial_length != its_length) bad_length_q[at] <= 1'b1;
                if (good && partial_last && number + 4'd1 != its_flits) bad_length_q[at] <= 1'b1;
                if (partial_last) ended_q[port][at] <= 1'b1;
                if (number == {1'b0, reserve_requester[2:0]} && port == reserve_requester[3]) kept_q[at] <= partial_data;
            end
        end
        if (timeout_valid) begin
            timed_q[any_timed] <= 1'b1;
            if (at == any_timed) counts_q <= 1'b0; // the rest of its packet counts for nobody
        end
        if (granted) begin
            for (i = 0; i < ENTRIES; i = i + 1) begin
                if (i / REQUEST_LINES == group_q && i % REQUEST_LINES <= oldest_q[4 + TAG_WIDTH + 2 +: 3]) begin
                    waits_q[i]      <= 1'b1;
                    timed_q[i]      <= 1'b0;
                    begun_q[0][i]   <= 1'b0;
                    begun_q[1][i]   <= 1'b0;
                    ended_q[0][i]   <= 1'b0;
                    ended_q[1][i]   <= 1'b0;
                    bad_status_q[i] <= 1'b0;
                    bad_type_q[i]   <= 1'b0;
                    bad_length_q[i] <= 1'b0;
                end
            end
        end
        shows_q <= starts || (shows_q && !(leaves && result_last));
        if (starts) shown_q <= any_entry;
        if (starts) flit_q <= 4'd0;
        else if (leaves) flit_q <= flit_q + 4'd1;
        if (leaves && result_last) waits_q[shown_q] <= 1'b0;
        if (rst) begin
            inside_q <= 1'b0;
            shows_q  <= 1'b0;
            waits_q  <= {ENTRIES{1'b0}};
        end
    end

    assign initialised    = initialised_q;
    assign empty          = used_q == {GROUPS{1'b0}};
    assign draining       = any_told[0];
    assign occupancy      = any_occupancy;
    assign released_ready = 1'b0;
    assign {command_ready, command_done, command_refused} = 3'd0;
    assign group_timeout  = 32'd0;
    assign {missing_valid, missing_ports} = any_told[4:1];
    assign events         = any_events;
    assign {error_valid, error_cause, error_header, error_port} = any_told[144:5];
