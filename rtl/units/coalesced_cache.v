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
//   insert_way_o   lookup_valid_i, lookup_line_i, lookup_write_i, insert_valid_i,
//                  insert_line_i, fifo_i
//
// Timing
//   Throughput  one lookup and one insert a cycle, both answered in the same cycle; what
//               they do shows in the next.
//
// Contract
//   The unit has the tags and their order. The data array, n_line x 128 bytes, is storage
//   outside that lookup_way and insert_way address.
//
//   Order      a permutation of the ways at all times, with the invalid ways at its end. A
//              move takes a way from its place; those before that place move up by one, to
//              make room at the front, or those behind it move forward, to make room at the
//              end.
//   Lookup     a read whose line is in a valid way hits; with LRU the way moves to the front.
//              A write whose line is here makes the way invalid, and moves it to the end.
//   Insert     the way at the end of the order after the lookup gets the line, becomes valid,
//              and moves to the front. If the line is here already, which whoever inserts
//              should prevent, its own way is used instead.
//   Both       the lookup comes first. A lookup before an insert of the same line misses. With
//              n_line = 1 a line may hit and be replaced in one cycle.
//   Flush      makes all ways invalid at the clock edge, also one that was inserted in its
//              cycle; the order is what lookup and insert made it.
//   Promise    a line is in at most one way; after a write it is in none until it is inserted
//              again.
//
// Reset
//   No way is valid, and the order is 0, 1, 2, ... The tags keep what they hold. Outputs do
//   not depend on rst_i, and nothing is taken while it is high.
//
// Twin     coalesced_cache.c: equal outputs, registers and tags in every cycle after the
//          first reset edge; of the tags, those written since.
//
// Source
//   Wang and others, "Intra-Cluster Coalescing and Distributed-Block Scheduling to Reduce GPU
//   NoC Pressure", IEEE Transactions on Computers 2019, section 6.3: 24 lines, 41 bits of tag
//   and 128 bytes each, 3195 bytes.
//
// Deviations
//   - The paper does not specify the replacement. Built: LRU, as in the L1s and the L2, or
//     FIFO.
//   - The paper does not speak of writes, atomics and the starts of kernels. Built: they make
//     lines invalid, so no read is answered with what is older than a write of its cluster.

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
    // Proved without a bound by induction, for the sizes in tb/formal. f_line stands for
    // any line, f_moves and f_other for any two ways. What a lookup must find is kept beside
    // the design. Assertions are a_, covers c_, other proof-only names f_.

`ifdef FORMAL
    reg f_started = 1'b0;  // at least one rising edge has passed
    always @(posedge clk) f_started <= 1'b1;

    (* anyconst *) reg [LINE_W-1:0] f_line;
    (* anyconst *) reg [WAY_W-1:0]  f_moves;
    (* anyconst *) reg [WAY_W-1:0]  f_other;

    // Environment: reset first; the ways exist.
    always @* begin
        assume (f_moves < N_LINE && f_other < N_LINE);
        if (!f_started) assume (rst_i);
    end

    // The order is a permutation: no two ways have one place. Invalid ways are behind valid
    // ones. No line is in two ways. And the way of the line.
    wire        f_permutation;
    wire        f_valid_first;
    wire        f_lines_apart;
    wire [31:0] f_n_way;
    wire [31:0] f_way;

    coalesced_cache_ghost #(
        .N_LINE (N_LINE),
        .LINE_W (LINE_W)
    ) f_cache (
        .valid_i       (valid_q),
        .places_i      (places),
        .tags_i        (tags),
        .line_i        (f_line),
        .ways_o        (f_n_way),
        .number_o      (f_way),
        .permutation_o (f_permutation),
        .valid_first_o (f_valid_first),
        .apart_o       (f_lines_apart)
    );

    // What happens in this cycle, in the words of the contract.
    wire f_read   = lookup_valid_i && !lookup_write_i && lookup_line_i == f_line;
    wire f_write  = lookup_valid_i && lookup_write_i && lookup_line_i == f_line;
    wire f_insert = insert_valid_i && insert_line_i == f_line;

    reg             f_here;  // the line was inserted, and not written, flushed or replaced
    reg [WAY_W-1:0] f_put;   // into this way
    reg             f_gone;  // it was written, and not inserted since
    always @(posedge clk) begin
        if (rst_i || flush_i) begin
            f_here <= 1'b0;
        end else if (f_insert) begin
            f_here <= 1'b1;
            f_put  <= insert_way_o;
        end else if (f_write || (insert_valid_i && insert_way_o == f_put)) begin
            f_here <= 1'b0;
        end
        f_gone <= !rst_i && !f_insert && (f_gone || f_write);
    end

    // Which of the two ways is used or inserted, or goes, in this cycle.
    wire f_read_moves = lookup_hit_o && !fifo_i && lookup_way_o == f_moves;
    wire f_read_other = lookup_hit_o && !fifo_i && lookup_way_o == f_other;
    wire f_uses_moves = f_read_moves || (insert_valid_i && insert_way_o == f_moves);
    wire f_uses_other = f_read_other || (insert_valid_i && insert_way_o == f_other);
    wire f_goes_moves = lookup_valid_i && lookup_write_i && valid_q[f_moves]
                        && tags[f_moves*LINE_W +: LINE_W] == lookup_line_i;
    wire f_goes_other = lookup_valid_i && lookup_write_i && valid_q[f_other]
                        && tags[f_other*LINE_W +: LINE_W] == lookup_line_i;
    wire f_ahead      = place_q[f_moves] < place_q[f_other];

    always @(posedge clk) begin
        if (f_started) begin
            a_permutation : assert (f_permutation);
            a_valid_first : assert (f_valid_first);
            a_lines_apart : assert (f_lines_apart);
            a_one_way     : assert (f_n_way <= 1);

            // A lookup finds the line where it was put, until it is written, flushed or
            // replaced; after a write it finds nothing until the line is inserted again.
            a_here  : assert ((f_n_way != 0) == f_here);
            a_put   : assert (!f_here || f_way == f_put);
            a_gone  : assert (!f_gone || !f_here);
            if (f_read)
                a_hit    : assert (lookup_hit_o == f_here
                                   && lookup_way_o == (f_here ? f_put : 0));
            if (!lookup_valid_i || lookup_write_i)
                a_no_hit : assert (!lookup_hit_o && lookup_way_o == 0);
            if (!insert_valid_i)
                a_no_way : assert (insert_way_o == 0);
            if (f_insert && f_here && !f_write)
                a_own    : assert (insert_way_o == f_put);

            // A line that stays is replaced only if all others are valid and stay, too.
            if (insert_valid_i && !f_insert && f_here && insert_way_o == f_put && !f_write)
                a_replaced : assert ((&valid_q) && !f_goes_other);

            // What is new goes into the way at the end, after the lookup.
            if (insert_valid_i && insert_way_o == f_moves && f_moves != f_other
                && !(valid_q[f_moves] && tags[f_moves*LINE_W +: LINE_W] == insert_line_i)
                && !f_goes_moves && !f_goes_other)
                a_last : assert (!f_read_moves && (f_read_other || !f_ahead));

            // A way gets ahead of another only if it is used or inserted, or the other
            // goes; a way that is inserted is ahead of all, and so is one that is used,
            // but for the one that is inserted with it.
            if ($past(!rst_i) && f_moves != f_other) begin
                if ($past(insert_valid_i && insert_way_o == f_moves))
                    a_first   : assert (f_ahead);
                if ($past(f_uses_moves && !(insert_valid_i && insert_way_o == f_other)))
                    a_used    : assert (f_ahead);
                if ($past(!f_uses_moves && !f_uses_other && !f_goes_moves && !f_goes_other))
                    a_order   : assert (f_ahead == $past(f_ahead));
                if ($past(f_goes_moves && !f_uses_moves))
                    a_behind  : assert (!f_ahead);
            end
            if ($past(rst_i))
                a_reset : assert (valid_q == 0 && place_q[f_moves] == f_moves);
            if ($past(flush_i))
                a_flush : assert (valid_q == 0);

            // Reachable: a line is found, written, inserted again, and replaced; a way is
            // used while another is inserted.
            c_hit      : cover (f_read && lookup_hit_o);
            c_again    : cover (f_insert && f_gone);
            c_replaced : cover ((&valid_q) && insert_valid_i && !f_insert && f_here
                                && insert_way_o == f_put);
            c_goes     : cover (f_here && f_write && f_insert);
        end
    end

    generate
        if (N_LINE > 1) begin : f_ways
            always @(posedge clk) begin
                // The last way is read just when it would be replaced.
                c_saved : cover (f_started && (&valid_q) && f_read && lookup_hit_o && !fifo_i
                                 && place_q[f_way] == N_LINE - 1 && insert_valid_i
                                 && !f_insert);
                c_fifo  : cover (f_started && (&valid_q) && f_read && lookup_hit_o && fifo_i
                                 && insert_valid_i && insert_way_o == f_put);
            end
        end
    endgenerate
`endif

endmodule

`default_nettype wire
