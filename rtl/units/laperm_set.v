// laperm_set - the priority queues of one SM: entries on chip, in the order of their levels, and
// numbers of those in memory.
//
// Purpose
//   The bound queues of LaPerm's SMX scheduler. The first entry stands in registers, so thread
//   blocks are drawn from it while another entry is inserted behind it. The array is a ring:
//   its first entry leaves at the front, a head that gives way comes back there, and lower
//   entries move towards the tail to make a place.
//
//   insert_* --> new_* ------.------------------------.
//                            v    array               v
//              draw_i ---> head <- front [ 3 3 | 2 2 | 1 1 1 ] tail
//                            |           fill[2] fill[1] fill[0]: sections, from the tail
//                            '--> offer_o, tb_o, ...
//
// Parameters, outside of whose ranges it does not elaborate
//   N_ENTRY          entries on chip, 1..128
//   N_LEVEL          levels of priority, 1..8
//   PAYLOAD_W        bits of what an entry carries: PC, parameter address, thread configuration, 1..64
//   N_KERNEL         slots of the kernel distributor, 1..128
//   TB_W             bits of a number of thread blocks, 1..32
//   STAMP_W          bits of the stamp that tells the order of launches, 2..28
//   SPILL_W          bits of a number of entries in memory, 1..32
//   LEVEL_W          bits of a level; derived, never overridden
//   KERNEL_W         bits of a slot's number; derived, never overridden
//
// Ports              width        meaning
//   clk              1            clock, rising edge
//   rst_i            1            reset, synchronous, active high
//   insert_valid_i   1            an entry comes; it is taken if idle, and its level has room
//   insert_back_i    1            from memory: the one that was asked for; otherwise, a launch
//   insert_level_i   LEVEL_W      its level, the highest goes first; N_LEVEL and up are N_LEVEL - 1
//   insert_payload_i PAYLOAD_W    its payload
//   insert_kernel_i  KERNEL_W     its slot
//   insert_tbs_i     TB_W         its thread blocks; 0 are 2^TB_W
//   insert_stamp_i   STAMP_W      its stamp
//   spill_valid_i    1            a launch goes to memory
//   spill_level_i    LEVEL_W      its level
//   ask_i            1            the entry that is wanted is asked for
//   draw_i           1            the next thread block of the head is dispatched
//   idle_o           1            no entry is being inserted
//   spills_o         N_LEVEL      levels whose launches go to memory: it has some of the level, or the chip is full
//   stuck_o          N_LEVEL      levels of which memory can count no more
//   want_o           1            there is a place for an entry from memory, and none has been asked for
//   want_level_o     LEVEL_W      of this level; 0 without want
//   some_o           1            there are entries, on chip or in memory; a launch that is being inserted is none yet
//   offer_o          1            the head can be drawn from; it is what the next outputs are of
//   steady_o         1            the head, or that there is none, did not change at the last edge, and no other is
//                                 about to come
//   here_o           1            there is a head
//   level_o          LEVEL_W      its level
//   payload_o        PAYLOAD_W    its payload
//   kernel_o         KERNEL_W     its slot
//   tb_o             TB_W         its next thread block
//   last_o           1            which is its last
//   stamp_o          STAMP_W      its stamp
//
// Paths
//   none: every output depends on state alone
//
// Timing
//   Throughput  a thread block in each cycle from one head. After its last one the next head
//               shows three cycles later.
//   Latency     an entry that is inserted into an empty set shows two cycles later.
//
// Contract
//   An entry is a device kernel or a group of thread blocks. It has a level; the highest goes first, and of one level
//   what was inserted first.
//
//   Chip       at most n_entry entries: a head in registers, and behind it an array, in the order of levels. Pointers
//              split the array into sections, one for each level.
//   Head       the first entry, and its next thread block. draw takes that, if offer. With the last one the entry is
//              gone. After two cycles without a head the next is here.
//   Insertion  one at a time. An entry that is taken in cycle t starts in t + 1, or once there is a head or the array
//              is empty. Before a head of a lower level it becomes the head, and that goes back to the array, with its
//              next thread block; the head is not offered in this cycle. Behind all entries, or before all of the
//              array, it is in its place in the next cycle. Otherwise all entries of lower levels move back by a
//              place, one in each cycle in which no head is loaded. So an insertion takes at most n_entry cycles and
//              those.
//   Meanwhile  the head is drawn from, and loaded. If all entries before the one that is inserted are gone it becomes
//              the head at once, and the hole behind it is closed: what is left to move, moves; or is loaded from the
//              other side.
//   Memory     spill counts the entries of each level there. A launch of a level of which memory has some goes there
//              too: spills. So does any while the chip has no place but for an entry that is wanted. While there is a
//              place on chip and no entry has been asked for, the highest level in memory is wanted. ask keeps the
//              place. What comes back is inserted as a launch is.
//   Empty      a set has none on chip, none in memory and none on the way from there: not some. A launch that is being
//              inserted does not count before its end.
//   Illegal    changes nothing: what is inserted while not idle, or without a place, or comes back without having been
//              asked for, or of a level that memory has none of; a draw without an offer; an ask without a want; what
//              is spilled to a level that is stuck, which holds 2^spill_w - 1.
//
// Reset
//   All registers are 0: the set is empty. The array keeps what it holds. Outputs do not depend on rst_i, and nothing
//   is taken while it is high.
//
// Twin     laperm_set.c: equal outputs, registers and memories in every cycle after the first
//          reset edge.
//
// Source
//   Wang and others, "LaPerm: Locality Aware Scheduler for Dynamic Parallelism on GPUs", ISCA 2016, IV.B and IV.E: 128
//   entries of 24 bytes for each SM, L - 1 pointers, a search of up to 128 cycles.
//
// Deviations
//   - The source searches the queue for the place of a new entry and does not say how the place is made. Built: all
//     lower entries move, and the search is their number.
//   - The source does not say when an entry comes back from memory. Built: when there is a place, one at a time.

`default_nettype none

module laperm_set #(
    parameter integer N_ENTRY   = 128,
    parameter integer N_LEVEL   = 4,
    parameter integer PAYLOAD_W = 64,
    parameter integer N_KERNEL  = 32,
    parameter integer TB_W      = 20,
    parameter integer STAMP_W   = 24,
    parameter integer SPILL_W   = 16,
    parameter integer LEVEL_W   = (N_LEVEL > 1) ? $clog2(N_LEVEL) : 1,   // derived, never overridden
    parameter integer KERNEL_W  = (N_KERNEL > 1) ? $clog2(N_KERNEL) : 1, // derived, never overridden
    parameter integer PLACE_W   = (N_ENTRY > 1) ? $clog2(N_ENTRY) : 1,   // derived, never overridden
    parameter integer COUNT_W   = $clog2(N_ENTRY + 1)                    // derived, never overridden
) (
    input  wire                 clk,
    input  wire                 rst_i,

    input  wire                 insert_valid_i,
    input  wire                 insert_back_i,
    input  wire [LEVEL_W-1:0]   insert_level_i,
    input  wire [PAYLOAD_W-1:0] insert_payload_i,
    input  wire [KERNEL_W-1:0]  insert_kernel_i,
    input  wire [TB_W-1:0]      insert_tbs_i,
    input  wire [STAMP_W-1:0]   insert_stamp_i,
    input  wire                 spill_valid_i,
    input  wire [LEVEL_W-1:0]   spill_level_i,
    input  wire                 ask_i,
    input  wire                 draw_i,

    output wire                 idle_o,
    output wire [N_LEVEL-1:0]   spills_o,
    output wire [N_LEVEL-1:0]   stuck_o,
    output wire                 want_o,
    output wire [LEVEL_W-1:0]   want_level_o,
    output wire                 some_o,

    output wire                 offer_o,
    output wire                 steady_o,
    output wire                 here_o,
    output wire [LEVEL_W-1:0]   level_o,
    output wire [PAYLOAD_W-1:0] payload_o,
    output wire [KERNEL_W-1:0]  kernel_o,
    output wire [TB_W-1:0]      tb_o,
    output wire                 last_o,
    output wire [STAMP_W-1:0]   stamp_o
);

    // A bad value instantiates a module that does not exist; its name is the message.
    generate
        if (N_ENTRY < 1 || N_ENTRY > 128 || N_LEVEL < 1 || N_LEVEL > 8 || PAYLOAD_W < 1 || PAYLOAD_W > 64
            || N_KERNEL < 1 || N_KERNEL > 128 || TB_W < 1 || TB_W > 32 || STAMP_W < 2 || STAMP_W > 28
            || SPILL_W < 1 || SPILL_W > 32
            || LEVEL_W != ((N_LEVEL > 1) ? $clog2(N_LEVEL) : 1) || KERNEL_W != ((N_KERNEL > 1) ? $clog2(N_KERNEL) : 1)
            || PLACE_W != ((N_ENTRY > 1) ? $clog2(N_ENTRY) : 1) || COUNT_W != $clog2(N_ENTRY + 1)) begin : g_check
            laperm_set_needs_N_ENTRY_N_KERNEL_1_to_128_N_LEVEL_1_to_8_PAYLOAD_W_1_to_64_TB_W_SPILL_W_1_to_32_STAMP_W_2_to_28
                u_stop ();
        end
    endgenerate

    localparam [COUNT_W-1:0] COUNT_1    = 1;
    localparam [TB_W-1:0]    TB_1       = 1;
    localparam [1:0] IDLE = 2'd0, START = 2'd1, MOVE = 2'd2, CLOSE = 2'd3;

    // An entry: payload, slot, next thread block, thread blocks, stamp.
    localparam integer ENTRY_W = PAYLOAD_W + KERNEL_W + 2 * TB_W + STAMP_W;

    // ---- State -------------------------------------------------------------

    reg  [1:0]           state_q;
    reg                  back_q;
    reg  [LEVEL_W-1:0]   new_level_q;
    reg  [PAYLOAD_W-1:0] new_payload_q;
    reg  [KERNEL_W-1:0]  new_kernel_q;
    reg  [TB_W-1:0]      new_tbs_q;
    reg  [STAMP_W-1:0]   new_stamp_q;
    reg  [COUNT_W-1:0]   ahead_q;
    reg  [COUNT_W-1:0]   left_q;
    reg  [PLACE_W-1:0]   from_q;
    reg  [PLACE_W-1:0]   hole_q;
    reg                  moving_q;
    reg                  loading_q;
    reg                  fresh_q;
    reg                  here_q;
    reg  [LEVEL_W-1:0]   level_q;
    reg  [PAYLOAD_W-1:0] payload_q;
    reg  [KERNEL_W-1:0]  kernel_q;
    reg  [TB_W-1:0]      tb_q;
    reg  [TB_W-1:0]      tbs_q;
    reg  [STAMP_W-1:0]   stamp_q;
    reg  [PLACE_W-1:0]   front_q;
    reg  [PLACE_W-1:0]   tail_q;
    (* mem2reg *)                            // registers, of which all are read
    reg  [COUNT_W-1:0]   fill_q [0:N_LEVEL-1];
    reg  [PAYLOAD_W-1:0] read_payload_q;
    reg  [KERNEL_W-1:0]  read_kernel_q;
    reg  [TB_W-1:0]      read_tb_q;
    reg  [TB_W-1:0]      read_tbs_q;
    reg  [STAMP_W-1:0]   read_stamp_q;

    (* mem2reg *)
    reg  [SPILL_W-1:0]   spill_q [0:N_LEVEL-1];

    // Registers that are in u_room; of which one is derived.
    // verilator lint_off UNUSEDSIGNAL
    wire [COUNT_W-1:0]   chip_q;
    wire                 asked_q;
    // verilator lint_on UNUSEDSIGNAL
    wire [N_LEVEL-1:0]   in_memory_q;

    // The array: one port to write and one to read, of which the data come in the next cycle.
    reg  [PAYLOAD_W-1:0] array_payload_q [0:N_ENTRY-1];
    reg  [KERNEL_W-1:0]  array_kernel_q  [0:N_ENTRY-1];
    reg  [TB_W-1:0]      array_tb_q      [0:N_ENTRY-1];
    reg  [TB_W-1:0]      array_tbs_q     [0:N_ENTRY-1];
    reg  [STAMP_W-1:0]   array_stamp_q   [0:N_ENTRY-1];

    wire [ENTRY_W-1:0] first    = {payload_q, kernel_q, tb_q, tbs_q, stamp_q};
    wire [ENTRY_W-1:0] newcomer = {new_payload_q, new_kernel_q, {TB_W{1'b0}}, new_tbs_q, new_stamp_q};
    wire [ENTRY_W-1:0] fetched  = {read_payload_q, read_kernel_q, read_tb_q, read_tbs_q, read_stamp_q};

    wire idle   = state_q == IDLE;
    wire starts = state_q == START;
    wire moves  = state_q == MOVE;
    wire closes = state_q == CLOSE;

    // ---- Sections of the array, a lane a level -----------------------------

    wire [COUNT_W-1:0] total = fill_q[N_LEVEL-1];
    wire               bare  = total == {COUNT_W{1'b0}};

    // What is done to the array in this cycle.
    wire               adds;        // an entry is put into it, of this level
    wire [LEVEL_W-1:0] add_level;
    wire [N_LEVEL-1:0] add_upto = {N_LEVEL{1'b1}} << add_level;
    wire               loads;       // its first entry is read, to be the head

    wire [N_LEVEL*SPILL_W-1:0] spill, next_spill;  // entries in memory, of each level

    wire [N_LEVEL-1:0] whole;       // no entry has a higher level than this
    wire [LEVEL_W-1:0] new_level;   // of what comes
    wire               takes;
    reg  [LEVEL_W-1:0] load_level;  // of the first entry
    reg  [COUNT_W-1:0] lower;       // entries of lower levels than that of the one inserted

    genvar g;
    generate
        for (g = 0; g < N_LEVEL; g = g + 1) begin : g_level
            wire more  = adds && add_upto[g];
            wire fewer = loads && whole[g];
            wire [COUNT_W-1:0] fill = fill_q[g];
            wire [COUNT_W-1:0] next_fill;
            count_step #(.W(COUNT_W)) u_fill (.count_i(fill), .up_i(more), .down_i(fewer), .count_o(next_fill));
            assign whole[g] = fill == total;
            assign spill[g*SPILL_W +: SPILL_W] = spill_q[g];
            always @(posedge clk) begin
                fill_q[g]  <= rst_i ? {COUNT_W{1'b0}} : next_fill;
                spill_q[g] <= rst_i ? {SPILL_W{1'b0}} : next_spill[g*SPILL_W +: SPILL_W];
            end
        end
    endgenerate

    integer k;
    always @* begin : p_levels
        load_level = {LEVEL_W{1'b0}};
        lower      = {COUNT_W{1'b0}};
        for (k = 1; k < N_LEVEL; k = k + 1) begin
            if (!whole[k-1]) load_level = k[LEVEL_W-1:0];
            if (new_level_q == k[LEVEL_W-1:0]) lower = fill_q[k-1];
        end
    end

    // ---- The head ----------------------------------------------------------
    // One is loaded from the front of the array, or it is the newcomer before which nothing is left.

    wire lacks    = !here_q && !loading_q && !bare;
    wire yields   = starts && (!here_q || new_level_q > level_q);
    wire overtake = lacks && moves && ahead_q == {COUNT_W{1'b0}};
    wire drawn    = draw_i && offer_o;
    wire gone     = drawn && last_o;
    wire can_start = starts && !loading_q && !lacks;
    wire enters   = overtake || (can_start && yields);  // the newcomer becomes the head
    wire pushes   = can_start && yields && here_q;      // and the head goes back

    assign loads = lacks && !overtake && !(closes && left_q == {COUNT_W{1'b0}});

    wire [TB_W-1:0] next_tb = tb_q + TB_1;

    always @(posedge clk) begin : p_head
        if (rst_i) begin
            here_q    <= 1'b0;
            fresh_q   <= 1'b0;
            loading_q <= 1'b0;
            level_q   <= {LEVEL_W{1'b0}};
            {payload_q, kernel_q, tb_q, tbs_q, stamp_q} <= {ENTRY_W{1'b0}};
        end else begin
            here_q    <= (here_q && !gone) || loading_q || enters;
            fresh_q   <= gone || loading_q || enters;
            loading_q <= loads;
            if (enters) level_q <= new_level_q;
            else if (loads) level_q <= load_level;
            if (drawn) tb_q <= next_tb;
            if (loading_q || enters)
                {payload_q, kernel_q, tb_q, tbs_q, stamp_q} <= loading_q ? fetched : newcomer;
        end
    end

    // ---- Insertion ---------------------------------------------------------

    wire is_last  = lower == {COUNT_W{1'b0}};  // the newcomer goes behind all entries ...
    wire is_first = lower == total;            // ... or before all of the array
    wire appends  = can_start && !yields && is_last;
    wire prepends = can_start && !yields && !is_last && is_first;
    wire shifts   = can_start && !yields && !is_last && !is_first;
    wire held     = loads || overtake;        // nothing moves meanwhile
    wire steps    = (moves || closes) && !held && left_q != {COUNT_W{1'b0}};
    wire ends     = (moves || closes) && !held && left_q == {COUNT_W{1'b0}} && !moving_q;
    wire settles  = ends && moves;           // into the hole that has been made

    assign adds      = pushes || appends || prepends || settles;
    assign add_level = pushes ? level_q : new_level_q;

    wire [PLACE_W-1:0] before_front, behind_front, before_tail, behind_tail, before_from, before_hole;
    wire [PLACE_W-1:0] unused_from, unused_hole;
    ring_near #(.N(N_ENTRY)) u_front (.place_i(front_q), .before_o(before_front), .behind_o(behind_front));
    ring_near #(.N(N_ENTRY)) u_tail (.place_i(tail_q), .before_o(before_tail), .behind_o(behind_tail));
    ring_near #(.N(N_ENTRY)) u_from (.place_i(from_q), .before_o(before_from), .behind_o(unused_from));
    ring_near #(.N(N_ENTRY)) u_hole (.place_i(hole_q), .before_o(before_hole), .behind_o(unused_hole));

    always @(posedge clk) begin : p_insert
        if (rst_i) begin
            state_q     <= IDLE;
            back_q      <= 1'b0;
            new_level_q <= {LEVEL_W{1'b0}};
            {new_payload_q, new_kernel_q, new_tbs_q, new_stamp_q} <= {(ENTRY_W-TB_W){1'b0}};
            ahead_q     <= {COUNT_W{1'b0}};
            left_q      <= {COUNT_W{1'b0}};
            from_q      <= {PLACE_W{1'b0}};
            hole_q      <= {PLACE_W{1'b0}};
            moving_q    <= 1'b0;
            front_q     <= {PLACE_W{1'b0}};
            tail_q      <= {PLACE_W{1'b0}};
        end else begin
            if (takes) begin
                state_q     <= START;
                back_q      <= insert_back_i;
                new_level_q <= new_level;
                {new_payload_q, new_kernel_q, new_tbs_q, new_stamp_q}
                    <= {insert_payload_i, insert_kernel_i, insert_tbs_i, insert_stamp_i};
            end else if (shifts) begin
                state_q <= MOVE;
            end else if (overtake) begin
                state_q <= CLOSE;
            end else if (can_start || ends) begin
                state_q <= IDLE;
            end

            moving_q <= steps;
            if (shifts) begin
                ahead_q <= total - lower;
                left_q  <= lower;
                from_q  <= before_tail;
                hole_q  <= tail_q;
            end else begin
                if (loads && moves) ahead_q <= ahead_q - COUNT_1;
                if ((loads && closes) || steps) left_q <= left_q - COUNT_1;
                if (steps) from_q <= before_from;
                if (moving_q) hole_q <= before_hole;
            end

            if (pushes || prepends) front_q <= before_front;
            else if (loads || (ends && closes)) front_q <= behind_front;
            if (appends || shifts) tail_q <= behind_tail;
        end
    end

    // ---- The array's ports -------------------------------------------------

    wire               reads      = loads || steps;
    wire [PLACE_W-1:0] read_place = loads ? front_q : from_q;
    wire               writes     = adds || moving_q;
    wire [PLACE_W-1:0] place      = (moves || closes) ? hole_q : appends ? tail_q : before_front;
    wire [ENTRY_W-1:0] entry      = moving_q ? fetched : pushes ? first : newcomer;

    wire [PAYLOAD_W-1:0] put_payload;
    wire [KERNEL_W-1:0]  put_kernel;
    wire [TB_W-1:0]      put_tb, put_tbs;
    wire [STAMP_W-1:0]   put_stamp;
    assign {put_payload, put_kernel, put_tb, put_tbs, put_stamp} = entry;

    always @(posedge clk) begin : p_array
        if (writes && !rst_i) begin
            array_payload_q[place] <= put_payload;
            array_kernel_q[place]  <= put_kernel;
            array_tb_q[place]      <= put_tb;
            array_tbs_q[place]     <= put_tbs;
            array_stamp_q[place]   <= put_stamp;
        end
    end

    always @(posedge clk) begin : p_read
        if (rst_i) begin
            {read_payload_q, read_kernel_q, read_tb_q, read_tbs_q, read_stamp_q} <= {ENTRY_W{1'b0}};
        end else if (reads) begin
            read_payload_q <= array_payload_q[read_place];
            read_kernel_q  <= array_kernel_q[read_place];
            read_tb_q      <= array_tb_q[read_place];
            read_tbs_q     <= array_tbs_q[read_place];
            read_stamp_q   <= array_stamp_q[read_place];
        end
    end

    // ---- Entries on chip, and those in memory ------------------------------

    laperm_room #(.N_ENTRY(N_ENTRY), .N_LEVEL(N_LEVEL), .SPILL_W(SPILL_W)) u_room (
        .clk(clk), .rst_i(rst_i), .insert_i(insert_valid_i && idle), .back_i(insert_back_i), .level_i(insert_level_i),
        .spill_i(spill_valid_i), .spill_level_i(spill_level_i), .ask_i(ask_i), .gone_i(gone), .counts_i(spill),
        .counts_o(next_spill), .takes_o(takes),
        .level_o(new_level), .spills_o(spills_o), .stuck_o(stuck_o), .want_o(want_o), .want_level_o(want_level_o),
        .chip_o(chip_q), .in_memory_o(in_memory_q), .asked_o(asked_q)
    );

    // ---- Outputs -----------------------------------------------------------

    assign idle_o       = idle;
    assign some_o       = here_q || loading_q || !bare || |in_memory_q || (back_q && (starts || moves));
    assign offer_o      = here_q && !yields;
    assign steady_o     = !fresh_q && !yields && !loading_q && !lacks;
    assign last_o       = next_tb == tbs_q;
    assign {here_o, level_o, payload_o, kernel_o, tb_o, stamp_o}
        = {here_q, level_q, payload_q, kernel_q, tb_q, stamp_q};

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/laperm_set_properties.v.

`ifdef FORMAL
    wire [N_LEVEL-1:0]         f_spilled;
    wire [N_LEVEL*COUNT_W-1:0] f_fill;
    wire [N_ENTRY*ENTRY_W-1:0] f_array;
    generate
        for (g = 0; g < N_LEVEL; g = g + 1) begin : g_f_level
            assign f_fill[g*COUNT_W +: COUNT_W] = fill_q[g];
            assign f_spilled[g] = spill_q[g] != {SPILL_W{1'b0}};
        end
        for (g = 0; g < N_ENTRY; g = g + 1) begin : g_f_place
            assign f_array[g*ENTRY_W +: ENTRY_W]
                = {array_payload_q[g], array_kernel_q[g], array_tb_q[g], array_tbs_q[g], array_stamp_q[g]};
        end
    endgenerate
    laperm_set_properties #(.N_ENTRY(N_ENTRY), .N_LEVEL(N_LEVEL), .PAYLOAD_W(PAYLOAD_W), .N_KERNEL(N_KERNEL), .TB_W(TB_W),
                            .STAMP_W(STAMP_W)) f_properties (.*);
`endif

endmodule

`default_nettype wire
