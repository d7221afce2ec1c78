// laperm_memory - what of LaPerm's scheduler is on its way to memory, asked for, and on its way back.
//
// Purpose
//   A register for each: an entry that goes to memory, and stays until it is taken; a request, of
//   one of the SMs that want an entry, by turns; and an entry that has come back, and stays until
//   its set takes it. All are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM             SMs, 1..32
//   LEVEL_W          bits of a level, 1..4
//   PAYLOAD_W        bits of a payload, 1..64
//   KERNEL_W         bits of a slot's number, 1..7
//   TB_W             bits of a number of thread blocks, 1..32
//   STAMP_W          bits of a stamp, 1..28
//   SM_W             bits of an SM's number; derived, never overridden
//   ENTRY_W          bits of an entry: its SM, level, payload, slot, thread blocks and stamp; derived, never overridden
//
// Ports              width         meaning
//   clk              1             clock, rising edge
//   rst_i            1             reset, synchronous, active high
//   spill_i          1             an entry goes to memory; only without spill_valid
//   entry_i          ENTRY_W       it
//   spill_ready_i    1             the one that shows is taken
//   spill_valid_o    1             registers: one shows,
//   spill_sm_o       SM_W          this one: its SM,
//   spill_level_o    LEVEL_W       level,
//   spill_payload_o  PAYLOAD_W     payload,
//   spill_kernel_o   KERNEL_W      slot,
//   spill_tbs_o      TB_W          thread blocks
//   spill_stamp_o    STAMP_W       and stamp
//   want_i           N_SM          SMs that want an entry
//   want_level_i     N_SM*LEVEL_W  of this level
//   ask_ready_i      1             the request that shows is taken
//   asks_o           N_SM          of this SM one is made, which shows from the next cycle on; none while one shows, or
//                                  a spill does
//   ask_valid_o      1             registers: one shows,
//   ask_sm_o         SM_W          of this SM
//   ask_level_o      LEVEL_W       and level
//   ask_behind_o     N_SM          SMs behind the one asked for last
//   back_valid_i     1             an entry comes back; it is dropped while one shows, or if it is of SM N_SM and up
//   back_i           ENTRY_W       it
//   back_stays_i     1             the one that shows is not taken
//   back_valid_o     1             registers: one shows,
//   back_sm_o        SM_W          this one: its SM,
//   back_level_o     LEVEL_W       level,
//   back_payload_o   PAYLOAD_W     payload,
//   back_kernel_o    KERNEL_W      slot,
//   back_tbs_o       TB_W          thread blocks
//   back_stamp_o     STAMP_W       and stamp
//
// Timing
//   A request that is made shows one cycle later, and so does what goes or comes back. asks_o depends on want_i.

`default_nettype none

module laperm_memory #(
    parameter integer N_SM      = 13,
    parameter integer LEVEL_W   = 3,
    parameter integer PAYLOAD_W = 64,
    parameter integer KERNEL_W  = 5,
    parameter integer TB_W      = 20,
    parameter integer STAMP_W   = 24,
    parameter integer SM_W      = (N_SM > 1) ? $clog2(N_SM) : 1,
    parameter integer ENTRY_W   = SM_W + LEVEL_W + PAYLOAD_W + KERNEL_W + TB_W + STAMP_W
) (
    input  wire                    clk,
    input  wire                    rst_i,
    input  wire                    spill_i,
    input  wire [ENTRY_W-1:0]      entry_i,
    input  wire                    spill_ready_i,
    output wire                    spill_valid_o,
    output wire [SM_W-1:0]         spill_sm_o,
    output wire [LEVEL_W-1:0]      spill_level_o,
    output wire [PAYLOAD_W-1:0]    spill_payload_o,
    output wire [KERNEL_W-1:0]     spill_kernel_o,
    output wire [TB_W-1:0]         spill_tbs_o,
    output wire [STAMP_W-1:0]      spill_stamp_o,
    input  wire [N_SM-1:0]         want_i,
    input  wire [N_SM*LEVEL_W-1:0] want_level_i,
    input  wire                    ask_ready_i,
    output wire [N_SM-1:0]         asks_o,
    output wire                    ask_valid_o,
    output wire [SM_W-1:0]         ask_sm_o,
    output wire [LEVEL_W-1:0]      ask_level_o,
    output wire [N_SM-1:0]         ask_behind_o,
    input  wire                    back_valid_i,
    input  wire [ENTRY_W-1:0]      back_i,
    input  wire                    back_stays_i,
    output wire                    back_valid_o,
    output wire [SM_W-1:0]         back_sm_o,
    output wire [LEVEL_W-1:0]      back_level_o,
    output wire [PAYLOAD_W-1:0]    back_payload_o,
    output wire [KERNEL_W-1:0]     back_kernel_o,
    output wire [TB_W-1:0]         back_tbs_o,
    output wire [STAMP_W-1:0]      back_stamp_o
);

    generate
        if (N_SM < 1 || N_SM > 32 || LEVEL_W < 1 || LEVEL_W > 4 || PAYLOAD_W < 1 || PAYLOAD_W > 64 || KERNEL_W < 1
            || KERNEL_W > 7 || TB_W < 1 || TB_W > 32 || STAMP_W < 1 || STAMP_W > 28
            || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)
            || ENTRY_W != SM_W + LEVEL_W + PAYLOAD_W + KERNEL_W + TB_W + STAMP_W) begin : g_check
            laperm_memory_needs_N_SM_TB_W_1_to_32_LEVEL_W_1_to_4_PAYLOAD_W_1_to_64_KERNEL_W_1_to_7_STAMP_W_1_to_28 u_stop ();
        end
    endgenerate

    reg                  spill_valid_q, ask_valid_q, back_valid_q;
    reg  [SM_W-1:0]      spill_sm_q, ask_sm_q, back_sm_q;
    reg  [LEVEL_W-1:0]   spill_level_q, ask_level_q, back_level_q;
    reg  [PAYLOAD_W-1:0] spill_payload_q, back_payload_q;
    reg  [KERNEL_W-1:0]  spill_kernel_q, back_kernel_q;
    reg  [TB_W-1:0]      spill_tbs_q, back_tbs_q;
    reg  [STAMP_W-1:0]   spill_stamp_q, back_stamp_q;
    reg  [N_SM-1:0]      ask_behind_q;

    assign {spill_valid_o, spill_sm_o, spill_level_o, spill_payload_o, spill_kernel_o, spill_tbs_o, spill_stamp_o}
        = {spill_valid_q, spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q};
    assign {ask_valid_o, ask_sm_o, ask_level_o, ask_behind_o} = {ask_valid_q, ask_sm_q, ask_level_q, ask_behind_q};
    assign {back_valid_o, back_sm_o, back_level_o, back_payload_o, back_kernel_o, back_tbs_o, back_stamp_o}
        = {back_valid_q, back_sm_q, back_level_q, back_payload_q, back_kernel_q, back_tbs_q, back_stamp_q};

    wire [N_SM-1:0]    ask_behind;
    wire [SM_W-1:0]    ask_sm;
    wire [LEVEL_W-1:0] ask_level;
    wire [31:0]        back_sm = {{(32-SM_W){1'b0}}, back_i[ENTRY_W-1 -: SM_W]};
    wire               comes   = back_valid_i && back_sm < N_SM;
    wire               may_ask = !ask_valid_q && !spill_valid_q;

    pick_turn #(.N(N_SM)) u_ask (
        .set_i(want_i & {N_SM{may_ask}}), .behind_i(ask_behind_q), .line_o(asks_o), .behind_o(ask_behind)
    );
    line_number #(.N(N_SM)) u_ask_sm (.line_i(asks_o), .number_o(ask_sm));
    select_line #(.N(N_SM), .W(LEVEL_W)) u_ask_level (.words_i(want_level_i), .line_i(asks_o), .word_o(ask_level));

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            {spill_valid_q, ask_valid_q, back_valid_q} <= 3'b000;
            ask_sm_q     <= {SM_W{1'b0}};
            ask_level_q  <= {LEVEL_W{1'b0}};
            ask_behind_q <= {N_SM{1'b0}};
            {spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q} <= {ENTRY_W{1'b0}};
            {back_sm_q, back_level_q, back_payload_q, back_kernel_q, back_tbs_q, back_stamp_q} <= {ENTRY_W{1'b0}};
        end else begin
            spill_valid_q <= (spill_valid_q && !spill_ready_i) || spill_i;
            if (spill_i)
                {spill_sm_q, spill_level_q, spill_payload_q, spill_kernel_q, spill_tbs_q, spill_stamp_q} <= entry_i;
            ask_valid_q <= (ask_valid_q && !ask_ready_i) || |asks_o;
            if (|asks_o) begin
                ask_sm_q     <= ask_sm;
                ask_level_q  <= ask_level;
                ask_behind_q <= ask_behind;
            end
            back_valid_q <= back_valid_q ? back_stays_i : comes;
            if (!back_valid_q && comes)
                {back_sm_q, back_level_q, back_payload_q, back_kernel_q, back_tbs_q, back_stamp_q} <= back_i;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Of any SM.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* begin
        if (!f_started) assume (rst_i);
        if (f_started) assume (!spill_i || !spill_valid_o);
    end

    (* anyconst *) reg [SM_W-1:0] f_sm;
    always @* assume (f_sm < N_SM);
    wire [ENTRY_W-1:0] f_spill = {spill_sm_o, spill_level_o, spill_payload_o, spill_kernel_o, spill_tbs_o, spill_stamp_o};
    wire [ENTRY_W-1:0] f_back  = {back_sm_o, back_level_o, back_payload_o, back_kernel_o, back_tbs_o, back_stamp_o};
    wire               f_comes = back_valid_i && back_i >> (ENTRY_W - SM_W) < N_SM;
    wire [LEVEL_W-1:0] f_level = want_level_i >> (f_sm * LEVEL_W);

    always @(posedge clk) begin
        if (f_started) begin
            a_one    : assert ((asks_o & (asks_o - 1'b1)) == 0 && (asks_o & ~want_i) == 0);
            a_alone  : assert ((asks_o != 0) == (want_i != 0 && !ask_valid_o && !spill_valid_o));
            a_places : assert (ask_sm_o < N_SM && (ask_behind_o & ~(ask_behind_o << 1)) == (ask_behind_o & -ask_behind_o));
            if (!$past(rst_i)) begin
                a_spill : assert (spill_valid_o == $past(spill_i || (spill_valid_o && !spill_ready_i)));
                a_entry : assert (f_spill == ($past(spill_i) ? $past(entry_i) : $past(f_spill)));
                a_ask   : assert (ask_valid_o == $past(asks_o != 0 || (ask_valid_o && !ask_ready_i)));
                if ($past(asks_o[f_sm]))
                    a_asked : assert (ask_sm_o == f_sm && ask_level_o == $past(f_level)
                                      && ask_behind_o == {N_SM{1'b1}} << f_sm << 1);
                if ($past(asks_o == 0))
                    a_holds : assert ($stable({ask_sm_o, ask_level_o, ask_behind_o}));
                // No SM is passed over: of those behind the last one that was asked for, the first.
                if ($past(asks_o != 0 && want_i[f_sm] && ask_behind_o[f_sm]))
                    a_turn : assert (ask_sm_o <= f_sm && (($past(ask_behind_o) >> ask_sm_o) & 1'b1) == 1);
                a_back  : assert (back_valid_o == $past(back_valid_o ? back_stays_i : f_comes));
                a_came  : assert (f_back == ($past(f_comes && !back_valid_o) ? $past(back_i) : $past(f_back)));
            end else begin
                a_reset : assert (!spill_valid_o && !ask_valid_o && !back_valid_o && ask_behind_o == 0);
            end
            c_round : cover (N_SM == 1 || (asks_o[f_sm] && ask_behind_o != 0 && !ask_behind_o[f_sm]));
            c_stays : cover (back_valid_o && $past(back_valid_o) && f_back != 0);
        end
    end
`endif

endmodule

`default_nettype wire
