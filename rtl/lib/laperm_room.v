// laperm_room - the room of a set of LaPerm's queues: its entries on chip, and those of each level in memory.
//
// Purpose
//   It says what may be inserted, which launches go to memory, and when an entry of which level is
//   wanted back. An entry that was asked for has its place on chip from then on. The unit keeps the
//   counts of memory, and is given the next ones; all registers are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_ENTRY        entries on chip, 1..128
//   N_LEVEL        levels of priority, 1..8
//   SPILL_W        bits of a number of entries in memory, 1..32
//   LEVEL_W        bits of a level; derived, never overridden
//   COUNT_W        bits of a number of entries on chip; derived, never overridden
//
// Ports            width            meaning
//   clk            1                clock, rising edge
//   rst_i          1                reset, synchronous, active high
//   insert_i       1                an entry comes, and the set could insert it
//   back_i         1                from memory
//   level_i        LEVEL_W          its level; N_LEVEL and up are N_LEVEL - 1
//   spill_i        1                a launch goes to memory
//   spill_level_i  LEVEL_W          its level, likewise
//   ask_i          1                the entry that is wanted is asked for
//   gone_i         1                an entry leaves
//   counts_i       N_LEVEL*SPILL_W  entries of each level in memory; 0 after a reset,
//   counts_o       N_LEVEL*SPILL_W  and these in the next cycle
//   takes_o        1                what comes is taken: a launch, if launches of its level do not go to memory; from
//                                   memory, if it was asked for, and memory has some of its level
//   level_o        LEVEL_W          its level, at most N_LEVEL - 1
//   spills_o       N_LEVEL          levels whose launches go to memory: it has some of the level, or the chip has no
//                                   place but for an entry that is wanted
//   stuck_o        N_LEVEL          levels of which memory can count no more
//   want_o         1                there is a place for an entry from memory, and none has been asked for
//   want_level_o   LEVEL_W          the highest level there; 0 without want
//   chip_o         COUNT_W          registers: entries on chip, with one that was asked for
//   in_memory_o    N_LEVEL          levels of which memory has entries
//   asked_o        1                an entry has been asked for
//
// Timing
//   takes_o, level_o and counts_o depend on inputs, all others on registers and on counts_i alone.

`default_nettype none

module laperm_room #(
    parameter integer N_ENTRY = 128,
    parameter integer N_LEVEL = 4,
    parameter integer SPILL_W = 16,
    parameter integer LEVEL_W = (N_LEVEL > 1) ? $clog2(N_LEVEL) : 1,
    parameter integer COUNT_W = $clog2(N_ENTRY + 1)
) (
    input  wire                       clk,
    input  wire                       rst_i,
    input  wire                       insert_i,
    input  wire                       back_i,
    input  wire [LEVEL_W-1:0]         level_i,
    input  wire                       spill_i,
    input  wire [LEVEL_W-1:0]         spill_level_i,
    input  wire                       ask_i,
    input  wire                       gone_i,
    input  wire [N_LEVEL*SPILL_W-1:0] counts_i,
    output wire [N_LEVEL*SPILL_W-1:0] counts_o,
    output wire                       takes_o,
    output wire [LEVEL_W-1:0]         level_o,
    output wire [N_LEVEL-1:0]         spills_o,
    output wire [N_LEVEL-1:0]         stuck_o,
    output wire                       want_o,
    output wire [LEVEL_W-1:0]         want_level_o,
    output wire [COUNT_W-1:0]         chip_o,
    output wire [N_LEVEL-1:0]         in_memory_o,
    output wire                       asked_o
);

    generate
        if (N_ENTRY < 1 || N_ENTRY > 128 || N_LEVEL < 1 || N_LEVEL > 8 || SPILL_W < 1 || SPILL_W > 32
            || LEVEL_W != ((N_LEVEL > 1) ? $clog2(N_LEVEL) : 1) || COUNT_W != $clog2(N_ENTRY + 1)) begin : g_check
            laperm_room_needs_N_ENTRY_1_to_128_N_LEVEL_1_to_8_SPILL_W_1_to_32 u_stop ();
        end
    endgenerate

    localparam [31:0]        LAST_LEVEL = N_LEVEL - 1;
    localparam [31:0]        LAST_PLACE = N_ENTRY - 1;
    localparam [31:0]        ALL        = N_ENTRY;
    localparam [31:0]        TWO        = 2;
    localparam [COUNT_W-1:0] COUNT_1    = 1;
    localparam [SPILL_W-1:0] SPILL_1    = 1;

    reg  [COUNT_W-1:0] chip_q;
    reg  [N_LEVEL-1:0] in_memory_q;
    reg                asked_q;

    assign {chip_o, in_memory_o, asked_o} = {chip_q, in_memory_q, asked_q};

    // ---- Of each level, those in memory ------------------------------------

    wire [LEVEL_W-1:0] level, spill_level;

    genvar g;
    generate
        if (N_LEVEL < (1 << LEVEL_W)) begin : g_clamp
            assign level       = level_i > LAST_LEVEL[LEVEL_W-1:0] ? LAST_LEVEL[LEVEL_W-1:0] : level_i;
            assign spill_level = spill_level_i > LAST_LEVEL[LEVEL_W-1:0] ? LAST_LEVEL[LEVEL_W-1:0] : spill_level_i;
        end else begin : g_full
            assign {level, spill_level} = {level_i, spill_level_i};
        end

        for (g = 0; g < N_LEVEL; g = g + 1) begin : g_level
            localparam [31:0] LEVEL = g;
            wire [SPILL_W-1:0] count = counts_i[g*SPILL_W +: SPILL_W];
            wire up   = spill_i && !stuck_o[g] && spill_level == LEVEL[LEVEL_W-1:0];
            wire down = takes_o && back_i && level == LEVEL[LEVEL_W-1:0];
            count_step #(.W(SPILL_W)) u_count (
                .count_i(count), .up_i(up), .down_i(down), .count_o(counts_o[g*SPILL_W +: SPILL_W])
            );
            assign stuck_o[g] = &count;
            always @(posedge clk) begin
                if (rst_i) in_memory_q[g] <= 1'b0;
                else if (up) in_memory_q[g] <= 1'b1;
                else if (down) in_memory_q[g] <= count != SPILL_1;
            end
        end
    endgenerate

    reg  [LEVEL_W-1:0] highest;
    integer k;
    always @* begin : p_highest
        highest = {LEVEL_W{1'b0}};
        for (k = 1; k < N_LEVEL; k = k + 1)
            if (in_memory_q[k]) highest = k[LEVEL_W-1:0];
    end

    // ---- On chip -----------------------------------------------------------

    wire full      = chip_q == ALL[COUNT_W-1:0];
    wire one_place = chip_q == LAST_PLACE[COUNT_W-1:0];
    wire wants     = |in_memory_q && !full && !asked_q;
    wire takes     = insert_i && (back_i ? asked_q && in_memory_q[level] : !spills_o[level]);
    wire asks      = ask_i && wants;

    assign takes_o      = takes;
    assign level_o      = level;
    assign spills_o     = in_memory_q | {N_LEVEL{full || (wants && one_place)}};
    assign want_o       = wants;
    assign want_level_o = highest & {LEVEL_W{wants}};

    // More and fewer: by 2 at most, and by 1.
    wire one_in = takes && !back_i;
    wire [COUNT_W-1:0] chip_up  = chip_q + COUNT_1;
    wire [COUNT_W-1:0] chip_two = chip_q + TWO[COUNT_W-1:0];

    always @(posedge clk) begin : p_chip
        if (rst_i) begin
            chip_q  <= {COUNT_W{1'b0}};
            asked_q <= 1'b0;
        end else begin
            if (one_in && asks) chip_q <= gone_i ? chip_up : chip_two;
            else if (one_in || asks) chip_q <= gone_i ? chip_q : chip_up;
            else if (gone_i) chip_q <= chip_q - COUNT_1;
            if (asks) asked_q <= 1'b1;
            else if (takes && back_i) asked_q <= 1'b0;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Of any level; beside it, the entries on chip and those in memory.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    (* anyconst *) reg [LEVEL_W-1:0] f_level;
    reg [8:0]           f_chip;   // entries on chip, without a place that is kept
    reg [SPILL_W-1:0]   f_count;  // those of the level in memory
    reg [N_LEVEL*SPILL_W-1:0] f_counts;
    always @(posedge clk) f_counts <= rst_i ? 0 : counts_o;
    always @* if (f_started) assume (counts_i == f_counts);
    wire [SPILL_W-1:0]  f_spill = counts_i >> (f_level * SPILL_W);
    wire f_back  = takes_o && back_i && level_o == f_level;
    wire f_sent  = spill_i && (spill_level_i == f_level || (spill_level_i > f_level && f_level == N_LEVEL - 1));
    always @* begin
        assume (f_level < N_LEVEL);
        if (f_started) assume (!gone_i || f_chip != 0);
    end
    always @(posedge clk) begin
        f_chip  <= rst_i ? 0 : f_chip + takes_o - gone_i;
        f_count <= rst_i ? 0 : f_count + (f_sent && !(&f_count)) - f_back;
        if (f_started) begin
            a_chip   : assert (f_chip <= N_ENTRY && chip_o <= N_ENTRY && chip_o == f_chip + asked_o);
            a_spill  : assert (f_spill == f_count);
            a_memory : assert (in_memory_o[f_level] == (f_count != 0) && stuck_o[f_level] == (&f_count));
            a_want   : assert (want_o == (in_memory_o != 0 && !asked_o && chip_o < N_ENTRY));
            a_level  : assert (level_o == (level_i < N_LEVEL ? level_i : N_LEVEL - 1));
            if (want_o && f_count != 0)
                a_high : assert (want_level_o >= f_level && in_memory_o[want_level_o]);
            if (takes_o && level_o == f_level)
                a_takes : assert (insert_i && (back_i ? asked_o && f_count != 0 : f_count == 0 && chip_o + want_o < N_ENTRY));
            if (insert_i && back_i && asked_o && f_count != 0 && level_o == f_level)
                a_back  : assert (takes_o);
            if (insert_i && !back_i && f_count == 0 && chip_o + want_o < N_ENTRY && level_o == f_level)
                a_new   : assert (takes_o);
            a_spills : assert (spills_o[f_level] == (f_count != 0 || chip_o + want_o >= N_ENTRY));
            if (!$past(rst_i))
                a_asked : assert (asked_o == $past((ask_i && want_o) || (asked_o && !(takes_o && back_i))));
            c_back  : cover (f_back && (f_chip != 0 || N_ENTRY == 1));
            c_stuck : cover (stuck_o[f_level] || SPILL_W > 2);
        end
    end
`endif

endmodule

`default_nettype wire
