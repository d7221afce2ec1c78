// cam - entries searched for two keys at once.
//
// Purpose
//   The comparators of a fully associative table with two ports: each entry is compared with both keys. The
//   entries are the unit's registers.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               entries, 1..1024
//   KEY_W           bits of a key, 1..64
//
// Ports             width        meaning
//   keys_i          N*KEY_W      of each entry, its key; entry 0 lowest
//   valid_i         N            bit e: entry e has one
//   first_i         KEY_W        a key that is looked for
//   second_i        KEY_W        and another one
//   first_o         N            bit e: entry e is valid, and its key is first_i
//   second_o        N            the same for second_i
//
// Timing
//   Combinational.

`default_nettype none

module cam #(
    parameter integer N     = 16,
    parameter integer KEY_W = 8
) (
    input  wire [N*KEY_W-1:0] keys_i,
    input  wire [N-1:0]       valid_i,
    input  wire [KEY_W-1:0]   first_i,
    input  wire [KEY_W-1:0]   second_i,
    output wire [N-1:0]       first_o,
    output wire [N-1:0]       second_o
);

    generate
        if (N < 1 || N > 1024 || KEY_W < 1 || KEY_W > 64) begin : g_check
            cam_needs_N_1_to_1024_KEY_W_1_to_64 u_stop ();
        end
    endgenerate

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : g_entry
            wire [KEY_W-1:0] key = keys_i[g*KEY_W +: KEY_W];
            assign first_o[g]  = valid_i[g] && key == first_i;
            assign second_o[g] = valid_i[g] && key == second_i;
        end
    endgenerate

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    (* anyconst *) integer f_entry;
    reg [KEY_W-1:0] f_key;
    always @* begin
        assume (f_entry >= 0 && f_entry < N);
        f_key = keys_i >> (f_entry * KEY_W);
        if (first_o[f_entry])
            a_first  : assert (valid_i[f_entry] && f_key == first_i);
        if (second_o[f_entry])
            a_second : assert (valid_i[f_entry] && f_key == second_i);
        if (!first_o[f_entry])
            a_not_first  : assert (!valid_i[f_entry] || (f_key ^ first_i) != 0);
        if (!second_o[f_entry])
            a_not_second : assert (!valid_i[f_entry] || (f_key ^ second_i) != 0);
        c_both : cover (first_o[f_entry] && second_o[f_entry]);
    end
`endif

endmodule

`default_nettype wire
