// credit_counter - credits that are taken and given back.
//
// Purpose
//   Counts how much of something is left, such as the places of a queue at the other end of a link.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               credits, 1..65535
//   COUNT_W         bits of their number; derived, never overridden
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_i           1            reset, synchronous, active high: all N credits are there
//   take_i          1            a credit is taken; without one, nothing happens
//   give_i          1            a credit comes back; beyond N, it is dropped
//   any_o           1            a credit is there
//   count_o         COUNT_W      so many are
//
// Timing
//   Outputs depend on state alone; a credit that comes back can be taken in the next cycle.

`default_nettype none

module credit_counter #(
    parameter integer N       = 4,
    parameter integer COUNT_W = $clog2(N + 1)
) (
    input  wire               clk,
    input  wire               rst_i,
    input  wire               take_i,
    input  wire               give_i,
    output wire               any_o,
    output wire [COUNT_W-1:0] count_o
);

    generate
        if (N < 1 || N > 65535 || COUNT_W != $clog2(N + 1)) begin : g_check
            credit_counter_needs_N_1_to_65535 u_stop ();
        end
    endgenerate

    localparam [COUNT_W-1:0] ALL = N[COUNT_W-1:0];
    localparam [COUNT_W-1:0] ONE = 1;

    reg [COUNT_W-1:0] count_q;
    reg [COUNT_W-1:0] count_d;

    wire taken = take_i && any_o;
    wire given = give_i && (taken || count_q != ALL);

    always @* begin : p_count
        count_d = count_q;

        if (taken && !given) count_d = count_q - ONE;
        if (given && !taken) count_d = count_q + ONE;
    end

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            count_q <= ALL;
        end else begin
            count_q <= count_d;
        end
    end

    assign any_o   = count_q != {COUNT_W{1'b0}};
    assign count_o = count_q;

    // ---- Formal ------------------------------------------------------------
    // Beside it, the credits that are out.

`ifdef FORMAL
    reg     f_started = 1'b0;  // at least one rising edge has passed
    integer f_out;
    always @* if (!f_started) assume (rst_i);
    always @(posedge clk) begin
        f_started <= 1'b1;
        f_out     <= rst_i ? 0 : f_out + (take_i && count_o > 0)
                                 - (give_i && (f_out > 0 || (take_i && count_o > 0)));
        if (f_started) begin
            a_sum  : assert (f_out >= 0 && f_out <= N && count_o == N - f_out);
            a_any  : assert (any_o == (f_out < N));
            if ($past(rst_i))
                a_reset : assert (count_o == N);
            c_none : cover (!any_o);
            c_back : cover ($past(!any_o) && count_o == N);
            c_swap : cover (take_i && give_i && any_o && !$past(any_o));
        end
    end
`endif

endmodule

`default_nettype wire
