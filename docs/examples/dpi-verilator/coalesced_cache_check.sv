// coalesced_cache_check - a bench that asks the golden model, by DPI, what a module
// coalesced_cache must answer, in every cycle of random traffic. With +deaf the module does not
// hear the flush, which shows what a difference looks like.

module coalesced_cache_check;

    import coalesced_cache_dpi::*;

    parameter integer N_LINE = 24;
    parameter integer LINE_W = 41;
    parameter integer CYCLES = 100000;

    localparam integer WAY_W = $clog2(N_LINE);

    // What goes in, what the module answers, and what the golden model does.
    bit              clk;
    bit              rst = 1;
    bit              deaf;
    bit              lookup, write, insert, fifo, flush;
    bit [LINE_W-1:0] lookup_line, insert_line;
    wire             hit;
    wire [WAY_W-1:0] lookup_way, insert_way;
    bit              want_hit;
    bit [WAY_W-1:0]  want_lookup_way, want_insert_way;

    coalesced_cache #(.N_LINE(N_LINE), .LINE_W(LINE_W)) u_dut (
        .clk(clk), .rst_i(rst),
        .lookup_valid_i(lookup), .lookup_line_i(lookup_line), .lookup_write_i(write),
        .lookup_hit_o(hit), .lookup_way_o(lookup_way),
        .insert_valid_i(insert), .insert_line_i(insert_line), .insert_way_o(insert_way),
        .fifo_i(fifo), .flush_i(flush && !deaf)
    );

    chandle golden;

    function automatic void ask_golden;
        coalesced_cache_dpi_set_lookup_valid_i(golden, lookup);
        coalesced_cache_dpi_set_lookup_line_i(golden, lookup_line);
        coalesced_cache_dpi_set_lookup_write_i(golden, write);
        coalesced_cache_dpi_set_insert_valid_i(golden, insert);
        coalesced_cache_dpi_set_insert_line_i(golden, insert_line);
        coalesced_cache_dpi_set_fifo_i(golden, fifo);
        coalesced_cache_dpi_set_flush_i(golden, flush);
        coalesced_cache_dpi_eval(golden);
        coalesced_cache_dpi_get_lookup_hit_o(golden, want_hit);
        coalesced_cache_dpi_get_lookup_way_o(golden, want_lookup_way);
        coalesced_cache_dpi_get_insert_way_o(golden, want_insert_way);
    endfunction

    // One of some more lines than there are ways.
    function automatic bit [LINE_W-1:0] some_line;
        return LINE_W'($urandom_range(N_LINE + N_LINE / 4));
    endfunction

    int cycle;
    int hits;

    initial begin
        deaf   = $test$plusargs("deaf") != 0;
        golden = coalesced_cache_dpi_open($sformatf("N_LINE=%0d LINE_W=%0d", N_LINE, LINE_W));
        if (golden == null) $fatal(1, "no golden model");

        #5 clk = 1;  // the edge that resets the module; the golden model begins after one
        #5 clk = 0;
        rst = 0;
        for (cycle = 1; cycle <= CYCLES; cycle++) begin
            lookup      = $urandom % 2 == 0;
            lookup_line = some_line();
            write       = $urandom % 16 == 0;
            insert      = $urandom % 4 == 0;
            insert_line = some_line();
            fifo        = cycle > CYCLES / 2;
            flush       = $urandom % 256 == 0;
            ask_golden();
            #4;
            if ({hit, lookup_way, insert_way}
                != {want_hit, want_lookup_way, want_insert_way}) begin
                $display("DIFFERENCE in cycle %0d     module  golden model", cycle);
                $display("  %-24s %7d %13d", "lookup_hit_o", hit, want_hit);
                $display("  %-24s %7d %13d", "lookup_way_o", lookup_way, want_lookup_way);
                $display("  %-24s %7d %13d", "insert_way_o", insert_way, want_insert_way);
                $fatal(1, "the two differ");
            end
            hits += 32'(hit);
            #1 clk = 1;
            coalesced_cache_dpi_tick(golden);
            #5 clk = 0;
        end
        $display("PASS %0d cycles, %0d hits", CYCLES, hits);
        coalesced_cache_dpi_close(golden);
        $finish;
    end

endmodule
