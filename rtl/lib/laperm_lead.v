// laperm_lead - the head that goes first with LaPerm's modes RR and TB-Pri: by level, or only by age.
//
// Purpose
//   In each group of six heads the first one is found in one cycle, and the first of these in the
//   next: leads_o is of the heads, levels and stamps of the last cycle. Queue 0 is head 0. All
//   registers are shown, for who compares them.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_HEAD     heads, 2..33
//   LEVEL_W    bits of a level, 1..4
//   STAMP_W    bits of a stamp, 2..28
//   N_GROUP    groups of six; derived, never overridden
//   KEY_W      bits of level and stamp; derived, never overridden
//
// Ports          width           meaning
//   clk          1               clock, rising edge
//   rst_i        1               reset, synchronous, active high
//   here_i       N_HEAD          heads that there are
//   rr_i         1               levels do not count
//   level_i      N_HEAD*LEVEL_W  the level of each; the highest goes first
//   stamp_i      N_HEAD*STAMP_W  its stamp; of equal levels the lowest goes first, of equal stamps the lowest head
//   leads_o      N_HEAD          the first of all, alone; none if there was none
//   lead_any_o   N_GROUP         registers: groups in which there are heads
//   lead_line_o  N_HEAD          the first of each group
//   lead_key_o   N_GROUP*KEY_W   its key, smaller for what goes first
//
// Timing
//   Outputs depend on registers alone.

`default_nettype none

module laperm_lead #(
    parameter integer N_HEAD  = 14,
    parameter integer LEVEL_W = 3,
    parameter integer STAMP_W = 24,
    parameter integer N_GROUP = (N_HEAD + 5) / 6,
    parameter integer KEY_W   = LEVEL_W + STAMP_W
) (
    input  wire                      clk,
    input  wire                      rst_i,
    input  wire [N_HEAD-1:0]         here_i,
    input  wire                      rr_i,
    input  wire [N_HEAD*LEVEL_W-1:0] level_i,
    input  wire [N_HEAD*STAMP_W-1:0] stamp_i,
    output wire [N_HEAD-1:0]         leads_o,
    output wire [N_GROUP-1:0]        lead_any_o,
    output wire [N_HEAD-1:0]         lead_line_o,
    output wire [N_GROUP*KEY_W-1:0]  lead_key_o
);

    generate
        if (N_HEAD < 2 || N_HEAD > 33 || LEVEL_W < 1 || LEVEL_W > 4 || STAMP_W < 2 || STAMP_W > 28
            || N_GROUP != (N_HEAD + 5) / 6 || KEY_W != LEVEL_W + STAMP_W) begin : g_check
            laperm_lead_needs_N_HEAD_2_to_33_LEVEL_W_1_to_4_STAMP_W_2_to_28 u_stop ();
        end
    endgenerate

    reg  [N_GROUP-1:0]       lead_any_q;
    reg  [N_HEAD-1:0]        lead_line_q;
    reg  [N_GROUP*KEY_W-1:0] lead_key_q;
    wire [N_HEAD*KEY_W-1:0]  keys;
    wire [N_GROUP-1:0]       any;
    wire [N_HEAD-1:0]        line;
    wire [N_GROUP*KEY_W-1:0] line_keys;
    wire [N_GROUP-1:0]       group;

    assign lead_any_o  = lead_any_q;
    assign lead_line_o = lead_line_q;
    assign lead_key_o  = lead_key_q;

    genvar g;
    generate
        for (g = 0; g < N_HEAD; g = g + 1) begin : g_key
            assign keys[g*KEY_W +: KEY_W] = {~level_i[g*LEVEL_W +: LEVEL_W] | {LEVEL_W{rr_i}},
                                             stamp_i[g*STAMP_W +: STAMP_W]};
            assign leads_o[g] = lead_line_q[g] && group[g/6];
        end
        for (g = 0; g < N_GROUP; g = g + 1) begin : g_group
            localparam integer FIRST = 6 * g;
            localparam integer SIZE  = (N_HEAD - FIRST < 6) ? N_HEAD - FIRST : 6;
            assign any[g] = |here_i[FIRST +: SIZE];
            first_of #(.N(SIZE), .W(KEY_W)) u_first (
                .keys_i  (keys[FIRST*KEY_W +: SIZE*KEY_W]),
                .valid_i (here_i[FIRST +: SIZE]),
                .line_o  (line[FIRST +: SIZE])
            );
            select_line #(.N(SIZE), .W(KEY_W)) u_key (
                .words_i (keys[FIRST*KEY_W +: SIZE*KEY_W]),
                .line_i  (line[FIRST +: SIZE]),
                .word_o  (line_keys[g*KEY_W +: KEY_W])
            );
        end
    endgenerate

    first_of #(.N(N_GROUP), .W(KEY_W)) u_lead (
        .keys_i  (lead_key_q),
        .valid_i (lead_any_q),
        .line_o  (group)
    );

    always @(posedge clk) begin : p_state
        lead_any_q  <= rst_i ? {N_GROUP{1'b0}} : any;
        lead_line_q <= rst_i ? {N_HEAD{1'b0}} : line;
        lead_key_q  <= rst_i ? {(N_GROUP*KEY_W){1'b0}} : line_keys;
    end

    // ---- Formal ------------------------------------------------------------
    // Of any two heads of the last cycle.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [5:0] f_one;
    (* anyconst *) reg [5:0] f_two;
    always @* assume (f_one < N_HEAD && f_two < N_HEAD);
    wire [LEVEL_W-1:0] f_level_one = level_i >> (f_one * LEVEL_W);
    wire [LEVEL_W-1:0] f_level_two = level_i >> (f_two * LEVEL_W);
    wire [STAMP_W-1:0] f_stamp_one = stamp_i >> (f_one * STAMP_W);
    wire [STAMP_W-1:0] f_stamp_two = stamp_i >> (f_two * STAMP_W);
    wire [KEY_W-1:0]   f_key       = lead_key_q >> ((f_one / 6) * KEY_W);
    wire f_equal  = rr_i || f_level_one == f_level_two;
    wire f_before = (!rr_i && f_level_one > f_level_two)
                    || (f_equal && (f_stamp_one < f_stamp_two || (f_stamp_one == f_stamp_two && f_one <= f_two)));

    always @(posedge clk) begin
        if (f_started) begin
            a_outputs : assert (lead_any_o == lead_any_q && lead_line_o == lead_line_q && lead_key_o == lead_key_q);
            a_one     : assert ((leads_o & (leads_o - 1'b1)) == 0);
            a_none    : assert ((leads_o == 0) == ($past(rst_i) || $past(here_i) == 0));
            if (leads_o[f_one]) begin
                a_here  : assert ($past(here_i[f_one]));
                a_first : assert (!$past(here_i[f_two]) || $past(f_before));
                a_key   : assert (f_key == {~$past(f_level_one) | {LEVEL_W{$past(rr_i)}}, $past(f_stamp_one)});
            end
            c_level : cover (leads_o[f_one] && f_one != f_two && $past(here_i[f_two]) && !$past(f_equal));
            c_equal : cover (leads_o[f_one] && f_one != f_two && $past(here_i[f_two])
                             && $past(rr_i && f_level_one < f_level_two));
        end
    end
`endif

endmodule

`default_nettype wire
