// pick_turn - the first place of a set behind the one served last, wrapping, and what is behind that.
//
// Purpose
//   A round robin with its pointer. The pointer is kept as the places behind the one served last, so
//   it is neither decoded nor encoded, and comes out of the same network as the pick.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//
// Ports             width        meaning
//   set_i           N            a set
//   behind_i        N            the places behind the one served last; none: it was the last place,
//                                or there was none
//   line_o          N            the lowest place of set_i and behind_i; if there is none, the lowest
//                                of set_i; one bit, or none of an empty set
//   behind_o        N            the places behind that of line_o; none of an empty set
//
// Timing
//   Combinational. Both picks are made at once, and one is chosen.

`default_nettype none

module pick_turn #(
    parameter integer N = 16
) (
    input  wire [N-1:0] set_i,
    input  wire [N-1:0] behind_i,
    output wire [N-1:0] line_o,
    output wire [N-1:0] behind_o
);

    generate
        if (N < 1 || N > 1024) begin : g_check
            pick_turn_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    wire [N-1:0] ahead = set_i & behind_i;
    wire [N-1:0] ahead_upto;
    wire [N-1:0] all_upto;

    prefix_or #(
        .N (N)
    ) u_ahead (
        .set_i  (ahead),
        .upto_o (ahead_upto)
    );

    prefix_or #(
        .N (N)
    ) u_all (
        .set_i  (set_i),
        .upto_o (all_upto)
    );

    wire         any          = ahead_upto[N-1];
    wire [N-1:0] ahead_behind = ahead_upto << 1;
    wire [N-1:0] all_behind   = all_upto << 1;

    assign line_o   = any ? ahead & ~ahead_behind : set_i & ~all_behind;
    assign behind_o = any ? ahead_behind : all_behind;

    // ---- Formal ------------------------------------------------------------
    // Against a search that goes round from the start, a place at a time.

`ifdef FORMAL
    (* anyconst *) integer f_start;
    integer       f_k;
    reg   [N-1:0] f_behind;
    reg   [N-1:0] f_line;
    reg   [N-1:0] f_then;
    always @* begin
        assume (f_start >= 0 && f_start <= N);
        f_line = 0;
        f_then = 0;
        for (f_k = 0; f_k < N; f_k = f_k + 1) f_behind[f_k] = f_k >= f_start;
        for (f_k = 0; f_k < 2 * N; f_k = f_k + 1) begin
            if (f_k >= f_start && set_i[f_k % N] && f_line == 0) begin
                f_line[f_k % N] = 1'b1;
                f_then          = {N{1'b1}} << (f_k % N) << 1;
            end
        end
        if (behind_i == f_behind && (f_start < N || set_i == 0))
            a_round : assert (line_o == f_line && behind_o == f_then);
        if (behind_i == 0)
            a_start : assert (line_o == (set_i & (~set_i + 1'b1)));
        a_one   : assert ((line_o & (line_o - 1'b1)) == 0 && (line_o & ~set_i) == 0
                          && (line_o != 0) == (set_i != 0));
        c_wraps : cover (behind_i == f_behind && line_o != 0
                         && (N == 1 || line_o < behind_i));
    end
`endif

endmodule

`default_nettype wire
