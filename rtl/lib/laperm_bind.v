// laperm_bind - the candidate of an SM that LaPerm visits, with modes SMX-Bind and Adaptive-Bind.
//
// Purpose
//   Three stages: the SM's own set; queue 0; with Adaptive-Bind, the set of its backup. The backup
//   that is recorded is used while its set has entries; otherwise the first set after the SM's that
//   has some is recorded.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM         SMs, 1..32
//   SM_W         bits of an SM's number; derived, never overridden
//
// Ports          width      meaning
//   adaptive_i   1          there is a third stage
//   turn_i       N_SM       the SM that is visited, alone
//   some_i       N_SM       SMs whose sets have entries
//   parents_i    1          queue 0 has
//   recorded_i   N_SM       SMs that have a backup
//   backups_i    N_SM*SM_W  it, of each
//   bound_o      N_SM+1     the queue whose head is the candidate, alone; queue 0 lowest
//   records_o    1          a backup is recorded,
//   record_o     SM_W       which is this SM
//
// Timing
//   Combinational.

`default_nettype none

module laperm_bind #(
    parameter integer N_SM = 13,
    parameter integer SM_W = (N_SM > 1) ? $clog2(N_SM) : 1
) (
    input  wire                 adaptive_i,
    input  wire [N_SM-1:0]      turn_i,
    input  wire [N_SM-1:0]      some_i,
    input  wire                 parents_i,
    input  wire [N_SM-1:0]      recorded_i,
    input  wire [N_SM*SM_W-1:0] backups_i,
    output wire [N_SM:0]        bound_o,
    output wire                 records_o,
    output wire [SM_W-1:0]      record_o
);

    generate
        if (N_SM < 1 || N_SM > 32 || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)) begin : g_check
            laperm_bind_needs_N_SM_1_to_32 u_stop ();
        end
    endgenerate

    wire [SM_W-1:0] backup;       // of the SM that is visited
    wire [N_SM-1:0] backup_line;
    wire [N_SM-1:0] turn_upto;
    wire [N_SM-1:0] other;        // the first set after the SM's that is not empty, if the SM's own is
    wire            any_other;

    select_line #(.N(N_SM), .W(SM_W)) u_backup (.words_i(backups_i), .line_i(turn_i), .word_o(backup));
    prefix_or #(.N(N_SM)) u_upto (.set_i(turn_i), .upto_o(turn_upto));
    pick_next #(.N(N_SM)) u_other (
        .set_i  (some_i),
        .from_i (turn_upto),
        .line_o (other),
        .any_o  (any_other)
    );
    line_number #(.N(N_SM)) u_record (.line_i(other), .number_o(record_o));

    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_backup
            localparam [31:0] SM = s;
            assign backup_line[s] = backup == SM[SM_W-1:0];
        end
    endgenerate

    // Whether a set has entries is known late: it is asked of each line, and no line waits for an answer about all.
    wire [N_SM-1:0] own    = turn_i & some_i;
    wire [N_SM-1:0] backed = backup_line & some_i & {N_SM{|(turn_i & recorded_i)}};
    wire            third  = adaptive_i && own == 0 && !parents_i;
    wire            anew   = third && backed == 0;

    assign records_o = anew && any_other;
    assign bound_o   = {own | (backed & {N_SM{third}}) | (other & {N_SM{anew}}), own == 0 && parents_i};

    // ---- Formal ------------------------------------------------------------
    // Of any SM that is visited, and any set.

`ifdef FORMAL
    (* anyconst *) reg [SM_W-1:0] f_turn;
    (* anyconst *) reg [SM_W-1:0] f_set;
    wire [SM_W-1:0] f_backup = backups_i >> (f_turn * SM_W);
    wire            f_kept   = recorded_i[f_turn] && f_backup < N_SM && some_i[f_backup];

    // How far a set is behind the SM's, going round.
    function [SM_W:0] f_far;
        input [SM_W-1:0] of;
        f_far = of > f_turn ? of - f_turn : N_SM + of - f_turn;
    endfunction

    always @* begin
        assume (f_turn < N_SM && f_set < N_SM && turn_i == 1 << f_turn);
        a_one    : assert ((bound_o & (bound_o - 1'b1)) == 0);
        a_own    : assert (bound_o[f_turn+1] == some_i[f_turn]);
        a_parent : assert (bound_o[0] == (!some_i[f_turn] && parents_i));
        if (f_set != f_turn && bound_o[f_set+1]) begin
            a_third : assert (adaptive_i && !some_i[f_turn] && !parents_i && some_i[f_set]);
            a_which : assert (f_kept ? f_set == f_backup && !records_o : records_o && record_o == f_set);
        end
        if (records_o) begin
            a_empty : assert (record_o < N_SM && some_i[record_o] && record_o != f_turn && bound_o[record_o+1]);
            a_next  : assert (!some_i[f_set] || f_far(record_o) <= f_far(f_set));
        end
        if (adaptive_i && some_i[f_set])
            a_found : assert (bound_o != 0);
        c_reuses  : cover (N_SM == 1 || (bound_o[f_set+1] && f_set != f_turn && !records_o));
        c_records : cover (N_SM == 1 || (records_o && recorded_i[f_turn] && record_o < f_turn));
    end
`endif

endmodule

`default_nettype wire
