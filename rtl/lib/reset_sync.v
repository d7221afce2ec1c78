// reset_sync - the reset of the units, from an active-low reset of either style.
//
// Purpose
//   Units and parts have a synchronous reset, rst_i, active high. A chip often has an active-low one that is asserted
//   whenever it likes. This makes the one of the other, once for all units of a clock.
//
// Parameters, outside of whose ranges it does not elaborate
//   ASYNC           0: rst_ni is synchronous to clk; 1: it is not
//   STAGES          with ASYNC = 1: flip-flops in a row, 2..4
//
// Ports             width        meaning
//   clk             1            clock, rising edge
//   rst_ni          1            reset, active low
//   rst_o           1            reset for units, active high; comes from a flip-flop
//
// Timing
//   ASYNC = 0  rst_o is rst_ni of the cycle before, inverted.
//   ASYNC = 1  rst_o rises with the falling edge of rst_ni, with or without a clock. After rst_ni has risen, units take
//              STAGES more clock edges with rst_o high; the last of these edges lets it fall. So a pulse of rst_ni that no
//              clock edge meets resets the units too. The first flip-flop may become metastable when rst_ni rises near a
//              clock edge; it has STAGES - 1 cycles to settle.

`default_nettype none

module reset_sync #(
    parameter integer ASYNC  = 0,
    parameter integer STAGES = 2
) (
    input  wire clk,
    input  wire rst_ni,
    output wire rst_o
);

    generate
        if (ASYNC < 0 || ASYNC > 1 || STAGES < 2 || STAGES > 4) begin : g_check
            reset_sync_needs_ASYNC_0_to_1_STAGES_2_to_4 u_stop ();
        end
    endgenerate

    generate
        if (ASYNC == 0) begin : g_sync
            reg held_q;

            always @(posedge clk) held_q <= !rst_ni;

            assign rst_o = held_q;
        end else begin : g_async
            reg [STAGES-1:0] held_q;

            always @(posedge clk or negedge rst_ni) begin : p_held
                if (!rst_ni) begin
                    held_q <= {STAGES{1'b1}};
                end else begin
                    held_q <= {held_q[STAGES-2:0], 1'b0};
                end
            end

            assign rst_o = held_q[STAGES-1];
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------
    // In cycles; what happens between clock edges is simulated (tb/package/reset_bench.v).

`ifdef FORMAL
    reg [STAGES:1] f_known = {STAGES{1'b0}};  // bit k: k edges at least have passed
    reg [STAGES:1] f_past_n;                  // bit k: rst_ni, k cycles ago
    reg            f_seen = 1'b0;             // there has been a reset
    always @(posedge clk) begin
        f_known  <= {f_known[STAGES-1:1], 1'b1};
        f_past_n <= {f_past_n[STAGES-1:1], rst_ni};
        f_seen   <= f_seen || !rst_ni;
    end
    always @* begin
        if (ASYNC == 0) begin
            if (f_known[1]) a_sync : assert (rst_o == !f_past_n[1]);
        end else begin
            if (!rst_ni) a_at_once : assert (rst_o);
            if (f_known[1] && !f_past_n[1]) a_one_edge : assert (rst_o);
            if (f_known[STAGES]) a_async : assert (rst_o == !(rst_ni && &f_past_n));
        end
        c_released : cover (f_seen && rst_ni && !rst_o);
        c_pulse    : cover (f_known[2] && rst_ni && !f_past_n[1] && f_past_n[2]);
    end
`endif

endmodule

`default_nettype wire
