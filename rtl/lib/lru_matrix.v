// lru_matrix - the order of ways as a matrix: what a use makes of it, and who is last.
//
// Purpose
//   Bit (i, j) with i < j: way i is before way j. So the order is N*(N-1)/2 bits, and a way moves to the
//   front or to the end in one level of gates, whatever its place. The register is the unit's.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               ways, 1..64
//
// Ports             width        meaning
//   before_i        N*N          bit i*N+j with i < j: way i is before way j; the others are not
//                                read
//   front_i         N            these ways go to the front: one bit, or none
//   end_i           N            these ways go to the end: one bit, or none; not those of front_i
//   before_o        N*N          the order after that; the bits that are not read are 0
//   last_o          N            the last way of before_i, a line
//   next_o          N            the last but one, a line; none if there is one way
//
// Timing
//   Combinational; last_o and next_o do not wait for the moves.
//
// Contract
//   before_i is an order: for each two ways one is before the other, and never in a circle. All
//   ones (way 0 first) is one; what comes out of an order is one.

`default_nettype none

module lru_matrix #(
    parameter integer N = 8
) (
    // verilator lint_off UNUSEDSIGNAL
    input  wire [N*N-1:0] before_i,  // half of it is read
    input  wire [N-1:0]   front_i,   // a single way does not move
    input  wire [N-1:0]   end_i,
    // verilator lint_on UNUSEDSIGNAL
    output wire [N*N-1:0] before_o,
    output wire [N-1:0]   last_o,
    output wire [N-1:0]   next_o
);

    generate
        if (N < 1 || N > 64) begin : g_check
            lru_matrix_needs_N_1_to_64 u_stop ();
        end
    endgenerate

    genvar g;
    genvar h;
    generate
        for (g = 0; g < N; g = g + 1) begin : g_way
            wire [N-1:0] behind;  // the ways that this one is before

            for (h = 0; h < N; h = h + 1) begin : g_other
                if (g < h) begin : g_kept
                    assign behind[h] = before_i[g*N+h];
                    assign before_o[g*N+h] = (before_i[g*N+h] || front_i[g] || end_i[h])
                                             && !front_i[h] && !end_i[g];
                end else begin : g_mirrored
                    assign behind[h] = g != h && !before_i[h*N+g];
                    assign before_o[g*N+h] = 1'b0;
                end
            end

            assign last_o[g] = behind == {N{1'b0}};
            assign next_o[g] = (behind & ~last_o) == {N{1'b0}} && !last_o[g];
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------
    // f_one, f_two: any two ways, and what the matrix says about them.

`ifdef FORMAL
    function f_is_before;
        input [N*N-1:0] order;
        input integer   one;
        input integer   other;
        f_is_before = (one < other) ? order[one*N+other] : one != other && !order[other*N+one];
    endfunction

    // The order given by places: each way has its own, so it is any order.
    (* anyconst *) reg [N*8-1:0] f_places;
    (* anyconst *) integer       f_one;
    (* anyconst *) integer       f_two;
    integer f_j;
    integer f_k;
    always @* begin
        assume (f_one >= 0 && f_one < N && f_two >= 0 && f_two < N);
        for (f_k = 0; f_k < N; f_k = f_k + 1) begin
            assume (f_places[f_k*8 +: 8] < N);
            for (f_j = 0; f_j < f_k; f_j = f_j + 1) begin
                assume (f_places[f_j*8 +: 8] != f_places[f_k*8 +: 8]);
                assume (before_i[f_j*N+f_k] == (f_places[f_j*8 +: 8] < f_places[f_k*8 +: 8]));
            end
        end
        assume ((front_i & (front_i - 1'b1)) == 0 && (end_i & (end_i - 1'b1)) == 0);
        assume ((front_i & end_i) == 0);

        a_last : assert (last_o[f_one] == (f_places[f_one*8 +: 8] == N - 1));
        a_next : assert (next_o[f_one] == (N > 1 && f_places[f_one*8 +: 8] == N - 2));
        if (f_one != f_two) begin
            if (front_i[f_one])
                a_front : assert (f_is_before(before_o, f_one, f_two));
            if (end_i[f_one])
                a_end   : assert (f_is_before(before_o, f_two, f_one));
            if (!front_i[f_one] && !front_i[f_two] && !end_i[f_one] && !end_i[f_two])
                a_kept  : assert (f_is_before(before_o, f_one, f_two)
                                  == f_is_before(before_i, f_one, f_two));
        end
        a_zero : assert (f_two > f_one || !before_o[f_one*N+f_two]);
        c_last : cover (last_o[N-1] && front_i == last_o);
        c_ends : cover (N == 1 || end_i[0] && last_o[N-1]);
    end
`endif

endmodule

`default_nettype wire
