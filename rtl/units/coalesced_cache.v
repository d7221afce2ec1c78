// coalesced_cache - the lines that several SMs of a cluster asked for at once, kept for those
// that ask a little later.
//
// Purpose
//   Tags and replacement order of a fully associative cache. A line that came for more than
//   one SM is inserted; a request of the cluster that finds its line here is answered
//   without the network. The data array, N_LINE x 128 bytes, is storage outside, which
//   lookup_way_o and insert_way_o address.
//
//                   a lane a way
//                  +--------------------------+
//   lookup_*_i --->|(=) tag_q valid_q place_q |-> lookup_hit_o, lookup_way_o
//                  |     ^     ^        |     |
//                  |     '-----+-- end -'     |   place 0: kept longest, the front
//   insert_*_i --->|(=) own, or the end       |-> insert_way_o
//                  +--------------------------+
//
//   Who is before whom, and who is at the end, is found from places alone, while the tags are
//   searched. What is found then says which ways pass which, and each place goes up or down.
//
// Parameters, outside of whose ranges it does not elaborate
//   N_LINE         lines, 1..64
//   LINE_W         bits of a line's address, 1..45
//   WAY_W          bits of a way's number; derived, never overridden
//
// Ports            width        meaning
//   clk            1            clock, rising edge
//   rst_i          1            reset, synchronous, active high
//   lookup_valid_i 1            a request is at the cluster's port
//   lookup_line_i  LINE_W       its line
//   lookup_write_i 1            it writes, or is an atomic: a line that is here goes
//   lookup_hit_o   1            the line is here, for a read
//   lookup_way_o   WAY_W        in this way of the data array; 0 without lookup_hit
//   insert_valid_i 1            a line that more than one SM asked for has come
//   insert_line_i  LINE_W       its address
//   insert_way_o   WAY_W        where its data go; 0 without insert_valid
//   fifo_i         1            the line that came first goes first, whatever was read since
//   flush_i        1            a kernel starts: all lines go
//
// Paths from inputs to outputs in one cycle; every other output depends on state alone
//   lookup_hit_o   lookup_valid_i, lookup_line_i, lookup_write_i
//   lookup_way_o   lookup_valid_i, lookup_line_i, lookup_write_i
//   insert_way_o   lookup_valid_i, lookup_line_i, lookup_write_i, insert_valid_i, insert_line_i, fifo_i
//
// Timing
//   Throughput  one lookup and one insert a cycle, both answered in the same cycle; what
//               they do shows in the next.
//
// Contract
//   The unit has the tags and their order. The data array, n_line x 128 bytes, is storage outside that lookup_way and
//   insert_way address.
//
//   Order      a permutation of the ways at all times, with the invalid ways at its end. A move takes a way from its
//              place; those before that place move up by one, to make room at the front, or those behind it move
//              forward, to make room at the end.
//   Lookup     a read whose line is in a valid way hits; with LRU the way moves to the front. A write whose line is
//              here makes the way invalid, and moves it to the end.
//   Insert     the way at the end of the order after the lookup gets the line, becomes valid, and moves to the front.
//              If the line is here already, which whoever inserts should prevent, its own way is used instead.
//   Both       the lookup comes first. A lookup before an insert of the same line misses. With n_line = 1 a line may
//              hit and be replaced in one cycle.
//   Flush      makes all ways invalid at the clock edge, also one that was inserted in its cycle; the order is what
//              lookup and insert made it.
//   Promise    a line is in at most one way; after a write it is in none until it is inserted again.
//
// Reset
//   No way is valid, and the order is 0, 1, 2, ... The tags keep what they hold. Outputs do not depend on rst_i, and
//   nothing is taken while it is high.
//
// Twin     coalesced_cache.c: equal outputs, registers and tags in every cycle after the
//          first reset edge; of the tags, those written since.
//
// Source
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU NoC Pressure", IEEE
//   Transactions on Computers 2019, section 6.3: 24 lines, 41 bits of tag and 128 bytes each, 3195 bytes.
//
// Deviations
//   - The paper does not specify the replacement. Built: LRU, as in the L1s and the L2, or FIFO.
//   - The paper does not speak of writes, atomics and the starts of kernels. Built: they make lines invalid, so no
//     read is answered with what is older than a write of its cluster.

`default_nettype none

module coalesced_cache #(
    parameter integer N_LINE = 24,
    parameter integer LINE_W = 41,
    parameter integer WAY_W  = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
    input  wire              clk,
    input  wire              rst_i,

    input  wire              lookup_valid_i,
    input  wire [LINE_W-1:0] lookup_line_i,
    input  wire              lookup_write_i,
    output wire              lookup_hit_o,
    output wire [WAY_W-1:0]  lookup_way_o,

    input  wire              insert_valid_i,
    input  wire [LINE_W-1:0] insert_line_i,
    output wire [WAY_W-1:0]  insert_way_o,

    input  wire              fifo_i,
    input  wire              flush_i
`ifdef FORMAL
    // What the proof of a composition sees of it; above that, a 1.
    , output wire [1023:0]   f_view_o
`endif
);

    // ---- Parameter check ---------------------------------------------------
    // Verilog-2005 has no elaboration-time error, so a bad value instantiates a
    // module that does not exist; its name is the message.

    generate
        if (N_LINE < 1 || N_LINE > 64 || LINE_W < 1 || LINE_W > 45
            || WAY_W != ((N_LINE > 1) ? $clog2(N_LINE) : 1)) begin : g_check
            coalesced_cache_needs_N_LINE_1_to_64_LINE_W_1_to_45
                u_stop ();
        end
    endgenerate

    // ---- State -------------------------------------------------------------

    reg [N_LINE-1:0] valid_q;               // bit w: way w holds a line
    reg [N_LINE-1:0] valid_d;
    (* mem2reg *)                           // registers, of which all are read
    reg [WAY_W-1:0]  place_q [0:N_LINE-1];  // of each way: its place; 0 is kept longest
    (* mem2reg *)
    reg [LINE_W-1:0] tag_q   [0:N_LINE-1];  // of each way: its line's address

    // The same in one vector each, way 0 lowest.
    wire [N_LINE*WAY_W-1:0]  places;
    wire [N_LINE*LINE_W-1:0] tags;

    genvar g;
    generate
        for (g = 0; g < N_LINE; g = g + 1) begin : g_way
            assign places[g*WAY_W +: WAY_W] = place_q[g];
            assign tags[g*LINE_W +: LINE_W] = tag_q[g];
        end
    endgenerate

    // ---- Search ------------------------------------------------------------

    // Bit w: way w is valid, and has the line.
    wire [N_LINE-1:0] lookup_match;
    wire [N_LINE-1:0] insert_match;

    cam #(
        .N     (N_LINE),
        .KEY_W (LINE_W)
    ) u_search (
        .keys_i   (tags),
        .valid_i  (valid_q),
        .first_i  (lookup_line_i),
        .second_i (insert_line_i),
        .first_o  (lookup_match),
        .second_o (insert_match)
    );

    // ---- Lookup ------------------------------------------------------------

    wire read = lookup_valid_i && !lookup_write_i;
    wire kill = lookup_valid_i && lookup_write_i;
    wire used = read && !fifo_i;
    wire [N_LINE-1:0] gone = lookup_match & {N_LINE{kill}};

    line_number #(
        .N (N_LINE)
    ) u_lookup_way (
        .line_i   (lookup_match & {N_LINE{read}}),
        .number_o (lookup_way_o)
    );

    assign lookup_hit_o = read && lookup_match != {N_LINE{1'b0}};

    // ---- Insert ------------------------------------------------------------
    // A line that goes in this cycle has left its own way at the end, so either will do.

    wire [N_LINE-1:0]       filled;
    wire [N_LINE-1:0]       replaced;  // a line's own way has its tag already
    wire [N_LINE*WAY_W-1:0] places_d;

    lru_places #(
        .N (N_LINE)
    ) u_order (
        .places_i   (places),
        .looked_i   (lookup_match),
        .front_i    (used),
        .end_i      (kill),
        .insert_i   (insert_valid_i),
        .own_i      (insert_match),
        .filled_o   (filled),
        .replaced_o (replaced),
        .places_o   (places_d)
    );

    line_number #(
        .N (N_LINE)
    ) u_insert_way (
        .line_i   (filled),
        .number_o (insert_way_o)
    );

    always @* begin : p_valid
        valid_d = (valid_q & ~gone) | filled;

        if (flush_i) valid_d = {N_LINE{1'b0}};
    end

    // ---- Clocked -----------------------------------------------------------

    generate
        for (g = 0; g < N_LINE; g = g + 1) begin : g_clocked
            // Each tag has its own enable: it is a register that is always compared.
            always @(posedge clk) begin
                if (!rst_i && replaced[g]) tag_q[g] <= insert_line_i;
            end

            always @(posedge clk) begin
                if (rst_i) begin
                    place_q[g] <= g[WAY_W-1:0];
                end else begin
                    place_q[g] <= places_d[g*WAY_W +: WAY_W];
                end
            end
        end
    endgenerate

    always @(posedge clk) begin : p_state
        if (rst_i) begin
            valid_q <= {N_LINE{1'b0}};
        end else begin
            valid_q <= valid_d;
        end
    end

    // ---- Formal ------------------------------------------------------------
    // Its properties, proved by induction, are in rtl/formal/coalesced_cache_properties.v.

`ifdef FORMAL
    assign f_view_o = {1'b1, rst_i, lookup_valid_i, lookup_line_i, lookup_write_i, lookup_hit_o,
                       lookup_way_o, insert_valid_i, insert_line_i, insert_way_o, fifo_i, flush_i,
                       valid_q, places, tags};

    coalesced_cache_properties #(
        .N_LINE (N_LINE),
        .LINE_W (LINE_W)
    ) f_properties (.*);
`endif

endmodule

`default_nettype wire
