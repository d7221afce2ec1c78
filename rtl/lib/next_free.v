// next_free - the lowest place that is free, known a cycle ahead.
//
// Purpose
//   A table that keeps the line of its lowest free place in a register need not search when it takes that
//   place. This is the register's next value: it stays, or the second takes its place if it is taken;
//   but for a place below, that is freed. take_i and freed_i come late, and pass few gates.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               places, 1..1024
//
// Ports             width        meaning
//   used_i          N            the places in use
//   lowest_i        N            the lowest of the others, a line; none if there is none
//   take_i          1            that one is taken
//   freed_i         N            this one, of those in use, is freed; one bit, or none
//   lowest_o        N            the lowest that is free after both
//
// Timing
//   Combinational; the register is the unit's.

`default_nettype none

module next_free #(
    parameter integer N = 16
) (
    input  wire [N-1:0] used_i,
    input  wire [N-1:0] lowest_i,
    input  wire         take_i,
    input  wire [N-1:0] freed_i,
    output wire [N-1:0] lowest_o
);

    generate
        if (N < 1 || N > 1024) begin : g_check
            next_free_needs_N_1_to_1024 u_stop ();
        end
    endgenerate

    wire [N-1:0] others = ~used_i & ~lowest_i;  // free, but not the lowest
    wire [N-1:0] from_lowest;                   // all places from the lowest free one on
    wire [N-1:0] from_second;                   // and from the second

    prefix_or #(
        .N (N)
    ) u_from_lowest (
        .set_i  (lowest_i),
        .upto_o (from_lowest)
    );

    prefix_or #(
        .N (N)
    ) u_from_second (
        .set_i  (others),
        .upto_o (from_second)
    );

    wire [N-1:0] second       = others & ~(from_second << 1);
    wire         below_lowest = (freed_i & ~from_lowest) != {N{1'b0}};
    wire         below_second = (freed_i & ~from_second) != {N{1'b0}};

    assign lowest_o = take_i ? (below_second ? freed_i : second)
                             : (below_lowest ? freed_i : lowest_i);

    // ---- Formal ------------------------------------------------------------

`ifdef FORMAL
    localparam [N-1:0] F_ONE = 1;
    wire [N-1:0] f_used = (used_i | (lowest_i & {N{take_i}})) & ~freed_i;
    always @* begin
        assume (lowest_i == (~used_i & (used_i + F_ONE)));
        assume ((freed_i & ~used_i) == 0 && (freed_i & (freed_i - F_ONE)) == 0);
        a_lowest : assert (lowest_o == (~f_used & (f_used + F_ONE)));
        c_below  : cover (take_i && freed_i != 0 && lowest_o == freed_i);
        c_none   : cover (lowest_o == 0 && take_i);
    end
`endif

endmodule

`default_nettype wire
