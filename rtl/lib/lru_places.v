// lru_places - the order of ways as a place for each: a look-up and an insert in one cycle.
//
// Purpose
//   Place 0 is the front, which is kept longest; the way at the end goes next. Who is before whom comes from the
//   places alone, beside the search for the ways that move. What is found then says which ways pass
//   which, and each place goes up or down by one for each way that passes. log2(N) bits a way are kept;
//   lru_matrix keeps N - 1 bits for each two ways, and compares nothing.
//
// Parameters, outside of whose ranges it does not elaborate
//   N               ways, 1..64
//   PLACE_W         bits of a place; derived, never overridden
//
// Ports             width        meaning
//   places_i        N*PLACE_W    of each way its place, all different; way 0 lowest
//   looked_i        N            the way that is looked up: one bit, or none
//   front_i         1            it moves to the front
//   end_i           1            it moves to the end; not with front_i
//   insert_i        1            then a way is filled, and moves to the front
//   own_i           N            this way, one bit; if none, that at the end. If it has just moved to
//                                the end, it is that
//   filled_o        N            the way that is filled; none without insert_i
//   replaced_o      N            the same, but none if it is own_i: what it holds is replaced
//   places_o        N*PLACE_W    the places after that
//
// Timing
//   Combinational; insert_i comes late, and passes few gates. The register is the unit's.

`default_nettype none

module lru_places #(
    parameter integer N       = 8,
    parameter integer PLACE_W = (N > 1) ? $clog2(N) : 1
) (
    input  wire [N*PLACE_W-1:0] places_i,
    input  wire [N-1:0]         looked_i,
    input  wire                 front_i,
    input  wire                 end_i,
    input  wire                 insert_i,
    input  wire [N-1:0]         own_i,
    output wire [N-1:0]         filled_o,
    output wire [N-1:0]         replaced_o,
    output reg  [N*PLACE_W-1:0] places_o
);

    generate
        if (N < 1 || N > 64 || PLACE_W != ((N > 1) ? $clog2(N) : 1)) begin : g_check
            lru_places_needs_N_1_to_64 u_stop ();
        end
    endgenerate

    // ---- From places alone -------------------------------------------------

    localparam integer LAST = N - 1;
    localparam integer NEXT = (N > 1) ? N - 2 : 0;

    reg  [N*N-1:0] ahead;  // bit v*N+w: way w is before way v
    wire [N-1:0]   last;   // the way at the end
    wire [N-1:0]   next;   // and the one before it

    // In one process, as a simulator then runs it once for all places that change.
    integer v;
    integer w;
    reg     lower;
    always @* begin : p_ahead
        ahead = {N*N{1'b0}};
        lower = 1'b0;
        for (v = 0; v < N; v = v + 1) begin
            for (w = 0; w < v; w = w + 1) begin
                lower = places_i[w*PLACE_W +: PLACE_W] < places_i[v*PLACE_W +: PLACE_W];
                ahead[v*N+w] = lower;
                ahead[w*N+v] = !lower;
            end
        end
    end

    genvar g;
    generate
        for (g = 0; g < N; g = g + 1) begin : g_way
            assign last[g] = places_i[g*PLACE_W +: PLACE_W] == LAST[PLACE_W-1:0];
            assign next[g] = places_i[g*PLACE_W +: PLACE_W] == NEXT[PLACE_W-1:0];
        end
    endgenerate

    // The ways before the one that is looked up, and before the own one.
    wire [N-1:0] before_looked;
    wire [N-1:0] before_own;

    select_line #(
        .N (N),
        .W (N)
    ) u_before_looked (
        .words_i (ahead),
        .line_i  (looked_i),
        .word_o  (before_looked)
    );

    select_line #(
        .N (N),
        .W (N)
    ) u_before_own (
        .words_i (ahead),
        .line_i  (own_i),
        .word_o  (before_own)
    );

    // ---- Who is filled -----------------------------------------------------
    // The way that has gone, or the one before the end, if that at the end is looked up.

    wire [N-1:0] to_front = looked_i & {N{front_i}};
    wire [N-1:0] to_end   = looked_i & {N{end_i}};
    wire         gone     = end_i && looked_i != {N{1'b0}};
    wire         saved    = N > 1 && (to_front & last) != {N{1'b0}};
    wire         own      = own_i != {N{1'b0}};
    wire [N-1:0] at_end   = to_end | (next & {N{saved}}) | (last & {N{!gone && !saved}});

    assign replaced_o = at_end & {N{insert_i && !own}};
    assign filled_o   = replaced_o | (own_i & {N{insert_i}});

    // ---- Who passes --------------------------------------------------------
    // What is filled passes all ways but those behind its own place; if that has just been
    // looked up, it is at the front; if it has just gone, at the end.

    wire         stays  = (own_i & ~to_end) != {N{1'b0}};
    wire         fronts = (own_i & to_front) != {N{1'b0}};
    wire [N-1:0] behind = {N{!stays}} | (before_own & {N{!fronts}});
    wire [N-1:0] passed = behind & {N{insert_i}};
    wire [N-1:0] pushed = before_looked & {N{front_i}};
    wire [N-1:0] pulled = ~before_looked & {N{gone}};

    localparam [PLACE_W-1:0] ONE = 1;
    localparam [PLACE_W-1:0] TWO = ONE + ONE;

    integer k;
    always @* begin : p_move
        places_o = places_i;
        for (k = 0; k < N; k = k + 1) begin
            if (filled_o[k]) places_o[k*PLACE_W +: PLACE_W] = {PLACE_W{1'b0}};
            else if (to_front[k]) places_o[k*PLACE_W +: PLACE_W] = ONE & {PLACE_W{insert_i}};
            else if (to_end[k]) places_o[k*PLACE_W +: PLACE_W] = LAST[PLACE_W-1:0];
            else if (pushed[k] && passed[k])
                places_o[k*PLACE_W +: PLACE_W] = places_i[k*PLACE_W +: PLACE_W] + TWO;
            else if ((pushed[k] || passed[k]) && !pulled[k])
                places_o[k*PLACE_W +: PLACE_W] = places_i[k*PLACE_W +: PLACE_W] + ONE;
            else if (pulled[k] && !passed[k])
                places_o[k*PLACE_W +: PLACE_W] = places_i[k*PLACE_W +: PLACE_W] - ONE;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Against the two moves one after the other, a way at a time.

`ifdef FORMAL
    localparam [N-1:0] F_ONE = 1;
    integer     f_k;
    integer     f_j;
    integer     f_looked;        // the place that is looked up, -1 if none
    (* mem2reg *)
    integer     f_moved [0:N-1]; // places after the first move
    integer     f_own;           // then, that of the own way; the last if there is none
    reg [N-1:0] f_filled;
    reg         f_right;
    always @* begin
        assume ((looked_i & (looked_i - F_ONE)) == 0 && (own_i & (own_i - F_ONE)) == 0);
        assume (!front_i || !end_i);
        f_looked = -1;
        for (f_k = 0; f_k < N; f_k = f_k + 1) begin
            assume (places_i[f_k*PLACE_W +: PLACE_W] < N);
            for (f_j = 0; f_j < f_k; f_j = f_j + 1)
                assume (places_i[f_j*PLACE_W +: PLACE_W] != places_i[f_k*PLACE_W +: PLACE_W]);
            if (looked_i[f_k] && (front_i || end_i)) f_looked = places_i[f_k*PLACE_W +: PLACE_W];
        end
        f_own = N - 1;
        for (f_k = 0; f_k < N; f_k = f_k + 1) begin
            f_moved[f_k] = places_i[f_k*PLACE_W +: PLACE_W];
            if (f_looked >= 0) begin
                if (f_moved[f_k] == f_looked) f_moved[f_k] = front_i ? 0 : N - 1;
                else if (front_i && f_moved[f_k] < f_looked) f_moved[f_k] = f_moved[f_k] + 1;
                else if (end_i && f_moved[f_k] > f_looked) f_moved[f_k] = f_moved[f_k] - 1;
            end
            if (own_i[f_k]) f_own = f_moved[f_k];
        end
        f_right = 1'b1;
        for (f_k = 0; f_k < N; f_k = f_k + 1) begin
            f_filled[f_k] = insert_i && f_moved[f_k] == f_own;
            if (insert_i && f_moved[f_k] == f_own) f_moved[f_k] = 0;
            else if (insert_i && f_moved[f_k] < f_own) f_moved[f_k] = f_moved[f_k] + 1;
            if (places_o[f_k*PLACE_W +: PLACE_W] != f_moved[f_k]) f_right = 1'b0;
        end
        a_filled   : assert (filled_o == f_filled);
        a_replaced : assert (replaced_o == ((own_i != 0) ? 0 : f_filled));
        a_places : assert (f_right);
        c_saved  : cover (N == 1 || (insert_i && front_i && (looked_i & last) != 0 && own_i == 0));
        c_gone   : cover (insert_i && end_i && looked_i != 0 && (N == 1 || looked_i != own_i));
    end
`endif

endmodule

`default_nettype wire
