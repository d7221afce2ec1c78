// coalesced_cache_properties - what is proved of the coalesced cache, without a bound by induction, for the sizes in
// tb/units/coalesced_cache.
//
// Ports: those of the cache, and nets of it, under their names. f_line stands for any line, f_moves and f_other for any two
// ways. What a lookup must find is kept beside the design. Assertions are a_, covers c_, other proof-only names f_.

`default_nettype none

module coalesced_cache_properties #(
    parameter integer N_LINE = 24,
    parameter integer LINE_W = 41,
    parameter integer WAY_W  = (N_LINE > 1) ? $clog2(N_LINE) : 1
) (
    input wire clk, rst_i, lookup_valid_i, lookup_write_i, lookup_hit_o, insert_valid_i, fifo_i, flush_i,
    input wire [LINE_W-1:0] lookup_line_i, insert_line_i,
    input wire [WAY_W-1:0] lookup_way_o, insert_way_o,
    // Registers and nets.
    input wire [N_LINE-1:0] valid_q,
    input wire [N_LINE*WAY_W-1:0] places,
    input wire [N_LINE*LINE_W-1:0] tags
);

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
    wire f_ahead      = places[f_moves*WAY_W +: WAY_W] < places[f_other*WAY_W +: WAY_W];

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
                a_reset : assert (valid_q == 0 && places[f_moves*WAY_W +: WAY_W] == f_moves);
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
                                 && places[f_way*WAY_W +: WAY_W] == N_LINE - 1 && insert_valid_i
                                 && !f_insert);
                c_fifo  : cover (f_started && (&valid_q) && f_read && lookup_hit_o && fifo_i
                                 && insert_valid_i && insert_way_o == f_put);
            end
        end
    endgenerate

endmodule

`default_nettype wire
