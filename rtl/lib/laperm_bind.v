// laperm_bind - the candidate of the SM that LaPerm visits, with modes SMX-Bind and Adaptive-Bind, and the turn of visits.
//
// Purpose
//   Three stages: the SM's own set; queue 0; with Adaptive-Bind, the set of its backup. The backup
//   that is recorded is used while its set has entries; otherwise the first set after the SM's that
//   has some is recorded: the unit keeps the record. All registers are shown, for who compares them.
//   Two of them follow from the turn and the record, so that no visit begins with a search: the line
//   of the backup of the SM that is visited, and the SMs after it.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM         SMs, 1..32
//   SM_W         bits of an SM's number; derived, never overridden
//
// Ports          width      meaning
//   clk          1          clock, rising edge
//   rst_i        1          reset, synchronous, active high
//   binds_i      1          the mode is one of the two
//   adaptive_i   1          there is a third stage
//   free_i       1          what is picked can go: a visit ends
//   some_i       N_SM       SMs whose sets have entries
//   parents_i    1          queue 0 has
//   recorded_i   N_SM       SMs that have a backup
//   backups_i    N_SM*SM_W  it, of each
//   records_o    1          from the next cycle on, that of the SM that is visited
//   record_o     SM_W       is this SM
//   bound_o      N_SM+1     the queue whose head is the candidate, alone; queue 0 lowest
//   turn_o       N_SM       registers: the SM that is visited, alone
//   later_o      N_SM       those after it
//   reserve_o    N_SM       the backup of the SM that is visited, alone; none without one
//
// Timing
//   Registers change at the edge: a visit in which there is an entry anywhere ends with binds and free. bound_o, records_o
//   and record_o depend on inputs as well.

`default_nettype none

module laperm_bind #(
    parameter integer N_SM = 13,
    parameter integer SM_W = (N_SM > 1) ? $clog2(N_SM) : 1
) (
    input  wire                 clk,
    input  wire                 rst_i,
    input  wire                 binds_i,
    input  wire                 adaptive_i,
    input  wire                 free_i,
    input  wire [N_SM-1:0]      some_i,
    input  wire                 parents_i,
    input  wire [N_SM-1:0]      recorded_i,
    input  wire [N_SM*SM_W-1:0] backups_i,
    output wire                 records_o,
    output wire [SM_W-1:0]      record_o,
    output wire [N_SM:0]        bound_o,
    output wire [N_SM-1:0]      turn_o,
    output wire [N_SM-1:0]      later_o,
    output wire [N_SM-1:0]      reserve_o
);

    generate
        if (N_SM < 1 || N_SM > 32 || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)) begin : g_check
            laperm_bind_needs_N_SM_1_to_32 u_stop ();
        end
    endgenerate

    localparam [N_SM-1:0] SM_0 = 1;

    reg [N_SM-1:0] turn_q, later_q, reserve_q;

    assign {turn_o, later_o, reserve_o} = {turn_q, later_q, reserve_q};

    // ---- The three stages --------------------------------------------------

    wire [N_SM-1:0] other;      // the first set after the SM's that is not empty, if the SM's own is
    wire            any_other;

    pick_next #(.N(N_SM)) u_other (.set_i(some_i), .from_i(later_q), .line_o(other), .any_o(any_other));
    line_number #(.N(N_SM)) u_record (.line_i(other), .number_o(record_o));

    // Whether a set has entries is known late: it is asked of each line, and no line waits for an answer about all.
    wire [N_SM-1:0] own    = turn_q & some_i;
    wire [N_SM-1:0] backed = reserve_q & some_i;
    wire            third  = adaptive_i && own == 0 && !parents_i;
    wire            anew   = third && backed == 0;

    assign records_o = free_i && binds_i && anew && any_other;
    assign bound_o   = {own | (backed & {N_SM{third}}) | (other & {N_SM{anew}}), own == 0 && parents_i};

    // ---- The next visit ----------------------------------------------------

    // The visit of an SM of which a backup is recorded ends, so the backup of the next one is known.
    wire            ends       = free_i && binds_i && (parents_i || |some_i);
    wire [N_SM-1:0] next_turn  = (turn_q << 1) | {{(N_SM-1){1'b0}}, turn_q[N_SM-1]};
    wire [N_SM-1:0] next_later = turn_q[N_SM-1] ? ~SM_0 : later_q << 1;
    wire [SM_W-1:0] next_backup;
    wire [N_SM-1:0] next_reserve;

    select_line #(.N(N_SM), .W(SM_W)) u_backup (.words_i(backups_i), .line_i(next_turn), .word_o(next_backup));

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_backup
            localparam [31:0] SM = s;
            assign next_reserve[s] = next_backup == SM[SM_W-1:0] && |(next_turn & recorded_i);
        end
    endgenerate

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            turn_q    <= SM_0;
            later_q   <= ~SM_0;
            reserve_q <= {N_SM{1'b0}};
        end else if (ends) begin
            {turn_q, later_q, reserve_q} <= {next_turn, next_later, next_reserve};
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Of any SM that is visited, and any set; beside it, the record.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    (* anyconst *) reg [SM_W-1:0] f_turn;
    (* anyconst *) reg [SM_W-1:0] f_set;
    (* anyconst *) reg [SM_W-1:0] f_other;
    reg  [N_SM-1:0] f_recorded;
    reg  [N_SM*SM_W-1:0] f_backups;
    integer f_k;
    always @(posedge clk) begin
        f_recorded <= rst_i ? 0 : f_recorded | (turn_o & {N_SM{records_o}});
        for (f_k = 0; f_k < N_SM; f_k = f_k + 1)
            if (rst_i || (records_o && turn_o[f_k])) f_backups[f_k*SM_W +: SM_W] <= rst_i ? 0 : record_o;
    end
    always @* assume (recorded_i == f_recorded && backups_i == f_backups);
    wire [SM_W-1:0] f_backup = f_backups >> (f_turn * SM_W);
    wire            f_kept   = f_recorded[f_turn] && f_backup < N_SM && some_i[f_backup];
    wire            f_none   = some_i == 0 && !parents_i;

    // How far a set is behind the SM's, going round.
    function [SM_W:0] f_far;
        input [SM_W-1:0] of;
        f_far = of > f_turn ? of - f_turn : N_SM + of - f_turn;
    endfunction

    // The visit of f_turn in the last cycle.
    reg             f_visited, f_ended, f_anew, f_chosen;
    reg [SM_W-1:0]  f_last;
    always @(posedge clk) begin
        f_visited <= !rst_i && turn_o[f_turn];
        f_ended   <= free_i && binds_i && !f_none;
        f_anew    <= adaptive_i && !some_i[f_turn] && !parents_i && !f_kept;
        f_chosen  <= bound_o[f_set+1];
        f_last    <= f_backup;
    end

    always @* begin
        assume (f_turn < N_SM && f_set < N_SM && f_other < N_SM);
        if (f_started) begin
            a_turn    : assert (turn_o != 0 && (turn_o & (turn_o - 1'b1)) == 0);
            a_later   : assert (later_o == ~(turn_o | (turn_o - 1'b1)));
            a_number  : assert (f_backup < N_SM && (f_recorded[f_turn] || f_backup == 0));
            if (turn_o[f_turn])
                a_reserve : assert (reserve_o == (f_recorded[f_turn] ? SM_0 << f_backup : 0));
        end
        if (f_started && turn_o[f_turn]) begin
            a_one    : assert ((bound_o & (bound_o - 1'b1)) == 0);
            a_own    : assert (bound_o[f_turn+1] == some_i[f_turn]);
            a_parent : assert (bound_o[0] == (!some_i[f_turn] && parents_i));
            if (f_set != f_turn && bound_o[f_set+1]) begin
                a_third : assert (adaptive_i && !some_i[f_turn] && !parents_i && some_i[f_set]);
                a_which : assert (!f_kept || f_set == f_backup);
            end
            // A set that is chosen anew is the first with entries.
            if (!f_kept && f_set != f_turn && f_other != f_turn && bound_o[f_set+1])
                a_next : assert (!some_i[f_other] || f_far(f_set) <= f_far(f_other));
            if (adaptive_i && some_i[f_set])
                a_found : assert (bound_o != 0);
        end
        c_reuses  : cover (N_SM == 1 || (f_started && turn_o[f_turn] && f_kept && bound_o[f_backup+1]));
    end
    always @(posedge clk) begin
        if (f_started && f_visited) begin
            a_stays : assert (f_ended || turn_o[f_turn]);
            a_moves : assert (!f_ended || turn_o[f_turn == N_SM - 1 ? 0 : f_turn + 1]);
            if (f_ended && f_anew && f_chosen)
                a_records : assert (f_recorded[f_turn] && f_backup == f_set);
        end
        if (f_started && !$past(rst_i) && !(f_visited && f_ended && f_anew))
            a_keeps : assert (f_backup == f_last && f_recorded[f_turn] == $past(f_recorded[f_turn]));
        c_records : cover (N_SM == 1 || (f_started && f_visited && f_ended && f_anew && f_chosen && f_set < f_turn
                                         && $past(f_recorded[f_turn])));
    end
`endif

endmodule

`default_nettype wire
