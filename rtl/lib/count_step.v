// count_step - a counter's next value, of which is known late whether it counts up or down.
//
// Purpose
//   An adder that waits for what it adds has its whole carry behind that. Here both carries are of
//   the value alone, and up and down only say which of them turns bits over.
//
// Parameters, outside of whose ranges it does not elaborate
//   W          bits, 1..64
//
// Ports        width  meaning
//   count_i    W      a value
//   up_i       1      one more,
//   down_i     1      one less; with both, or none, as many
//   count_o    W      the next value, which wraps
//
// Timing
//   Combinational.

`default_nettype none

module count_step #(
    parameter integer W = 16
) (
    input  wire [W-1:0] count_i,
    input  wire         up_i,
    input  wire         down_i,
    output wire [W-1:0] count_o
);

    generate
        if (W < 1 || W > 64) begin : g_check
            count_step_needs_W_1_to_64 u_stop ();
        end
    endgenerate

    // A bit turns over when all below it are 1, or 0 on the way down.
    wire [W-1:0] zero_upto, one_upto;
    prefix_or #(.N(W)) u_zero (.set_i(~count_i), .upto_o(zero_upto));
    prefix_or #(.N(W)) u_one (.set_i(count_i), .upto_o(one_upto));
    wire [W-1:0] carries = ~(zero_upto << 1);
    wire [W-1:0] borrows = ~(one_upto << 1);

    // With one bit, more and less are the same.
    wire more = up_i && !down_i;
    wire less = down_i && !up_i;
    assign count_o = more ? count_i ^ carries : less ? count_i ^ borrows : count_i;

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    localparam [W-1:0] F_ONE = 1;
    always @* begin
        a_up     : assert (!(up_i && !down_i) || count_o == count_i + F_ONE);
        a_down   : assert (!(down_i && !up_i) || count_o == count_i - F_ONE);
        a_stays  : assert (up_i != down_i || count_o == count_i);
        c_wraps  : cover (up_i && count_i != 0 && count_o == 0);
        c_floor  : cover (down_i && count_i == 0 && count_o != 0);
    end
`endif

endmodule

`default_nettype wire
