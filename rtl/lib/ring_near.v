// ring_near - the places before and behind a place of a ring.
//
// Purpose
//   Who keeps an array as a ring, with numbers of places that go round at its end.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//   PLACE_W         bits of a place's number; derived, never overridden
//
// Ports             width        meaning
//   place_i         PLACE_W      a place
//   before_o        PLACE_W      the one before it
//   behind_o        PLACE_W      the one behind it
//
// Timing
//   Combinational.

`default_nettype none

module ring_near #(
    parameter integer N       = 128,
    parameter integer PLACE_W = (N > 1) ? $clog2(N) : 1
) (
    input  wire [PLACE_W-1:0] place_i,
    output wire [PLACE_W-1:0] before_o,
    output wire [PLACE_W-1:0] behind_o
);

    generate
        if (N < 1 || N > 1024 || PLACE_W != ((N > 1) ? $clog2(N) : 1)) begin : g_check
            ring_near_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    localparam [PLACE_W-1:0] PLACE_1 = 1;

    generate
        if (N == (1 << PLACE_W)) begin : g_whole
            assign before_o = place_i - PLACE_1;
            assign behind_o = place_i + PLACE_1;
        end else begin : g_wrap
            localparam [31:0]        PLACES = N - 1;
            localparam [PLACE_W-1:0] FIRST  = 0;
            localparam [PLACE_W-1:0] LAST   = PLACES[PLACE_W-1:0];
            assign before_o = place_i == FIRST ? LAST : place_i - PLACE_1;
            assign behind_o = place_i == LAST ? FIRST : place_i + PLACE_1;
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    always @* begin
        assume (place_i < N);
        a_before : assert (before_o == (place_i + N - 1) % N);
        a_behind : assert (behind_o == (place_i + 1) % N);
        c_first  : cover (place_i == 0 && before_o == N - 1);
        c_last   : cover (place_i == N - 1 && behind_o == 0);
    end
`endif

endmodule

`default_nettype wire
