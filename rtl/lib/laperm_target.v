// laperm_target - the SM that the next thread block of LaPerm's scheduler goes to, and whether it takes it.
//
// Purpose
//   With SMX-Bind and Adaptive-Bind it is the SM that is visited. With RR and TB-Pri it is the next
//   one, round robin, that can take it: the first such SM after the one that was served last. Who has
//   been served is a register, kept as the SMs after it, and shown for who compares it.
//   The SMs that can take a child, and those that can take a parent, are picked from side by side:
//   which of the two it is, is known late.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_SM         SMs, 1..32
//   SM_W         bits of an SM's number; derived, never overridden
//
// Ports          width  meaning
//   clk          1      clock, rising edge
//   rst_i        1      reset, synchronous, active high
//   binds_i      1      the SM is the one that is visited
//   turn_i       N_SM   this one, alone
//   room_i       N_SM   SMs that have room for it
//   limit_i      N_SM   and may hold one more
//   credit_i     N_SM   and have a credit for a parent
//   going_i      1      the last one still shows,
//   going_to_i   SM_W   to this SM, which does not take another
//   parent_i     1      it is of queue 0
//   serve_i      1      without binds: the SM is served, if it takes it
//   takes_o      1      an SM takes it:
//   to_o         SM_W   this one; without one, a number that is not used
//   behind_o     N_SM   register: SMs after the one that was served last; none: before the first, or it was the last SM
//
// Timing
//   The register changes at the edge. takes_o and to_o depend on inputs as well. takes_o does not wait for the picks.

`default_nettype none

module laperm_target #(
    parameter integer N_SM = 13,
    parameter integer SM_W = (N_SM > 1) ? $clog2(N_SM) : 1
) (
    input  wire            clk,
    input  wire            rst_i,
    input  wire            binds_i,
    input  wire [N_SM-1:0] turn_i,
    input  wire [N_SM-1:0] room_i,
    input  wire [N_SM-1:0] limit_i,
    input  wire [N_SM-1:0] credit_i,
    input  wire            going_i,
    input  wire [SM_W-1:0] going_to_i,
    input  wire            parent_i,
    input  wire            serve_i,
    output wire            takes_o,
    output wire [SM_W-1:0] to_o,
    output wire [N_SM-1:0] behind_o
);

    generate
        if (N_SM < 1 || N_SM > 32 || SM_W != ((N_SM > 1) ? $clog2(N_SM) : 1)) begin : g_check
            laperm_target_needs_N_SM_1_to_32 u_stop ();
        end
    endgenerate

    reg [N_SM-1:0] behind_q;

    assign behind_o = behind_q;

    wire [N_SM-1:0] shown;  // the SM to which the last one shows
    genvar s;
    generate
        for (s = 0; s < N_SM; s = s + 1) begin : g_shown
            localparam [31:0] SM = s;
            assign shown[s] = going_i && going_to_i == SM[SM_W-1:0];
        end
    endgenerate

    wire [N_SM-1:0] takers = room_i & limit_i & ~shown;
    wire [N_SM-1:0] hosts  = takers & credit_i;
    wire [N_SM-1:0] host_line, host_behind, set_line, set_behind;

    pick_turn #(.N(N_SM)) u_next (.set_i(takers), .behind_i(behind_q), .line_o(set_line), .behind_o(set_behind));
    pick_turn #(.N(N_SM)) u_host (.set_i(hosts), .behind_i(behind_q), .line_o(host_line), .behind_o(host_behind));

    wire [N_SM-1:0] next_line   = parent_i ? host_line : set_line;
    wire [N_SM-1:0] next_behind = parent_i ? host_behind : set_behind;

    // That an SM takes what there is is known before which one does.
    wire [N_SM-1:0] visits = turn_i | {N_SM{!binds_i}};
    assign takes_o = parent_i ? |(hosts & visits) : |(takers & visits);

    line_number #(.N(N_SM)) u_to (.line_i(binds_i ? turn_i : next_line), .number_o(to_o));

    always @(posedge clk) begin : p_served
        if (rst_i) behind_q <= {N_SM{1'b0}};
        else if (serve_i && takes_o) behind_q <= next_behind;
    end

    // ---- Formal ------------------------------------------------------------
    // Against the number of the SM that was served last, and any other SM.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;
    always @* if (!f_started) assume (rst_i);

    (* anyconst *) reg [SM_W-1:0] f_turn;
    (* anyconst *) reg [SM_W-1:0] f_sm;
    always @* begin
        assume (f_turn < N_SM && f_sm < N_SM);
        assume (turn_i == {{(N_SM-1){1'b0}}, 1'b1} << f_turn);
        assume (!serve_i || !binds_i);
    end

    // The one served last; at first it is as if the last SM had been.
    reg [SM_W-1:0] f_served;
    always @(posedge clk) begin
        if (rst_i) f_served <= N_SM - 1;
        else if (serve_i && takes_o) f_served <= to_o;
    end

    // How far an SM is behind it, going round.
    function [SM_W:0] f_far;
        input [SM_W-1:0] of;
        f_far = of > f_served ? of - f_served : N_SM + of - f_served;
    endfunction
    wire [SM_W:0] f_to_far = f_far(to_o);
    wire [SM_W:0] f_sm_far = f_far(f_sm);

    // Whether one can take it.
    function f_can;
        input [SM_W-1:0] of;
        f_can = room_i[of] && limit_i[of] && !(going_i && going_to_i == of) && (!parent_i || credit_i[of]);
    endfunction
    wire f_to_can = to_o < N_SM && f_can(to_o);

    always @* begin
        if (f_started) begin
            a_served : assert (f_served < N_SM && behind_o == ({N_SM{1'b1}} << f_served << 1));
            a_to     : assert (!takes_o || f_to_can);
            a_visit  : assert (!binds_i || (to_o == f_turn && takes_o == f_can(f_turn)));
            a_takes  : assert (binds_i || !f_can(f_sm) || takes_o);
            a_round  : assert (binds_i || !f_can(f_sm) || f_to_far <= f_sm_far);
        end
        c_wraps  : cover (N_SM == 1 || (f_started && serve_i && takes_o && to_o < f_served));
        c_shown  : cover (N_SM == 1 || (f_started && serve_i && takes_o && going_i && going_to_i == f_sm && f_sm_far < f_to_far));
        c_credit : cover (N_SM == 1 || (f_started && parent_i && takes_o && !binds_i && room_i[f_sm] && limit_i[f_sm]
                                        && f_sm_far < f_to_far));
    end
    always @(posedge clk)
        if (f_started && !$past(rst_i) && !($past(serve_i) && $past(takes_o)))
            a_keeps : assert (behind_o == $past(behind_o));
`endif

endmodule

`default_nettype wire
